#include "core/module/manifest.hpp"

#include <gmock/gmock.h>

namespace cloudai::module {
namespace {

// A whole manifest; a test changes one thing of it.
Json manifest() {
  return Json::parse(R"({
    "schema": "cloudai.manifest/1", "id": "org.example.my_test", "version": "1.2.0", "vendor": "Example",
    "provides": [ { "interface": "cloudai.workload/1", "name": "MyTest",
                    "config_schema": { "type": "object",
                                       "properties": { "iters": { "type": "integer", "default": 20 } } },
                    "needs": [ "several_steps" ],
                    "metrics": [ { "name": "busbw", "unit": "GB/s", "better": "higher" } ] },
                  { "interface": "cloudai.scheduler/1", "name": "my", "capabilities": [ "steps", "hooks" ] } ],
    "requires": { "abi_minor": 0, "host_interfaces": [ "cloudai.host.process/1" ] } })");
}

std::string problem(const Json& document) {
  const auto result = read_manifest(document.dump());
  return result ? "" : result.error();
}

TEST(Manifest, TellsWhatAModuleProvides) {
  const auto result = read_manifest(manifest().dump());
  ASSERT_TRUE(result) << result.error();
  EXPECT_EQ(result->id, "org.example.my_test");
  EXPECT_EQ(result->version, "1.2.0");
  ASSERT_EQ(result->provides.size(), 2U);
  EXPECT_EQ(result->provides[0].interface_id, workload_interface);
  EXPECT_EQ(result->provides[0].name, "MyTest");
  EXPECT_EQ(result->provides[0].config_schema["properties"]["iters"]["default"], 20);
  EXPECT_THAT(result->provides[0].needs, testing::ElementsAre("several_steps"));
  EXPECT_EQ(result->provides[0].manifest_entry["metrics"][0]["name"], "busbw");
  EXPECT_THAT(result->provides[1].capabilities, testing::ElementsAre("steps", "hooks"));
  EXPECT_EQ(result->provides[1].config_schema, Json::parse(R"({"type":"object","additionalProperties":false})"));
}

TEST(Manifest, ThatIsNoDocumentIsRefused) {
  EXPECT_EQ(read_manifest("{").error(), "has an invalid manifest: it is not valid JSON (at byte 2).");
  EXPECT_EQ(read_manifest("[]").error(), "has an invalid manifest: it is not a JSON object.");
  EXPECT_EQ(read_manifest("\"\xff\"").error(), "has an invalid manifest: it is not valid UTF-8 (at byte 2).");
}

TEST(Manifest, OfANewerAbiIsRefusedWhateverItsShape) {
  auto document = manifest();
  document["requires"]["abi_minor"] = 3;
  document["provides"] = "something new";
  EXPECT_EQ(problem(document), "needs module ABI 0.3; this cloudai offers 0.0. Update cloudai.");
  document["schema"] = "cloudai.manifest/2";
  EXPECT_EQ(
      problem(document),
      "has a manifest of schema 'cloudai.manifest/2'; this cloudai reads 'cloudai.manifest/1'. Use a module built "
      "for this cloudai.");
}

TEST(Manifest, ThatNeedsAnUnknownHostInterfaceIsRefused) {
  auto document = manifest();
  document["requires"]["host_interfaces"].push_back("cloudai.host.telepathy/1");
  EXPECT_EQ(problem(document),
            "needs the host interface 'cloudai.host.telepathy/1', which this cloudai does not have. Update cloudai.");
}

TEST(Manifest, WithoutRequirementsNeedsNothing) {
  auto document = manifest();
  document.erase("requires");
  EXPECT_EQ(problem(document), "");
}

TEST(Manifest, RequirementsOfTheWrongTypeAreRefused) {
  auto document = manifest();
  document["requires"]["abi_minor"] = -1;
  EXPECT_EQ(problem(document), "has an invalid manifest: 'requires.abi_minor' is not a number from 0.");
  document["requires"] = 1;
  EXPECT_EQ(problem(document), "has an invalid manifest: 'requires' is not an object.");
  document["requires"] = {{"host_interfaces", "cloudai.host.process/1"}};
  EXPECT_EQ(problem(document), "has an invalid manifest: 'requires.host_interfaces' is not a list of texts.");
  document.erase("schema");
  EXPECT_EQ(problem(document), "has an invalid manifest: 'schema' is not 'cloudai.manifest/1'.");
}

TEST(Manifest, EveryProblemIsToldAtOnce) {
  auto document = manifest();
  document.erase("id");
  document["version"] = "1 \x1b[2J";
  document["provides"][0]["name"] = "";
  document["provides"][0]["interface"] = "workload";
  document["provides"][0]["needs"] = {1, 2};
  document["provides"][0]["metrics"] = {{{"unit", "s"}}};
  document["provides"][0]["config_schema"] = {{"type", "array"}};
  document["provides"][1]["config_schema"] = {{"type", "object"}, {"properties", 1}};
  document["provides"].push_back("nothing");
  EXPECT_EQ(problem(document),
            "has an invalid manifest: 'id' is missing; 'version' is not a text of letters, digits and ._+-; "
            "'provides[0].interface' is not an interface such as 'cloudai.workload/1'; "
            "'provides[0].name' is not a text of letters, digits and ._+-; "
            "'provides[0].config_schema' is not a JSON Schema of type 'object'; "
            "'provides[0].needs' is not a list of texts; "
            "'provides[0].metrics' is not a list of objects with a 'name'; "
            "'provides[1].config_schema.properties' is not an object; "
            "'provides[2]' is not an object.");
}

TEST(Manifest, ProvidesSomethingAndNothingTwice) {
  auto document = manifest();
  document["provides"].push_back(document["provides"][0]);
  EXPECT_EQ(problem(document), "has an invalid manifest: workload 'MyTest' is provided twice.");
  document["provides"] = Json::array();
  EXPECT_EQ(problem(document), "has an invalid manifest: 'provides' is not a list with at least one entry.");
}

TEST(Manifest, OneNameMayServeTwoInterfaces) {
  auto document = manifest();
  document["provides"][1]["name"] = "MyTest";
  EXPECT_EQ(problem(document), "");
}

}  // namespace
}  // namespace cloudai::module
