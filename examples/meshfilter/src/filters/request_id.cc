// Gives every request an id and a trace context, or keeps those that it brought if they are sound.

#include <utility>

#include "core/hash.h"
#include "core/text.h"
#include "filters/builtin.h"

namespace mesh {

namespace {

struct RequestIdConfig {
  bool keepForeign = false;
  uint64_t seed = 0;
};

bool isHex(std::string_view text) {
  for (const char c : text) {
    if (hexDigit(c) < 0) return false;
  }
  return true;
}

/// 00-<32 digits>-<16 digits>-<2 digits>
bool isTraceParent(std::string_view text) {
  return text.size() == 55 && text.starts_with("00-") && text[35] == '-' && text[52] == '-' &&
         isHex(text.substr(3, 32)) && isHex(text.substr(36, 16)) && isHex(text.substr(53, 2));
}

bool isRequestId(std::string_view text) {
  if (text.size() < 8 || text.size() > 64) return false;
  for (const char c : text) {
    if (hexDigit(c) < 0 && c != '-') return false;
  }
  return true;
}

class RequestIdFilter : public PassThroughFilter {
 public:
  RequestIdFilter(const RequestIdConfig& config, StreamCallbacks& callbacks)
      : config_(config), callbacks_(callbacks) {}

  FilterStatus onRequestHeaders(HeaderMap& headers, bool) override {
    const auto id = headers.get(HeaderId::kRequestId);
    if (!config_.keepForeign || !id || !isRequestId(*id)) {
      headers.set(HeaderId::kRequestId, makeId());
    }
    id_.assign(headers.get(HeaderId::kRequestId).value_or(""));
    continueTrace(headers);
    return FilterStatus::kContinue;
  }

  void onResponseHeaders(HeaderMap& headers) override { headers.set(HeaderId::kRequestId, id_); }

 private:
  uint64_t random(uint64_t salt) const {
    const uint64_t words[2] = {callbacks_.info().streamId, salt};
    return sipHash({config_.seed, salt}, {reinterpret_cast<const char*>(words), sizeof(words)});
  }

  std::string makeId() const {
    const uint64_t high = random(1);
    const uint64_t low = random(2);
    std::string id;
    id.reserve(36);
    appendHex(id, high >> 32, 8);
    id.push_back('-');
    appendHex(id, high >> 16 & 0xffff, 4);
    id.append("-4");
    appendHex(id, high & 0xfff, 3);
    id.push_back('-');
    appendHex(id, (low >> 48 & 0x3fff) | 0x8000, 4);
    id.push_back('-');
    appendHex(id, low & 0xffffffffffff, 12);
    return id;
  }

  /// Keeps the trace and takes the caller's place as the parent span.
  void continueTrace(HeaderMap& headers) const {
    const auto parent = headers.get(HeaderId::kTraceParent);
    std::string next;
    next.reserve(55);
    if (parent && isTraceParent(*parent)) {
      next.append(parent->substr(0, 36));
      appendHex(next, random(3), 16);
      next.append(parent->substr(52));
    } else {
      next.append("00-");
      appendHex(next, random(4), 16);
      appendHex(next, random(5), 16);
      next.push_back('-');
      appendHex(next, random(3), 16);
      next.append("-00");
    }
    headers.set(HeaderId::kTraceParent, next);
  }

  const RequestIdConfig& config_;
  StreamCallbacks& callbacks_;
  std::string id_;
};

class RequestIdFactory : public FilterFactory {
 public:
  explicit RequestIdFactory(RequestIdConfig config) : config_(config) {}
  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<RequestIdFilter>(config_, callbacks);
  }

 private:
  const RequestIdConfig config_;
};

}  // namespace

std::unique_ptr<FilterFactory> makeRequestId(const Directive& directive, FilterContext&) {
  RequestIdConfig config;
  for (const Directive& child : directive.children) {
    if (child.name == "keep_foreign") {
      config.keepForeign = child.wordArg(0, {"no", "yes"}) == 1;
    } else if (child.name == "seed") {
      config.seed = child.numberArg(0, 0, UINT64_MAX);
    } else {
      child.failUnknown("filter request_id");
    }
  }
  return std::make_unique<RequestIdFactory>(config);
}

}  // namespace mesh
