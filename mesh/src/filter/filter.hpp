// What stands between the choice of a route and what the route does: filters look at a request and its response, change
// them, or answer themselves.
//
//     route found -> on_request of each, in order -> forward, redirect or reply -> on_response of each, the last first
//     the end: on_done of each
//
// A filter is made once, by the configuration, and shared by all workers: it is immutable but for atomics. What it
// needs to know of one request stands in the request's Passage. A filter that has to wait, for a timer or for what
// another server says, keeps what it waits for in the passage, returns kWait, and goes on later; streams know nothing
// of it.
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

// Verdict is what a filter says is to become of a request.
enum class Verdict : std::uint8_t {
  // It goes to the next filter, or does what its route says.
  kNext,
  // It is answered by Passage::answer.
  kAnswer,
  // It stays where it is until Passage::go_on is called.
  kWait,
};

// Passage is one request on its way through the filters of its route: what they may see of it, and change.
struct Passage {
  Head& request;
  // Memory for texts and fields that are added to the request or to its response.
  Arena& arena;
  // Who has made the connection; nothing over a Unix socket.
  const std::optional<Ip>& client;
  // Who that is by its certificate; empty where it showed none.
  std::string_view identity;
  const Parts& parts;
  ListenerMetrics& metrics;
  // What the access log says of the request. The word outlives the connection.
  Flags& flags;
  std::string_view& detail;
  // Where spans are written; nullptr where nobody takes them.
  SpanWriter* spans;
  // Goes on where a filter waits, by kNext or kAnswer: once for each kWait, and never before on_request has returned.
  Delegate<void(Verdict)> go_on;
  // What kAnswer answers. Its fields lie in the arena.
  Reply answer = {};
  // The origin that may read the response, as the request has it; empty where none may.
  std::string_view allowed_origin = {};
  // What the request is in its trace, if a filter has made it a part of one.
  Span span = {};
  // What filters wait for. It is destroyed with the stream, behind the turn in which the request is done, and must then
  // give up what it has begun: the passage is not to be touched any more.
  std::vector<std::shared_ptr<void>> waits = {};
};

// Events are what a filter has something to do at. It is left out of all others when chains are made.
struct Events {
  bool request = false;
  bool response = false;
  bool done = false;
};

// Filter is implemented by what stands in this folder, and by a mock in tests.
class Filter {
 public:
  virtual ~Filter() = default;

  virtual Events events() const = 0;
  virtual Verdict on_request(Passage&) const { return Verdict::kNext; }
  // Takes the head of the response, which may be one that the proxy has made. Heads below 200 do not come here.
  virtual void on_response(Passage&, Head&) const {}
  // Takes what is known of a request that is over, however it ended.
  virtual void on_done(const Passage&, const LogRecord&) const {}
};

}  // namespace hone::mesh
