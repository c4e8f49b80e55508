// Filters stand between the choice of a route and the route's action: they look at a request and its response, change
// them, or answer themselves.
//
//     route found -> on_request of each, in order -> forward, redirect or reply -> on_response of each, the last first
//     the end: on_done of each
//
// A filter is made once, by the configuration, and shared by all workers: it is immutable but for atomics. Its state
// for one request lies in the request's Passage. A filter that has to wait, for a timer or for another server, keeps
// the object that it waits for in the passage, returns kWait, and goes on later; streams know nothing of this.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "event/loop.hpp"
#include "http/reply.hpp"
#include "net/network.hpp"
#include "net/parts.hpp"
#include "observe/access_log.hpp"
#include "observe/metrics.hpp"
#include "observe/trace.hpp"

namespace hone::mesh {

// Verdict is a filter's decision about a request.
enum class Verdict : std::uint8_t {
  // The request goes to the next filter, or on to the action of its route.
  kNext,
  // The request is answered with Passage::answer.
  kAnswer,
  // The request stays where it is until Passage::go_on is called.
  kWait,
};

// Passage is one request on its way through the filters of its route, with the parts that they may see and change.
struct Passage {
  Head& request;
  // Memory for texts and fields that are added to the request or to its response.
  Arena& arena;
  // The address of the client; nothing over a Unix socket.
  const std::optional<Ip>& client;
  // The identity of the client by its certificate; empty where it showed none.
  std::string_view identity;
  const Parts& parts;
  ListenerMetrics& metrics;
  // The flags and the detail of the request for the access log. The text of the detail outlives the connection.
  Flags& flags;
  std::string_view& detail;
  // The writer of spans; nullptr where none are written.
  SpanWriter* spans;
  // Goes on after a filter has waited, with kNext or kAnswer: once for each kWait, and never before on_request has
  // returned.
  Delegate<void(Verdict)> go_on;
  // The answer for kAnswer. Its fields lie in the arena.
  Reply answer = {};
  // The origin that may read the response, as in the request; empty where none may.
  std::string_view allowed_origin = {};
  // The span of the request, if a filter has made the request a part of a trace.
  Span span = {};
  // The objects that filters wait for. They are destroyed with the stream, after the turn in which the request is done,
  // and must then give up the work that they began: the passage must not be touched any more.
  std::vector<std::shared_ptr<void>> waits = {};
};

// Events are the events that a filter handles. Chains leave the filter out at all others.
struct Events {
  bool request = false;
  bool response = false;
  bool done = false;
};

// Filter is implemented by the classes of this folder, and by a mock in tests.
class Filter {
 public:
  virtual ~Filter() = default;

  virtual Events events() const = 0;
  virtual Verdict on_request(Passage&) const { return Verdict::kNext; }
  // Takes the head of the response, which the proxy itself may have made. Heads with a status below 200 do not come
  // here.
  virtual void on_response(Passage&, Head&) const {}
  // Takes the record of a request that is over, however it ended.
  virtual void on_done(const Passage&, const LogRecord&) const {}
};

}  // namespace hone::mesh
