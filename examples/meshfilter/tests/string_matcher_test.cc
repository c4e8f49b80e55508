#include "core/string_matcher.h"

#include <gtest/gtest.h>

namespace mesh {
namespace {

bool matches(const std::string& matcher, std::string_view text) {
  const Directive root = parseConfig("t", "m " + matcher + "\n");
  return makeStringMatcher(root.children[0], 0)->matches(text);
}

TEST(StringMatcher, Kinds) {
  EXPECT_TRUE(matches("exact /a", "/a"));
  EXPECT_FALSE(matches("exact /a", "/ab"));
  EXPECT_TRUE(matches("prefix /a", "/ab"));
  EXPECT_FALSE(matches("prefix /a", "b/a"));
  EXPECT_TRUE(matches("suffix .php", "/x.php"));
  EXPECT_FALSE(matches("suffix .php", "php"));
  EXPECT_TRUE(matches("contains /../", "/a/../b"));
  EXPECT_FALSE(matches("contains x", ""));
  EXPECT_TRUE(matches("present", ""));
}

TEST(StringMatcher, GlobStarsStopAtSlashes) {
  EXPECT_TRUE(matches("glob /api/v?/orders", "/api/v2/orders"));
  EXPECT_FALSE(matches("glob /api/v?/orders", "/api/v/orders"));
  EXPECT_FALSE(matches("glob /api/v?/orders", "/api/v//orders"));
  EXPECT_TRUE(matches("glob /a/*/c", "/a/bbb/c"));
  EXPECT_FALSE(matches("glob /a/*/c", "/a/b/b/c"));
  EXPECT_TRUE(matches("glob /a/**/c", "/a/b/b/c"));
  EXPECT_TRUE(matches("glob *", ""));
  EXPECT_TRUE(matches("glob *.css", "aa.css.css"));
}

TEST(StringMatcher, GlobGoesBackToTheRightStar) {
  EXPECT_TRUE(matches("glob /**/b*c", "/x/bad/y/bac"));
  EXPECT_TRUE(matches("glob **/*.git/**", "/a/.git/config"));
  EXPECT_FALSE(matches("glob /**/.git/**", "/a/git/config"));
  EXPECT_TRUE(matches("glob **a*b**c", "xaxbxaxxbyyc"));
  EXPECT_FALSE(matches("glob **a*b", "a/b"));
}

TEST(StringMatcher, RefusesWhatIsNoMatcher) {
  EXPECT_THROW(matches("regex x", ""), ConfigError);
  EXPECT_THROW(matches("exact \"\"", ""), ConfigError);
  EXPECT_THROW(matches("present x", ""), ConfigError);
  EXPECT_THROW(matches("exact", ""), ConfigError);
}

}  // namespace
}  // namespace mesh
