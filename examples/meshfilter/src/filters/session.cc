// Sticky sessions: a cookie carries the affinity; who comes without one is given it.

#include <utility>

#include "core/hash.h"
#include "core/text.h"
#include "filters/builtin.h"

namespace mesh {

namespace {

struct SessionConfig {
  std::string cookie = "session";
  std::string attributes = "; Path=/; HttpOnly";
  bool issue = true;
  StatsHub* stats = nullptr;
  MetricId issued;
};

/// The value of one cookie in a Cookie header.
std::string_view findCookie(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    std::string_view pair = trimBlanks(cutToken(header, ';'));
    if (cutToken(pair, '=') == name) return pair;
  }
  return {};
}

class SessionFilter : public PassThroughFilter {
 public:
  SessionFilter(const SessionConfig& config, StreamCallbacks& callbacks)
      : config_(config), callbacks_(callbacks) {}

  FilterStatus onRequestHeaders(HeaderMap& headers, bool) override {
    const std::string_view value =
        findCookie(headers.get(HeaderId::kCookie).value_or(""), config_.cookie);
    StreamInfo& info = callbacks_.info();
    if (!value.empty()) {
      info.affinity.assign(value);
    } else if (config_.issue) {
      fresh_ = true;
      appendHex(info.affinity, fnv1a(headers.get(HeaderId::kRequestId).value_or("")), 16);
      config_.stats->add(config_.issued);
    }
    return FilterStatus::kContinue;
  }

  void onResponseHeaders(HeaderMap& headers) override {
    if (!fresh_) return;
    std::string cookie = config_.cookie;
    cookie.append("=").append(callbacks_.info().affinity).append(config_.attributes);
    headers.add("set-cookie", cookie);
  }

 private:
  const SessionConfig& config_;
  StreamCallbacks& callbacks_;
  bool fresh_ = false;
};

class SessionFactory : public FilterFactory {
 public:
  explicit SessionFactory(SessionConfig config) : config_(std::move(config)) {}
  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<SessionFilter>(config_, callbacks);
  }

 private:
  const SessionConfig config_;
};

}  // namespace

std::unique_ptr<FilterFactory> makeSession(const Directive& directive, FilterContext& context) {
  SessionConfig config;
  config.stats = &context.stats;
  config.issued = context.stats.counter("session.issued");
  for (const Directive& child : directive.children) {
    if (child.name == "cookie") {
      child.expectArgs(1, 1);
      config.cookie = child.arg(0);
    } else if (child.name == "attributes") {
      child.expectArgs(1, 1);
      config.attributes = child.arg(0);
    } else if (child.name == "issue") {
      config.issue = child.wordArg(0, {"no", "yes"}) == 1;
    } else {
      child.failUnknown("filter session");
    }
  }
  return std::make_unique<SessionFactory>(std::move(config));
}

}  // namespace mesh
