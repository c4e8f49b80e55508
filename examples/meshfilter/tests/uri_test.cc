#include "http/uri.h"

#include <gtest/gtest.h>

namespace mesh {
namespace {

TEST(Uri, SplitsTargets) {
  EXPECT_EQ(splitTarget("/a?b=1?2#f").path, "/a");
  EXPECT_EQ(splitTarget("/a?b=1?2#f").query, "b=1?2");
  EXPECT_EQ(splitTarget("/a").query, "");
}

TEST(Uri, NormalisesPaths) {
  EXPECT_EQ(normalisePath("/"), "/");
  EXPECT_EQ(normalisePath("/a/b"), "/a/b");
  EXPECT_EQ(normalisePath("/a/b/"), "/a/b/");
  EXPECT_EQ(normalisePath("//a///b"), "/a/b");
  EXPECT_EQ(normalisePath("/a/./b/../c"), "/a/c");
  EXPECT_EQ(normalisePath("/a/.."), "/");
  EXPECT_EQ(normalisePath("/a/b/."), "/a/b/");
  EXPECT_EQ(normalisePath("/%7euser/%61"), "/~user/a");
  EXPECT_EQ(normalisePath("/a%3fb"), "/a%3Fb");
  EXPECT_EQ(normalisePath("/%2e%2e/a"), std::nullopt);
}

TEST(Uri, RefusesDangerousPaths) {
  for (const char* path :
       {"", "a", "*", "/..", "/a/../../b", "/%2f", "/%00", "/%5c", "/%g0", "/%2", "/%", "/a\\b"}) {
    EXPECT_FALSE(normalisePath(path)) << path;
  }
}

TEST(Uri, NormalPathsNeedNoWork) {
  for (const char* path : {"/", "/a/b", "/a/b/", "/a..b/c.html"}) {
    EXPECT_TRUE(isNormalPath(path)) << path;
    EXPECT_EQ(normalisePath(path), path);
  }
  for (const char* path : {"", "a", "//", "/a/./b", "/%41", "/a/..", "/a\\b"}) {
    EXPECT_FALSE(isNormalPath(path)) << path;
  }
}

TEST(Uri, FindsQueryParameters) {
  EXPECT_EQ(queryParameter("a=1&bb=2&b=3", "b"), "3");
  EXPECT_EQ(queryParameter("flag&x=", "flag"), "");
  EXPECT_EQ(queryParameter("flag&x=", "x"), "");
  EXPECT_EQ(queryParameter("", "x"), std::nullopt);
  EXPECT_EQ(queryParameter("ax=1", "x"), std::nullopt);
}

}  // namespace
}  // namespace mesh
