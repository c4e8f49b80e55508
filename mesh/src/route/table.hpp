// Routes of a listener: the choice of a route for a request, and the actions of routes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/random.hpp"
#include "base/time.hpp"
#include "http/grpc.hpp"
#include "overload/pressure.hpp"
#include "route/match.hpp"

namespace hone::mesh {

class Chain;

// Share is a cluster that gets a part of a route's requests.
struct Share {
  // Number of the cluster.
  std::uint32_t cluster = 0;
  std::uint32_t weight = 1;
};

// RetryRule holds the conditions for another try of a request.
struct RetryRule {
  // The number of tries after the first one.
  std::uint32_t attempts = 1;
  // True to try again where no connection came about: the request has certainly not been seen.
  bool on_connect_failure = true;
  // True to try again where the connection ended before its response began.
  bool on_reset = false;
  // True to try again where the try took longer than it may.
  bool on_timeout = false;
  std::vector<int> on_statuses;
  // Codes of gRPC calls that end with them at once, before their first message.
  GrpcCodes on_codes;
  // The time of one try; the whole time of the request where it is zero.
  Duration per_try_timeout{};
  // The first wait is up to twice this, and each further one up to twice as long as the one before.
  Duration backoff = std::chrono::milliseconds(25);
};

// HashRule names a value that requests which belong together have in common.
struct HashRule {
  enum class Kind : std::uint8_t { kHeader, kCookie, kQuery, kClient };

  Kind kind = Kind::kClient;
  // The name of the field, in lower case, of the cookie or of the parameter.
  std::string name;
  // Cookies: the lifetime of a cookie made for clients without it; none is made where there is no time.
  std::optional<Duration> made_for;
};

// Forward sends a request on.
struct Forward {
  // Shares whose weights add up to less than 2^32.
  std::vector<Share> shares;
  std::uint32_t total_weight = 1;
  // The text that replaces the prefix that matched; nothing to leave the path as it is.
  std::optional<std::string> prefix_rewrite;
  // The value of Host; empty to leave it as it is.
  std::string host_rewrite;
  // The time from the request's head to the end of the response; no limit where it is zero.
  Duration timeout = std::chrono::seconds(15);
  RetryRule retry;
  // The first of these rules that has a value in a request gives its hash key.
  std::vector<HashRule> hash;

  std::uint32_t pick(Random& random) const;
};

// Redirect sends the client elsewhere. Parts that it does not set stay as the request has them.
struct Redirect {
  int status = 301;
  std::string scheme;
  std::string host;
  // The whole path, or only the text that replaces the prefix that matched.
  std::optional<std::string> path;
  std::optional<std::string> prefix;
};

// DirectReply is an answer of the proxy itself.
struct DirectReply {
  int status = 200;
  std::string body;
  std::string content_type = "text/plain";
};

// Route is a condition, and the action for requests that meet it.
struct Route {
  RequestMatch match;
  std::variant<Forward, Redirect, DirectReply> action;
  // The filters that requests pass before the action, with those of the listener; nullptr where there are none.
  std::shared_ptr<const Chain> filters;
  // The priority of its requests while resources are short.
  Priority priority = Priority::kNormal;
  // The place of the route's name in the operator's list of routes, from 1 on.
  std::uint32_t number = 0;
};

// RouteList holds the routes of a virtual host, and finds the first that matches without a look at all of them.
class RouteList {
 public:
  RouteList() = default;
  explicit RouteList(std::vector<Route> routes);

  // Returns nullptr where no route matches.
  const Route* find(const Head& head) const;

 private:
  std::vector<Route> routes_;
  // Indices of routes by their exact path, and of all others, each in order.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, std::vector<std::uint32_t>, Hash, std::equal_to<>> exact_;
  std::vector<std::uint32_t> others_;
};

// HostTable finds the routes of a host: by its whole name, then by the longest "*.suffix", then those of "*".
class HostTable {
 public:
  // Adds routes for names, which are in lower case. Returns the first name that another host has already.
  std::optional<std::string> add(const std::vector<std::string>& names, RouteList routes);

  // Returns the route of a request, nullptr where there is none.
  const Route* find(const Head& head) const;

 private:
  const RouteList* list_for(std::string_view authority) const;

  std::vector<std::unique_ptr<const RouteList>> lists_;
  std::unordered_map<std::string, const RouteList*> exact_;
  std::unordered_map<std::string, const RouteList*> suffixes_;
  const RouteList* any_ = nullptr;
};

}  // namespace hone::mesh
