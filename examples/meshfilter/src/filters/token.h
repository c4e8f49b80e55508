#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.h"

namespace mesh {

/// What a token says of its bearer.
struct Claims {
  std::string issuer;
  std::string subject;
  std::string scopes;  // separated by blanks
  uint64_t expiresS = 0;

  bool hasScope(std::string_view scope) const;
};

struct TokenKey {
  std::string id;
  SipKey key;
};

enum class TokenError { kNone, kMalformed, kUnknownKey, kBadSignature };

std::string_view tokenErrorText(TokenError error);

/// Tokens look like JSON Web Tokens, but carry a SipHash tag ("alg":"S64") instead of a
/// cryptographic signature: the work has the right shape, the safety is not that of a real token.
std::string issueToken(const TokenKey& key, const Claims& claims);

/// Checks form, key and tag, not the expiry.
TokenError readToken(std::string_view token, const std::vector<TokenKey>& keys, Claims& claims);

}  // namespace mesh
