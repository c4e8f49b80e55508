#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/config.h"
#include "filters/token.h"

namespace mesh {

/// One kind of request in a mix. Texts may hold placeholders: {pick LIST}, {number LOW HIGH},
/// {hex DIGITS}.
struct RequestTemplate {
  std::string name;
  uint64_t weight = 1;
  std::vector<std::string> methods;
  std::vector<std::string> hosts;
  std::vector<std::string> paths;
  struct Header {
    std::string name;
    std::string value;
    uint64_t perMille = 1000;
  };
  std::vector<Header> headers;
  struct TokenUse {
    enum class Kind { kValid, kExpired, kForged, kBroken, kNone } kind;
    uint64_t weight;
  };
  std::vector<TokenUse> tokens;
  std::string scopes;
  uint64_t bodyBytesLeast = 0;
  uint64_t bodyBytesMost = 0;
  uint64_t brokenBodyPerMille = 0;
  uint64_t chunkedPerMille = 0;
  uint64_t malformedPerMille = 0;  // requests that no parser should accept
};

/// A mix of requests, as a file describes it.
struct Mix {
  uint64_t seed = 1;
  uint64_t distinct = 2000;    // different requests to generate
  uint64_t clients = 64;       // connections with addresses of their own
  uint64_t stepUs = 100;       // virtual time from one request to the next
  uint64_t readBytes = 1460;   // what one read gives at most
  uint64_t splitPerMille = 0;  // requests that come in reads of random size
  std::string issuer;
  TokenKey tokenKey;
  std::map<std::string, std::vector<std::string>, std::less<>> lists;
  std::vector<RequestTemplate> templates;
};

/// Fails with a ConfigError that names file and line.
Mix readMix(const Directive& root);

}  // namespace mesh
