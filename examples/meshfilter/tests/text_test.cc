#include "core/text.h"

#include <gtest/gtest.h>

#include "core/hash.h"

namespace mesh {
namespace {

TEST(Text, ReadsDecimalsThatFillTheText) {
  EXPECT_EQ(parseDecimal("0"), 0u);
  EXPECT_EQ(parseDecimal("18446744073709551615"), UINT64_MAX);
  EXPECT_FALSE(parseDecimal("18446744073709551616"));
  EXPECT_FALSE(parseDecimal(""));
  EXPECT_FALSE(parseDecimal("12a"));
  EXPECT_FALSE(parseDecimal("-1"));
}

TEST(Text, WritesNumbers) {
  std::string out;
  appendDecimal(out, 0);
  appendDecimal(out, UINT64_MAX);
  out.push_back(' ');
  appendPadded(out, 7, 3);
  appendPadded(out, 1234, 2);
  out.push_back(' ');
  appendHex(out, 0xbeef, 6);
  EXPECT_EQ(out, "018446744073709551615 0071234 00beef");
}

TEST(Text, Base64UrlComesBack) {
  for (const std::string text : {"", "a", "ab", "abc", "\x00\xff\x7f~", "any carnal pleas"}) {
    std::string back;
    EXPECT_TRUE(decodeBase64Url(encodeBase64Url(text), back));
    EXPECT_EQ(back, text);
  }
  EXPECT_EQ(encodeBase64Url("\xfb\xff"), "-_8");
  std::string out;
  EXPECT_FALSE(decodeBase64Url("ab+c", out));
  EXPECT_FALSE(decodeBase64Url("abcde", out));
}

TEST(Text, ComparesWithoutCase) {
  EXPECT_TRUE(equalsIgnoreCase("Content-Type", "content-tYPE"));
  EXPECT_FALSE(equalsIgnoreCase("a", "ab"));
  EXPECT_TRUE(containsIgnoreCase("text/HTML; q", "html"));
  EXPECT_FALSE(containsIgnoreCase("tm", "html"));
}

// The vector of the SipHash paper: key 00..0f, message 00..0e.
TEST(Hash, SipHashAgreesWithItsPaper) {
  std::string message;
  for (char c = 0; c < 15; ++c) message.push_back(c);
  EXPECT_EQ(sipHash({0x0706050403020100, 0x0f0e0d0c0b0a0908}, message), 0xa129ca6149be45e5u);
}

TEST(Hash, DigestDependsOnOrderAndBoundaries) {
  Digest ab;
  ab.add("a");
  ab.add("b");
  Digest ba;
  ba.add("b");
  ba.add("a");
  Digest joined;
  joined.add("ab");
  EXPECT_NE(ab.value(), ba.value());
  EXPECT_NE(ab.value(), joined.value());
  std::string text(100, 'x');
  Digest whole;
  whole.add(text);
  text[70] = 'y';
  Digest changed;
  changed.add(text);
  EXPECT_NE(whole.value(), changed.value());
}

}  // namespace
}  // namespace mesh
