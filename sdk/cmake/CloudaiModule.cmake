# cloudai_add_module(<target> SOURCES <file>... MANIFEST <file.json> [STATIC_RUNTIME])
#
# Builds <target>.so, a module of cloudai: it exports the one symbol cloudai_module_entry_v0 and carries its manifest as an
# ELF note. Goes to CLOUDAI_MODULE_OUTPUT_DIRECTORY where that is set. Sources are C++17 or C99. STATIC_RUNTIME links
# libstdc++ into the module, for machines whose libstdc++ is older than the compiler's.

set(CLOUDAI_MODULE_CMAKE_DIRECTORY ${CMAKE_CURRENT_LIST_DIR})

function(cloudai_add_module target)
  cmake_parse_arguments(arg "STATIC_RUNTIME" "MANIFEST" "SOURCES" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES OR NOT arg_MANIFEST)
    message(FATAL_ERROR "cloudai_add_module(${target}): expected SOURCES <file>... MANIFEST <file.json> [STATIC_RUNTIME].")
  endif()
  get_filename_component(manifest ${arg_MANIFEST} ABSOLUTE)

  add_library(${target} MODULE ${arg_SOURCES})
  _cloudai_set_language(${target} ${arg_SOURCES})
  _cloudai_embed_manifest(${target} ${manifest})
  target_link_libraries(${target} PRIVATE cloudai::sdk $<TARGET_NAME_IF_EXISTS:cloudai_warnings>)
  _cloudai_set_link_rules(${target})
  if(arg_STATIC_RUNTIME)
    # Never -static-libgcc: two unwinders in one process turn an exception into an abort.
    target_link_options(${target} PRIVATE -static-libstdc++)
  endif()
  if(CLOUDAI_MODULE_OUTPUT_DIRECTORY)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CLOUDAI_MODULE_OUTPUT_DIRECTORY})
  endif()
  if(COMMAND cloudai_split_debug_information)
    cloudai_split_debug_information(${target})
  endif()
endfunction()

# C++17 unless all sources are C. What the SDK is in C++ needs nlohmann-json.
function(_cloudai_set_language target)
  list(FILTER ARGN EXCLUDE REGEX "\\.c$")
  if(NOT ARGN)
    return()
  endif()
  if(NOT TARGET nlohmann_json::nlohmann_json)
    message(FATAL_ERROR "The module ${target} is written in C++, for which the SDK needs nlohmann-json 3.11 or newer; it is not "
                        "installed (Debian: nlohmann-json3-dev). A module in C99 needs nothing.")
  endif()
  target_compile_features(${target} PRIVATE cxx_std_17)
endfunction()

# Checks the manifest and adds a source that holds its bytes. A change of the manifest configures again, since the module's
# entry holds the size as a constant.
function(_cloudai_embed_manifest target manifest)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${manifest})
  file(READ ${manifest} text)
  string(JSON schema ERROR_VARIABLE error GET "${text}" schema)
  if(error)
    message(FATAL_ERROR "${manifest} is no module manifest: ${error}.")
  elseif(NOT schema STREQUAL "cloudai.manifest/1")
    message(FATAL_ERROR "${manifest} has the schema '${schema}'; expected 'cloudai.manifest/1'.")
  endif()
  string(JSON abi_minor ERROR_VARIABLE error GET "${text}" requires abi_minor)
  if(error)
    message(FATAL_ERROR "${manifest} lacks requires.abi_minor: ${error}.")
  endif()

  file(SIZE ${manifest} manifest_size)
  # In the language of the module, so that one written in C needs no C++ library.
  get_target_property(sources ${target} SOURCES)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}_manifest.c)
  if(NOT sources MATCHES "\\.c(;|$)")
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}_manifest.cpp)
  endif()
  configure_file(${CLOUDAI_MODULE_CMAKE_DIRECTORY}/module_manifest.c.in ${source} @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${manifest} SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${source})
  target_compile_definitions(${target} PRIVATE CLOUDAI_MANIFEST_SIZE=${manifest_size}
                                               CLOUDAI_MANIFEST_ABI_MINOR=${abi_minor})
endfunction()

# What lets modules of different compilers and libraries live side by side in one process.
function(_cloudai_set_link_rules target)
  set_target_properties(${target} PROPERTIES
    PREFIX ""
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS ${CLOUDAI_MODULE_CMAKE_DIRECTORY}/module.version)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  target_link_options(${target} PRIVATE
    LINKER:--version-script=${CLOUDAI_MODULE_CMAKE_DIRECTORY}/module.version
    LINKER:--exclude-libs,ALL LINKER:-z,now LINKER:-z,relro LINKER:-z,nodelete)
  # Clang's sanitizers leave symbols of their runtime to be found in the executable.
  if(NOT (CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND (CLOUDAI_SANITIZE OR "${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize")))
    target_link_options(${target} PRIVATE LINKER:-z,defs)
  endif()
endfunction()
