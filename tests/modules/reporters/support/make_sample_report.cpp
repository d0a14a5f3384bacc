// make_sample_report passed|mixed|hostile|empty|many|showcase DIRECTORY
//
// Makes sample results in DIRECTORY and the page of them, to look at or to take a picture of. Prints the page's path.
#include <filesystem>
#include <iostream>
#include <string>

#include "modules/reporters/html/html_report.hpp"
#include "tests/modules/reporters/support/sample_results.hpp"
#include "tests/modules/reporters/support/showcase.hpp"

namespace {

bool write_sample(const std::string& kind, const std::filesystem::path& directory) {
  namespace samples = cloudai::samples;
  if (kind == "passed") {
    samples::write_passed(directory);
  } else if (kind == "mixed") {
    samples::write_mixed(directory);
  } else if (kind == "hostile") {
    samples::write_hostile(directory);
  } else if (kind == "empty") {
    samples::write_empty(directory);
  } else if (kind == "many") {
    samples::write_many(directory, 10000, 168);
  } else if (kind == "showcase") {
    samples::write_showcase(directory);
  } else {
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || !write_sample(argv[1], argv[2])) {
    std::cerr << "usage: make_sample_report passed|mixed|hostile|empty|many|showcase DIRECTORY\n";
    return 2;
  }
  const std::filesystem::path directory = argv[2];
  for (const std::string& file : cloudai::html::write_report(directory, directory)) {
    std::cout << (directory / file).string() << "\n";
  }
}
