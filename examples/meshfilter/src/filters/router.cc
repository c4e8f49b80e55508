// Finds the virtual host by authority, the first route whose conditions all hold, and does what the
// route says: choose a cluster (perhaps by weight), redirect, or reply at once.

#include <utility>
#include <vector>

#include "core/hash.h"
#include "core/string_matcher.h"
#include "filters/builtin.h"
#include "filters/route_matcher.h"
#include "http/uri.h"

namespace mesh {

namespace {

/// What a route does with a request that it matched.
class RouteAction {
 public:
  virtual ~RouteAction() = default;
  virtual FilterStatus run(const RouteInput& input, HeaderMap& headers,
                           StreamCallbacks& callbacks) const = 0;
  /// Adds what the action has to say in the response, if it gave the response itself.
  virtual void decorate(const StreamInfo&, HeaderMap&) const {}
};

FilterStatus sendTo(const Cluster& cluster, StreamCallbacks& callbacks) {
  StreamInfo& info = callbacks.info();
  info.cluster = cluster.name;
  const std::string_view affinity = info.affinity.empty() ? info.remoteAddress : info.affinity;
  info.endpoint = cluster.pickEndpoint(affinity);
  return FilterStatus::kContinue;
}

class ClusterAction : public RouteAction {
 public:
  explicit ClusterAction(const Cluster& cluster) : cluster_(cluster) {}
  FilterStatus run(const RouteInput&, HeaderMap&, StreamCallbacks& callbacks) const override {
    return sendTo(cluster_, callbacks);
  }

 private:
  const Cluster& cluster_;
};

struct WeightedCluster {
  const Cluster* cluster;
  uint64_t weight;
};

class WeightedAction : public RouteAction {
 public:
  explicit WeightedAction(std::vector<WeightedCluster> choices) : choices_(std::move(choices)) {
    for (const WeightedCluster& choice : choices_) total_ += choice.weight;
  }

  FilterStatus run(const RouteInput& input, HeaderMap&, StreamCallbacks& callbacks) const override {
    uint64_t left = (input.dice >> 16) % total_;
    for (const WeightedCluster& choice : choices_) {
      if (left < choice.weight) return sendTo(*choice.cluster, callbacks);
      left -= choice.weight;
    }
    return sendTo(*choices_.back().cluster, callbacks);
  }

 private:
  const std::vector<WeightedCluster> choices_;
  uint64_t total_ = 0;
};

class RedirectAction : public RouteAction {
 public:
  RedirectAction(unsigned status, std::string prefix)
      : status_(status), prefix_(std::move(prefix)) {}

  FilterStatus run(const RouteInput&, HeaderMap&, StreamCallbacks& callbacks) const override {
    callbacks.sendLocalReply(status_, "", "redirect");
    return FilterStatus::kStop;
  }

  void decorate(const StreamInfo& info, HeaderMap& headers) const override {
    headers.set(HeaderId::kLocation, prefix_ + info.originalPath);
  }

 private:
  const unsigned status_;
  const std::string prefix_;
};

class ReplyAction : public RouteAction {
 public:
  ReplyAction(unsigned status, std::string body) : status_(status), body_(std::move(body)) {}
  FilterStatus run(const RouteInput&, HeaderMap&, StreamCallbacks& callbacks) const override {
    callbacks.sendLocalReply(status_, body_, "direct_reply");
    return FilterStatus::kStop;
  }

 private:
  const unsigned status_;
  const std::string body_;
};

struct Route {
  std::string name;
  std::vector<std::unique_ptr<RouteMatcher>> conditions;
  std::unique_ptr<RouteAction> action;
  std::string rewriteFrom;
  std::string rewriteTo;

  bool matches(const RouteInput& input) const {
    for (const auto& condition : conditions) {
      if (!condition->matches(input)) return false;
    }
    return true;
  }
};

struct VirtualHost {
  std::string name;
  std::vector<StringMatcherPtr> domains;
  std::vector<Route> routes;
};

struct RouterConfig {
  std::vector<VirtualHost> hosts;
  StatsHub* stats = nullptr;
  MetricId noHost;
  MetricId noRoute;
};

std::string_view withoutPort(std::string_view authority) {
  const size_t colon = authority.rfind(':');
  return colon == std::string_view::npos ? authority : authority.substr(0, colon);
}

class RouterFilter : public PassThroughFilter {
 public:
  RouterFilter(const RouterConfig& config, StreamCallbacks& callbacks)
      : config_(config), callbacks_(callbacks) {}

  FilterStatus onRequestHeaders(HeaderMap& headers, bool) override {
    const VirtualHost* host = findHost(headers.get(HeaderId::kAuthority).value_or(""));
    if (host == nullptr) {
      config_.stats->add(config_.noHost);
      return notFound("no_virtual_host");
    }
    const SplitTarget target = splitTarget(headers.get(HeaderId::kPath).value_or(""));
    const std::string_view id = headers.get(HeaderId::kRequestId).value_or("");
    const RouteInput input{headers, headers.get(HeaderId::kMethod).value_or(""), target.path,
                           target.query, fnv1a(id)};
    for (const Route& route : host->routes) {
      if (!route.matches(input)) continue;
      route_ = &route;
      callbacks_.info().route = route.name;
      const FilterStatus status = route.action->run(input, headers, callbacks_);
      if (status == FilterStatus::kContinue && !route.rewriteTo.empty()) rewrite(headers);
      return status;
    }
    config_.stats->add(config_.noRoute);
    return notFound("no_route");
  }

