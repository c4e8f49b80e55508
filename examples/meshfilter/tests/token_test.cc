#include "filters/token.h"

#include <gtest/gtest.h>

#include "core/text.h"

namespace mesh {
namespace {

const TokenKey kKey{"k1", SipKey::fromSecret("secret")};
const Claims kClaims{"iss", "user-1", "read write", 1234};

TEST(Token, ComesBackAsIssued) {
  Claims claims;
  EXPECT_EQ(readToken(issueToken(kKey, kClaims), {{"k0", {}}, kKey}, claims), TokenError::kNone);
  EXPECT_EQ(claims.issuer, "iss");
  EXPECT_EQ(claims.subject, "user-1");
  EXPECT_EQ(claims.expiresS, 1234u);
  EXPECT_TRUE(claims.hasScope("write"));
  EXPECT_FALSE(claims.hasScope("writ"));
}

TEST(Token, AnyChangeIsFound) {
  const std::string token = issueToken(kKey, kClaims);
  for (size_t i = 0; i < token.size(); ++i) {
    std::string changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    if (lowerAscii(changed[i]) == token[i] && i + 16 >= token.size()) continue;  // same hex digit
    Claims claims;
    EXPECT_NE(readToken(changed, {kKey}, claims), TokenError::kNone) << i;
  }
}

TEST(Token, SaysWhatIsWrong) {
  Claims claims;
  const std::string token = issueToken(kKey, kClaims);
  EXPECT_EQ(readToken(token, {{"other", kKey.key}}, claims), TokenError::kUnknownKey);
  EXPECT_EQ(readToken(token, {{"k1", SipKey::fromSecret("no")}}, claims),
            TokenError::kBadSignature);
  EXPECT_EQ(readToken("", {kKey}, claims), TokenError::kMalformed);
  EXPECT_EQ(readToken("a.b", {kKey}, claims), TokenError::kMalformed);
  EXPECT_EQ(readToken(std::string(5000, 'a'), {kKey}, claims), TokenError::kMalformed);
  EXPECT_EQ(readToken("e30.e30.0000000000000000", {kKey}, claims), TokenError::kMalformed);
}

}  // namespace
}  // namespace mesh
