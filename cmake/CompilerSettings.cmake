# How everything in the tree is compiled.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
# Line tables are enough for a useful backtrace; full debug information takes minutes more to compile.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")

find_program(CLOUDAI_CCACHE ccache)
if(CLOUDAI_CCACHE)
  # A precompiled header defeats the cache unless these differences are allowed. Paths below the tree do not count, so that
  # one clone's work serves the next.
  set(cached ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
             CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CLOUDAI_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${cached})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${cached})
endif()

# Warnings are for code of ours: interface of a target, so that nothing generated or third-party sees them.
add_library(cloudai_warnings INTERFACE)
target_compile_options(cloudai_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
# With optimisation g++ 12 reports overflows inside std::string and nlohmann-json that are none (GCC bugs 105329, 105651).
# Clang and the sanitizers look for the real ones.
target_compile_options(cloudai_warnings INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>)

if(CLOUDAI_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# Moves the debug information of a linked target into .debug/<file>.debug beside it: where gdb looks for it, and where no
# shell that has the folder in its PATH offers it as a program.
function(cloudai_split_debug_information target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT CLOUDAI_SANITIZE)
    set(folder $<TARGET_FILE_DIR:${target}>/.debug)
    set(information ${folder}/$<TARGET_FILE_NAME:${target}>.debug)
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${CMAKE_OBJCOPY} --only-keep-debug $<TARGET_FILE:${target}> ${information}
      COMMAND ${CMAKE_OBJCOPY} --strip-unneeded --add-gnu-debuglink=${information} $<TARGET_FILE:${target}>
      VERBATIM)
  endif()
endfunction()
