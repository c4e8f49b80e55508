#include "core/config.h"

#include <gtest/gtest.h>

#include "fake_stream.h"
#include "proxy/mesh_config.h"

namespace mesh {
namespace {

TEST(Config, ReadsATreeWithLines) {
  const Directive root = parseConfig("f",
                                     "# head\n"
                                     "outer a \"b c\" { # open\n"
                                     "  inner \"quote \\\" brace }\" {x}\n"
                                     "}\n"
                                     "last\n");
  ASSERT_EQ(root.children.size(), 2u);
  const Directive& outer = root.children[0];
  EXPECT_EQ(outer.name, "outer");
  EXPECT_EQ(outer.args, (std::vector<std::string>{"a", "b c"}));
  ASSERT_EQ(outer.children.size(), 1u);
  EXPECT_EQ(outer.children[0].line, 3u);
  EXPECT_EQ(outer.children[0].args, (std::vector<std::string>{"quote \" brace }", "{x}"}));
  EXPECT_EQ(root.children[1].line, 5u);
}

TEST(Config, NamesFileAndLineOfBrokenBlocks) {
  const auto errorOf = [](std::string_view text) {
    return configErrorOf([text] { parseConfig("x.conf", text); });
  };
  EXPECT_EQ(errorOf("a {\nb\n"), "x.conf:1: block 'a' is never closed");
  EXPECT_EQ(errorOf("a\n}\n"), "x.conf:2: '}' without a block to close");
  EXPECT_EQ(errorOf("a \"b\n"), "x.conf:1: a quoted argument is never closed");
  EXPECT_EQ(errorOf("{\n"), "x.conf:1: '{' without a name before it");
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "a {\n";
  EXPECT_EQ(errorOf(deep), "x.conf:17: blocks are nested too deeply");
}

TEST(Config, ArgumentsAreChecked) {
  const Directive root = parseConfig("x.conf", "limit 12 fast\n");
  const Directive& limit = root.children[0];
  EXPECT_EQ(limit.numberArg(0, 1, 12), 12u);
  EXPECT_EQ(limit.wordArg(1, {"slow", "fast"}), 1u);
  EXPECT_EQ(configErrorOf([&] { limit.numberArg(0, 1, 11); }),
            "x.conf:1: '12' is not a number from 1 to 11");
  EXPECT_EQ(configErrorOf([&] { limit.wordArg(1, {"a", "b"}); }),
            "x.conf:1: 'fast' is none of: a, b");
  EXPECT_EQ(configErrorOf([&] { limit.arg(2); }),
            "x.conf:1: 'limit' takes 3 or more arguments, found 2");
  EXPECT_EQ(configErrorOf([&] { limit.expectArgs(1, 1); }),
            "x.conf:1: 'limit' takes 1 arguments, found 2");
}

std::string meshErrorOf(std::string_view text) {
  FilterRegistry registry;
  addBuiltinFilters(registry);
  StringSink out;
  return configErrorOf(
      [&] { const MeshConfig config(parseConfig("m.conf", text), registry, out, out); });
}

TEST(MeshConfig, NamesTheLineOfEveryMistake) {
  EXPECT_EQ(meshErrorOf("sink memory\n"), "m.conf: there is no 'filter'");
  EXPECT_EQ(meshErrorOf("\nsinc memory\n"),
            "m.conf:2: unknown directive 'sinc' in the configuration");
  EXPECT_EQ(meshErrorOf("sink memory\nsink memory\n"), "m.conf:2: a second memory sink");
  EXPECT_EQ(meshErrorOf("cluster a {\n}\n"), "m.conf:1: a cluster needs at least one endpoint");
  EXPECT_EQ(meshErrorOf("filter auth {\n}\n"),
            "m.conf:1: auth needs a 'key' or an 'api_key': nobody could pass");
  EXPECT_EQ(meshErrorOf("filter router {\n virtual_host a {\n  domain present\n  route r {\n"
                        "   cluster nowhere\n  }\n }\n}\n"),
            "m.conf:5: no cluster 'nowhere' above");
  EXPECT_EQ(meshErrorOf("filter access_log {\n format \"%NOPE%\"\n}\n"),
            "m.conf:2: unknown format command %NOPE%");
  EXPECT_EQ(meshErrorOf("filter access_policy {\n policy p deny {\n remote here 8\n }\n}\n"),
            "m.conf:3: 'here' is not an IPv4 address");
  EXPECT_EQ(meshErrorOf("filter header_rewrite {\n request {\n set :path /x\n }\n}\n"),
            "m.conf:3: ':path' cannot be set here");
  EXPECT_EQ(meshErrorOf("filter rate_limit {\n limit x {\n key remote\n }\n}\n"),
            "m.conf:2: a limit needs 'rate_per_s'");
}

TEST(MeshConfig, AnUnknownFilterListsTheKnownOnes) {
  const std::string error = meshErrorOf("filter teapot {\n}\n");
  EXPECT_NE(error.find("m.conf:1: no filter 'teapot'; there are: access_log, "), std::string::npos);
  EXPECT_NE(error.find("router"), std::string::npos);
}

}  // namespace
}  // namespace mesh
