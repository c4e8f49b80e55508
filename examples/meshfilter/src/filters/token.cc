#include "filters/token.h"

#include <optional>

#include "core/json.h"
#include "core/text.h"

namespace mesh {

namespace {

constexpr unsigned kTagDigits = 16;
constexpr size_t kTokenBytesMax = 4096;

class HeadMembers : public JsonMembers {
 public:
  void onText(std::string_view name, std::string_view value) override {
    if (name == "kid") keyId.assign(value);
    if (name == "alg") algorithmKnown = value == "S64";
  }
  void onNumber(std::string_view, uint64_t) override {}

  std::string keyId;
  bool algorithmKnown = false;
};

class ClaimMembers : public JsonMembers {
 public:
  explicit ClaimMembers(Claims& claims) : claims_(claims) {}

  void onText(std::string_view name, std::string_view value) override {
    if (name == "iss") claims_.issuer.assign(value);
    if (name == "sub") claims_.subject.assign(value);
    if (name == "scope") claims_.scopes.assign(value);
  }
  void onNumber(std::string_view name, uint64_t value) override {
    if (name == "exp") claims_.expiresS = value;
  }

 private:
  Claims& claims_;
};

std::optional<uint64_t> readTag(std::string_view text) {
  if (text.size() != kTagDigits) return std::nullopt;
  uint64_t tag = 0;
  for (const char c : text) {
    const int digit = hexDigit(c);
    if (digit < 0) return std::nullopt;
    tag = tag << 4 | static_cast<uint64_t>(digit);
  }
  return tag;
}

}  // namespace

bool Claims::hasScope(std::string_view scope) const {
  std::string_view rest = scopes;
  while (!rest.empty()) {
    if (cutToken(rest, ' ') == scope) return true;
  }
  return false;
}

std::string_view tokenErrorText(TokenError error) {
  switch (error) {
    case TokenError::kNone:
      return "none";
    case TokenError::kMalformed:
      return "token_malformed";
    case TokenError::kUnknownKey:
      return "token_unknown_key";
    case TokenError::kBadSignature:
      return "token_bad_signature";
  }
  return "none";
}

std::string issueToken(const TokenKey& key, const Claims& claims) {
  std::string head = R"({"alg":"S64","typ":"JWT","kid":")";
  head.append(key.id).append("\"}");
  std::string payload = R"({"iss":")";
  payload.append(claims.issuer).append(R"(","sub":")").append(claims.subject);
  payload.append(R"(","scope":")").append(claims.scopes).append(R"(","exp":)");
  appendDecimal(payload, claims.expiresS);
  payload.append("}");
  std::string token = encodeBase64Url(head) + "." + encodeBase64Url(payload);
  const uint64_t tag = sipHash(key.key, token);
  token.push_back('.');
  appendHex(token, tag, kTagDigits);
  return token;
}

TokenError readToken(std::string_view token, const std::vector<TokenKey>& keys, Claims& claims) {
  if (token.size() > kTokenBytesMax) return TokenError::kMalformed;
  std::string_view rest = token;
  const std::string_view head = cutToken(rest, '.');
  const std::string_view payload = cutToken(rest, '.');
  const std::optional<uint64_t> tag = readTag(rest);
  if (!tag) return TokenError::kMalformed;

  std::string text;
  HeadMembers members;
  if (!decodeBase64Url(head, text) || !readFlatObject(text, members) || !members.algorithmKnown) {
    return TokenError::kMalformed;
  }
  const TokenKey* key = nullptr;
  for (const TokenKey& candidate : keys) {
    if (candidate.id == members.keyId) key = &candidate;
  }
  if (key == nullptr) return TokenError::kUnknownKey;
  if (sipHash(key->key, token.substr(0, head.size() + 1 + payload.size())) != *tag) {
    return TokenError::kBadSignature;
  }
  text.clear();
  ClaimMembers reader(claims);
  if (!decodeBase64Url(payload, text) || !readFlatObject(text, reader)) {
    return TokenError::kMalformed;
  }
  return TokenError::kNone;
}

}  // namespace mesh
