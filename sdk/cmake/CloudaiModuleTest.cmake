# cloudai_add_module_test(<target> [SCENARIO <file> [TESTS_DIR <directory>] [SYSTEM <file>]])
#
# Tests a module of cloudai_add_module() with the program itself, which is looked for in PATH and beside the package, or is
# CLOUDAI_EXECUTABLE; without it there are no tests, and a line says so. Call enable_testing() or include(CTest) before.
#
#   <target>.verify     cloudai modules verify: what every module has to do, and not to do
#   <target>.scenario   with SCENARIO: all of it passes, the module being on the module path. Its tests are those in
#                       TESTS_DIR, else in the folder test/ beside the scenario; it runs on SYSTEM, else on this machine.
#                       The results are in <target>_results below the build folder

get_filename_component(_cloudai_prefix ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
find_program(CLOUDAI_EXECUTABLE cloudai HINTS ${_cloudai_prefix}/bin DOC "The program that modules are tested with")
unset(_cloudai_prefix)

function(cloudai_add_module_test target)
  cmake_parse_arguments(arg "" "SCENARIO;TESTS_DIR;SYSTEM" "" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS OR NOT TARGET ${target})
    message(FATAL_ERROR "cloudai_add_module_test(${target}): expected a target of cloudai_add_module(), then "
                        "[SCENARIO <file> [TESTS_DIR <directory>] [SYSTEM <file>]].")
  endif()
  if(NOT CLOUDAI_EXECUTABLE)
    message(STATUS "Tests of ${target}: left out, since there is no cloudai in PATH. Set CLOUDAI_EXECUTABLE to it.")
    return()
  endif()

  add_test(NAME ${target}.verify COMMAND ${CLOUDAI_EXECUTABLE} modules verify $<TARGET_FILE:${target}>)
  set_tests_properties(${target}.verify PROPERTIES TIMEOUT 600)
  if(NOT arg_SCENARIO)
    return()
  endif()
  get_filename_component(scenario ${arg_SCENARIO} ABSOLUTE)
  get_filename_component(folder ${scenario} DIRECTORY)
  set(tests ${folder}/test)
  if(arg_TESTS_DIR)
    get_filename_component(tests ${arg_TESTS_DIR} ABSOLUTE)
  endif()
  set(system ${CLOUDAI_MODULE_TEST_SYSTEM})
  if(arg_SYSTEM)
    get_filename_component(system ${arg_SYSTEM} ABSOLUTE)
  endif()
  add_test(NAME ${target}.scenario
    COMMAND ${CLOUDAI_EXECUTABLE} run --module-path $<TARGET_FILE_DIR:${target}> --system-config ${system}
            --tests-dir ${tests} --test-scenario ${scenario} --output-dir ${CMAKE_CURRENT_BINARY_DIR}/${target}_results)
  set_tests_properties(${target}.scenario PROPERTIES TIMEOUT 600)
endfunction()