  void onResponseHeaders(HeaderMap& headers) override {
    if (route_ != nullptr) route_->action->decorate(callbacks_.info(), headers);
  }

 private:
  const VirtualHost* findHost(std::string_view authority) const {
    const std::string_view name = withoutPort(authority);
    for (const VirtualHost& host : config_.hosts) {
      for (const StringMatcherPtr& domain : host.domains) {
        if (domain->matches(name)) return &host;
      }
    }
    return nullptr;
  }

  void rewrite(HeaderMap& headers) const {
    const std::string_view path = headers.get(HeaderId::kPath).value_or("");
    if (!path.starts_with(route_->rewriteFrom)) return;
    std::string changed = route_->rewriteTo;
    changed.append(path.substr(route_->rewriteFrom.size()));
    headers.set(HeaderId::kPath, changed);
  }

  FilterStatus notFound(std::string_view detail) {
    callbacks_.sendLocalReply(404, "no such route\n", detail);
    return FilterStatus::kStop;
  }

  const RouterConfig& config_;
  StreamCallbacks& callbacks_;
  const Route* route_ = nullptr;
};

class RouterFactory : public FilterFactory {
 public:
  explicit RouterFactory(RouterConfig config) : config_(std::move(config)) {}
  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<RouterFilter>(config_, callbacks);
  }

 private:
  const RouterConfig config_;
};

std::unique_ptr<RouteAction> readWeighted(const Directive& directive, const ClusterTable& table) {
  directive.expectBlock();
  std::vector<WeightedCluster> choices;
  for (const Directive& child : directive.children) {
    if (child.name != "cluster") child.failUnknown("weighted");
    child.expectArgs(2, 2);
    choices.push_back({&table.named(child, 0), child.numberArg(1, 1, 1'000'000)});
  }
  if (choices.empty()) directive.fail("'weighted' needs at least one cluster");
  return std::make_unique<WeightedAction>(std::move(choices));
}

/// The action of a directive, or nothing if it is none.
std::unique_ptr<RouteAction> readAction(const Directive& directive, const ClusterTable& table) {
  if (directive.name == "cluster") {
    directive.expectArgs(1, 1);
    return std::make_unique<ClusterAction>(table.named(directive, 0));
  }
  if (directive.name == "weighted") return readWeighted(directive, table);
  if (directive.name == "redirect") {
    directive.expectArgs(2, 2);
    return std::make_unique<RedirectAction>(static_cast<unsigned>(directive.numberArg(0, 301, 308)),
                                            directive.arg(1));
  }
  if (directive.name == "reply") {
    directive.expectArgs(2, 2);
    return std::make_unique<ReplyAction>(static_cast<unsigned>(directive.numberArg(0, 200, 599)),
                                         directive.arg(1));
  }
  return nullptr;
}

Route readRoute(const Directive& directive, const ClusterTable& table) {
  directive.expectArgs(1, 1);
  directive.expectBlock();
  Route route;
  route.name = directive.arg(0);
  for (const Directive& child : directive.children) {
    if (child.name == "match" || child.name == "unless") {
      route.conditions.push_back(makeRouteMatcher(child));
    } else if (child.name == "rewrite_prefix") {
      child.expectArgs(2, 2);
      route.rewriteFrom = child.arg(0);
      route.rewriteTo = child.arg(1);
    } else {
      std::unique_ptr<RouteAction> action = readAction(child, table);
      if (!action) child.failUnknown("route");
      if (route.action) child.fail("a second action for route '" + route.name + "'");
      route.action = std::move(action);
    }
  }
  if (!route.action) directive.fail("route '" + route.name + "' does nothing");
  return route;
}

}  // namespace

std::unique_ptr<FilterFactory> makeRouter(const Directive& directive, FilterContext& context) {
  RouterConfig config;
  config.stats = &context.stats;
  config.noHost = context.stats.counter("router.no_virtual_host");
  config.noRoute = context.stats.counter("router.no_route");
  for (const Directive& child : directive.children) {
    if (child.name != "virtual_host") child.failUnknown("filter router");
    child.expectArgs(1, 1);
    child.expectBlock();
    VirtualHost host;
    host.name = child.arg(0);
    for (const Directive& part : child.children) {
      if (part.name == "domain") {
        host.domains.push_back(makeStringMatcher(part, 0));
      } else if (part.name == "route") {
        host.routes.push_back(readRoute(part, context.clusters));
      } else {
        part.failUnknown("virtual_host");
      }
    }
    if (host.domains.empty()) child.fail("virtual host '" + host.name + "' has no 'domain'");
    config.hosts.push_back(std::move(host));
  }
  if (config.hosts.empty()) directive.fail("router needs a 'virtual_host'");
  return std::make_unique<RouterFactory>(std::move(config));
}

}  // namespace mesh
