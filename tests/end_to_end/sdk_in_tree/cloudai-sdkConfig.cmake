# The SDK as it stands in the tree, for projects that look for the package.
get_filename_component(_cloudai_tree ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
find_package(nlohmann_json 3.11 REQUIRED)
if(NOT TARGET cloudai::sdk)
  add_library(cloudai::sdk INTERFACE IMPORTED)
  target_include_directories(cloudai::sdk INTERFACE ${_cloudai_tree}/sdk/include)
  target_link_libraries(cloudai::sdk INTERFACE nlohmann_json::nlohmann_json)
endif()
include(${_cloudai_tree}/sdk/cmake/CloudaiModule.cmake)

# The tests of a project are run by the test that builds it.
function(cloudai_add_module_test)
endfunction()
