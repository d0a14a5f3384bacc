#include "core/module/search_path.hpp"

#include <gmock/gmock.h>

#include <map>

namespace cloudai::module {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Variables = std::map<std::string, std::string>;

SearchPath path_with(const std::vector<std::filesystem::path>& options, const Variables& variables, bool is_root) {
  const auto environment = [&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  return search_path(options, environment, is_root, "/opt/cloudai/bin/cloudai");
}

TEST(SearchPath, OptionsComeFirstThenTheVariableThenTheUserThenTheInstallation) {
  const auto path = path_with({"/", "/usr/"},
                              {{"CLOUDAI_MODULE_PATH", "/v1::/v2"}, {"HOME", "/home/u"}, {"XDG_DATA_HOME", ""}}, false);
  EXPECT_THAT(path.directories, ElementsAre("/", "/usr/", "/v1", "/v2", "/home/u/.local/share/cloudai/modules",
                                            "/opt/cloudai/lib/cloudai/modules"));
  EXPECT_THAT(path.notes, IsEmpty());
}

TEST(SearchPath, XdgDataHomeReplacesTheHomeDirectory) {
  const auto path = path_with({}, {{"HOME", "/home/u"}, {"XDG_DATA_HOME", "/data"}}, false);
  EXPECT_THAT(path.directories, ElementsAre("/data/cloudai/modules", "/opt/cloudai/lib/cloudai/modules"));
}

TEST(SearchPath, ARelativeXdgDataHomeCountsAsUnset) {
  const auto path = path_with({}, {{"HOME", "/home/u"}, {"XDG_DATA_HOME", "data"}}, false);
  EXPECT_THAT(path.directories,
              ElementsAre("/home/u/.local/share/cloudai/modules", "/opt/cloudai/lib/cloudai/modules"));
}

TEST(SearchPath, WithoutAHomeOnlyTheInstallationIsLeft) {
  EXPECT_THAT(path_with({}, {}, false).directories, ElementsAre("/opt/cloudai/lib/cloudai/modules"));
}

TEST(SearchPath, RootTakesNothingFromTheEnvironment) {
  const auto path =
      path_with({"/usr"}, {{"CLOUDAI_MODULE_PATH", "/v1"}, {"HOME", "/root"}, {"XDG_DATA_HOME", "/data"}}, true);
  EXPECT_THAT(path.directories, ElementsAre("/usr", "/opt/cloudai/lib/cloudai/modules"));
  EXPECT_THAT(path.notes,
              ElementsAre("CLOUDAI_MODULE_PATH is ignored, since cloudai runs as root. Use --module-path."));
}

TEST(SearchPath, AnOptionThatDoesNotExistIsNoted) {
  const auto path = path_with({"/no/such/place"}, {}, false);
  EXPECT_THAT(path.notes, ElementsAre("the module directory /no/such/place (--module-path) does not exist."));
}

}  // namespace
}  // namespace cloudai::module
