#include "driver/mix.h"

namespace mesh {

namespace {

std::string joinArgs(const Directive& directive, size_t from) {
  std::string out;
  for (size_t i = from; i < directive.args.size(); ++i) {
    out.append(i == from ? "" : " ").append(directive.args[i]);
  }
  return out;
}

RequestTemplate::TokenUse readTokenUse(const Directive& directive) {
  using Kind = RequestTemplate::TokenUse::Kind;
  constexpr Kind kKinds[] = {Kind::kValid, Kind::kExpired, Kind::kForged, Kind::kBroken,
                             Kind::kNone};
  const size_t kind = directive.wordArg(0, {"valid", "expired", "forged", "broken", "none"});
  return {kKinds[kind], directive.numberArg(1, 1, 1'000'000)};
}

void readTemplatePart(const Directive& child, RequestTemplate& request) {
  if (child.name == "weight") {
    request.weight = child.numberArg(0, 1, 1'000'000);
  } else if (child.name == "method") {
    request.methods.push_back(child.arg(0));
  } else if (child.name == "host") {
    request.hosts.push_back(child.arg(0));
  } else if (child.name == "path") {
    request.paths.push_back(joinArgs(child, 0));
  } else if (child.name == "header") {
    child.expectArgs(2, 2);
    request.headers.push_back({child.arg(0), child.arg(1), 1000});
  } else if (child.name == "sometimes") {
    child.expectArgs(3, 3);
    request.headers.push_back({child.arg(1), child.arg(2), child.numberArg(0, 0, 1000)});
  } else if (child.name == "token") {
    request.tokens.push_back(readTokenUse(child));
  } else if (child.name == "scopes") {
    request.scopes = joinArgs(child, 0);
  } else if (child.name == "json_body") {
    request.bodyBytesLeast = child.numberArg(0, 2, 1 << 20);
    request.bodyBytesMost = child.numberArg(1, request.bodyBytesLeast, 1 << 20);
  } else if (child.name == "broken_body_per_mille") {
    request.brokenBodyPerMille = child.numberArg(0, 0, 1000);
  } else if (child.name == "chunked_per_mille") {
    request.chunkedPerMille = child.numberArg(0, 0, 1000);
  } else if (child.name == "malformed_per_mille") {
    request.malformedPerMille = child.numberArg(0, 0, 1000);
  } else {
    child.failUnknown("request");
  }
}

RequestTemplate readTemplate(const Directive& directive) {
  directive.expectArgs(1, 1);
  directive.expectBlock();
  RequestTemplate request;
  request.name = directive.arg(0);
  for (const Directive& child : directive.children) readTemplatePart(child, request);
  if (request.methods.empty()) request.methods.push_back("GET");
  if (request.hosts.empty()) directive.fail("a request needs a 'host'");
  if (request.paths.empty()) directive.fail("a request needs a 'path'");
  return request;
}

}  // namespace

Mix readMix(const Directive& root) {
  Mix mix;
  for (const Directive& child : root.children) {
    if (child.name == "seed") {
      mix.seed = child.numberArg(0, 0, UINT64_MAX);
    } else if (child.name == "distinct") {
      mix.distinct = child.numberArg(0, 1, 1'000'000);
    } else if (child.name == "clients") {
      mix.clients = child.numberArg(0, 1, 65'536);
    } else if (child.name == "step_us") {
      mix.stepUs = child.numberArg(0, 0, 1'000'000);
    } else if (child.name == "read_bytes") {
      mix.readBytes = child.numberArg(0, 1, 1 << 20);
    } else if (child.name == "split_per_mille") {
      mix.splitPerMille = child.numberArg(0, 0, 1000);
    } else if (child.name == "issuer") {
      mix.issuer = child.arg(0);
    } else if (child.name == "token_key") {
      child.expectArgs(2, 2);
      mix.tokenKey = {child.arg(0), SipKey::fromSecret(child.arg(1))};
    } else if (child.name == "list") {
      std::vector<std::string>& list = mix.lists[child.arg(0)];
      list.insert(list.end(), child.args.begin() + 1, child.args.end());
      for (const Directive& item : child.children) list.push_back(item.name);
    } else if (child.name == "request") {
      mix.templates.push_back(readTemplate(child));
    } else {
      child.failUnknown("the mix");
    }
  }
  if (mix.templates.empty()) root.fail("there is no 'request'");
  return mix;
}

}  // namespace mesh
