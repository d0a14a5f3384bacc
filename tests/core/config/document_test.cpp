#include "core/config/document.hpp"

#include <gtest/gtest.h>

#include "core/config/toml_reader.hpp"

namespace cloudai::config {
namespace {

Node parse(std::string_view text, std::string file = "f.toml") {
  Diagnostics diagnostics;
  std::optional<Node> root = parse_toml(text, std::move(file), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  return root.value_or(Node{});
}

TEST(Document, FindLooksInTablesOnly) {
  const Node root = parse("a = 1\nb = [1]\n");
  ASSERT_NE(root.find("a"), nullptr);
  EXPECT_EQ(root.find("c"), nullptr);
  EXPECT_EQ(root.find("b")->find("0"), nullptr);
}

TEST(Document, ToJsonKeepsTypesAndOrder) {
  EXPECT_EQ(to_json(parse("z = 1\ny = 1.0\nx = true\nw = \"s\"\nv = [[], {}]\n")).dump(),
            R"({"z":1,"y":1.0,"x":true,"w":"s","v":[[],{}]})");
}

TEST(Document, PositionOfSomethingAbsentIsThatOfTheNearestAncestor) {
  const Node root = parse("[a]\nb = [1, 2]\n");
  EXPECT_EQ(to_string(position_of(root, "")), "f.toml");
  EXPECT_EQ(to_string(position_of(root, "/x/y")), "f.toml");
  EXPECT_EQ(to_string(position_of(root, "/a/c")), "f.toml:1:2");
  EXPECT_EQ(to_string(position_of(root, "/a/b/7")), "f.toml:2:1");
  EXPECT_EQ(to_string(position_of(root, "/a/b/x")), "f.toml:2:1");
}

TEST(Document, PointersEscapeSlashAndTilde) {
  const Node root = parse("\"a/b\" = 1\n\"~\" = 2\n");
  EXPECT_EQ(to_string(position_of(root, "/a~1b")), "f.toml:1:1");
  EXPECT_EQ(to_string(position_of(root, "/~0")), "f.toml:2:1");
}

TEST(Document, MergeGoesKeyByKeyThroughTablesAndReplacesTheRest) {
  const Node base = parse("list = [1, 2]\nscalar = 1\n[table]\nkept = 1\nreplaced = 2\n", "base.toml");
  const Node over = parse("list = [3]\nnew = 1\n[table]\nreplaced = { a = 1 }\nadded = 3\n", "over.toml");
  const Node merged = merge(base, over);
  EXPECT_EQ(to_json(merged).dump(),
            R"({"list":[3],"scalar":1,"table":{"kept":1,"replaced":{"a":1},"added":3},"new":1})");
  EXPECT_EQ(to_string(position_of(merged, "/table/kept")), "base.toml:4:1");
  EXPECT_EQ(to_string(position_of(merged, "/table/replaced")), "over.toml:4:1");
  EXPECT_EQ(to_string(position_of(merged, "/list")), "over.toml:1:1");
}

TEST(ToNode, IsTheInverseOfToJson) {
  const Json json = Json::parse(R"({"b": [1, -2.5, "x", true, {}], "a": {"c": []}})");
  const Node node = to_node(json, {std::make_shared<const std::string>("f"), 3, 4});
  EXPECT_EQ(to_json(node).dump(), json.dump());
  EXPECT_EQ(to_string(position_of(node, "/a/c")), "f:3:4");
}

}  // namespace
}  // namespace cloudai::config
