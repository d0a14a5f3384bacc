# cloudai_npm_packages(NAME DIRECTORY RESULT)
#
# Installs what package.json and package-lock.json in DIRECTORY pin, versions and checksums, into the build tree under
# npm/NAME, and sets RESULT to its node_modules. The network is asked once; later it is only looked whether it is there.
# Where there is no npm, or it cannot get the packages, RESULT is empty and the caller does without.

find_program(CLOUDAI_NPM npm)

function(cloudai_npm_packages name directory result)
  set(place ${CMAKE_BINARY_DIR}/npm/${name})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${directory}/package-lock.json)
  set(${result} ${place}/node_modules PARENT_SCOPE)
  file(SHA256 ${directory}/package-lock.json wanted)
  set(installed "")
  if(EXISTS ${place}/installed)
    file(READ ${place}/installed installed)
  endif()
  if(installed STREQUAL wanted)
    return()
  endif()
  set(why "there is no npm in PATH")
  if(CLOUDAI_NPM)
    file(COPY ${directory}/package.json ${directory}/package-lock.json DESTINATION ${place})
    execute_process(
      COMMAND ${CLOUDAI_NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 --fetch-timeout=20000
      WORKING_DIRECTORY ${place} RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE why TIMEOUT 120)
    if(status EQUAL 0)
      file(WRITE ${place}/installed ${wanted})
      return()
    endif()
    string(REGEX MATCH "[^\n]*" why "npm could not get them: ${why}")
  endif()
  message(STATUS "npm packages of ${name}: left out, since ${why}")
  set(${result} "" PARENT_SCOPE)
endfunction()
