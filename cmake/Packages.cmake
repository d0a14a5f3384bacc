# What `cmake --install` puts where, and the packages CPack makes of it.
#
#   component core    the program, its modules, the files of conf/ and the documentation
#   component sdk     what a module is written against: headers, schemas, a CMake package, examples; nothing to link
#   component tools   mpi_collectives, which needs Open MPI
#
# `cpack` in the build folder makes packages for Debian of core and sdk, and an archive of sdk.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
# A module that others may write to is refused, and so is one in a folder that others may write to.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# The targets of modules below `directory`.
function(cloudai_module_targets directory result)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  set(modules)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "MODULE_LIBRARY")
      list(APPEND modules ${target})
    endif()
  endforeach()
  get_property(folders DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(folder ${folders})
    cloudai_module_targets(${folder} below)
    list(APPEND modules ${below})
  endforeach()
  set(${result} ${modules} PARENT_SCOPE)
endfunction()

cloudai_module_targets(${CMAKE_SOURCE_DIR}/modules modules)
install(TARGETS cloudai RUNTIME DESTINATION bin COMPONENT core)
# Not CMAKE_INSTALL_LIBDIR: the program looks beside itself, in ../lib/cloudai/modules.
install(TARGETS ${modules} LIBRARY DESTINATION lib/cloudai/modules COMPONENT core)
install(DIRECTORY conf DESTINATION ${CMAKE_INSTALL_DATADIR}/cloudai COMPONENT core)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT core)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT core)

set(CLOUDAI_SDK_DIRECTORY ${CMAKE_INSTALL_DATADIR}/cloudai-sdk)
set(package ${CMAKE_INSTALL_DATADIR}/cmake/cloudai-sdk)
configure_package_config_file(sdk/cmake/cloudai-sdkConfig.cmake.in ${CMAKE_BINARY_DIR}/cloudai-sdkConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_INCLUDEDIR CLOUDAI_SDK_DIRECTORY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/cloudai-sdkConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_BINARY_DIR}/cloudai-sdkConfig.cmake ${CMAKE_BINARY_DIR}/cloudai-sdkConfigVersion.cmake
              sdk/cmake/CloudaiModule.cmake sdk/cmake/CloudaiModuleTest.cmake sdk/cmake/module.version
              sdk/cmake/module_manifest.c.in sdk/cmake/this_machine.toml
        DESTINATION ${package} COMPONENT sdk)
install(DIRECTORY sdk/include/cloudai DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT sdk)
install(DIRECTORY sdk/schemas examples DESTINATION ${CLOUDAI_SDK_DIRECTORY} COMPONENT sdk)
# What `cloudai modules new` fills in.
install(DIRECTORY core/app/module_templates/ DESTINATION ${CLOUDAI_SDK_DIRECTORY}/templates COMPONENT sdk)
install(FILES docs/module-author-guide.md docs/module-reference.md docs/documents.md docs/abi.md
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/cloudai-sdk COMPONENT sdk)
install(TARGETS mpi_collectives RUNTIME DESTINATION bin COMPONENT tools)

set(CPACK_PACKAGE_NAME cloudai)
set(CPACK_PACKAGE_VENDOR cloudai)
set(CPACK_PACKAGE_CONTACT "The authors of cloudai")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/PackageOfGenerator.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_CORE_PACKAGE_NAME cloudai)
set(CPACK_COMPONENT_CORE_DESCRIPTION "benchmark and acceptance scenarios on AI clusters
Runs scenarios of benchmarks on this machine or on a cluster, judges them and
writes reports. Workloads, schedulers and reports are modules.")
set(CPACK_DEBIAN_CORE_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_CORE_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CORE_PACKAGE_SUGGESTS "openmpi-bin, slurm-client")
set(CPACK_DEBIAN_SDK_PACKAGE_NAME cloudai-sdk)
set(CPACK_COMPONENT_SDK_DESCRIPTION "headers and CMake package to write modules of cloudai
A module is written in C++17 or C99 and links nothing of cloudai.")
set(CPACK_DEBIAN_SDK_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_SDK_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_SDK_PACKAGE_RECOMMENDS "cmake, nlohmann-json3-dev")
set(CPACK_DEBIAN_SDK_PACKAGE_SUGGESTS cloudai)
include(CPack)
