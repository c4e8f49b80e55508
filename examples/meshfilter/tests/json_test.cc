#include "core/json.h"

#include <gtest/gtest.h>

#include <string>

namespace mesh {
namespace {

bool isJson(std::string_view text, unsigned depthMax = 8) {
  JsonChecker checker(depthMax);
  return checker.feed(text) && checker.finish();
}

TEST(JsonChecker, TakesWellFormedValues) {
  for (const char* text :
       {"0", "-0.5e+10", "12E3", "\"\"", "\"a\\u00e9\\n\"", "true", " null ", "[]", "{}", "[1,2]",
        "{\"a\":{\"b\":[true,false,null,{}]},\"c\":-1}", "[ 1 , { \"a\" : 2 } ]"}) {
    EXPECT_TRUE(isJson(text)) << text;
  }
}

TEST(JsonChecker, RefusesTheRest) {
  for (const char* text :
       {"",        "01",          "1.",  "-",     "1e",   "+1",     "\"a",
        "\"\\x\"", "\"\\u12g4\"", "tru", "truth", "[1,]", "[1 2]",  "{a:1}",
        "{\"a\"}", "{\"a\":1,}",  "[}",  "1 2",   "]",    "\"\n\"", "{\"a\":1]"}) {
    EXPECT_FALSE(isJson(text)) << text;
  }
}

TEST(JsonChecker, DepthIsLimited) {
  EXPECT_TRUE(isJson("[[[]]]", 3));
  EXPECT_FALSE(isJson("[[[[]]]]", 3));
  EXPECT_FALSE(isJson(std::string(100, '['), 1000));
}

TEST(JsonChecker, AnyCutGivesTheSameAnswer) {
  const std::string text = "{\"k\\\"ey\":[1.5e3,-0,\"v\\u0041\"],\"t\":true}";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    JsonChecker checker(8);
    EXPECT_TRUE(checker.feed(std::string_view(text).substr(0, cut)));
    EXPECT_EQ(cut == text.size(), JsonChecker(checker).finish()) << cut;
    EXPECT_TRUE(checker.feed(std::string_view(text).substr(cut)));
    EXPECT_TRUE(checker.finish());
    EXPECT_EQ(checker.values(), 6u);
  }
}

class Collected : public JsonMembers {
 public:
  void onText(std::string_view name, std::string_view value) override {
    text.append(name).append("=").append(value).append(";");
  }
  void onNumber(std::string_view name, uint64_t value) override {
    text.append(name).append("=").append(std::to_string(value)).append(";");
  }
  std::string text;
};

TEST(FlatObject, GivesMembers) {
  Collected members;
  EXPECT_TRUE(readFlatObject(" {\"a\":\"x\\\"y\", \"n\" : 12 ,\"b\":true} ", members));
  EXPECT_EQ(members.text, "a=x\"y;n=12;");
}

TEST(FlatObject, RefusesNestingAndLeftovers) {
  for (const char* text : {"", "{", "{\"a\":{}}", "{\"a\":-1}", "{} x", "{\"a\":\"\\u0041\"}",
                           "{\"a\":99999999999999999999}", "{\"a\" \"b\"}"}) {
    Collected members;
    EXPECT_FALSE(readFlatObject(text, members)) << text;
  }
}

}  // namespace
}  // namespace mesh
