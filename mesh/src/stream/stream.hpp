// One request's life, from its head to the last byte of its response: the only state machine above the wires.
//
//              +-------------------- again, while the rule allows it -------------------+
//              v                                                                        |
//     route -> pick -> wait for a connection -> send -> wait for the response -> failed-+-> reply 502, 503, 504
//       |                                                        |
//       +-> redirect, reply                                      +-> response -> done
//
// The request's body is passed on as it comes, and kept for another try while it is short. Once the response has begun
// nothing is tried again: a failure then ends the client's response without its end, so that the client knows.
#pragma once

#include <string>
#include <vector>

#include "base/recycled.hpp"
#include "cluster/cluster.hpp"
#include "filter/chain.hpp"
#include "http/exchange.hpp"
#include "http/reply.hpp"
#include "net/parts.hpp"
#include "observe/access_log.hpp"
#include "route/hash_key.hpp"
#include "stream/listener.hpp"

namespace hone::mesh {

// Surroundings holds the objects that the streams of one worker use.
struct Surroundings {
  Parts parts;
  // Clusters by their numbers. Clusters that are gone leave their places empty.
  std::vector<Held<Cluster>> clusters = {};
  // Nullptr where there is no log.
  LogWriter* log = nullptr;
  // Nullptr where no spans are written.
  SpanWriter* spans = nullptr;
  // Nullptr where requests are never turned away.
  const Pressure* pressure = nullptr;

  // Returns the cluster of a number; nothing where there is none.
  Held<Cluster> cluster(std::uint32_t number) const {
    return number < clusters.size() ? clusters[number] : Held<Cluster>();
  }
};

// Client is the origin of a request. It outlives the client's streams.
struct Client {
  const Listener& listener;
  std::string_view address;
  // The protocol of the client, such as "HTTP/1.1", and the scheme of its URLs.
  std::string_view protocol;
  std::string_view scheme = "http";
  // The address of the client; nothing over a Unix socket.
  std::optional<Ip> ip = std::nullopt;
  // The identity of the client by its certificate; empty where it showed none.
  std::string_view identity = {};
};

// Stream passes one request on. It destroys itself after the turn in which the request is done.
class Stream final : public MessageSink, public Recycled<Stream> {
 public:
  // Begins a stream for an exchange of a client's connection.
  static MessageSink* open(Surroundings& around, const Client& client, Exchange& exchange) {
    return new Stream(around, client, exchange);
  }

  // The client's side.
  void on_head(Head head) override;
  void on_body(Slice slice) override;
  void on_end(Headers trailers) override;
  void on_reset(Reset reason) override;
  void on_room() override;

 private:
  // Response takes the answer of an endpoint.
  struct Response final : MessageSink {
    explicit Response(Stream& owner) : stream(owner) {}
    void on_head(Head head) override { stream.on_response_head(std::move(head)); }
    void on_body(Slice slice) override { stream.on_response_body(std::move(slice)); }
    void on_end(Headers trailers) override { stream.on_response_end(trailers); }
    void on_reset(Reset reason) override { stream.on_response_reset(reason); }
    void on_room() override { stream.on_response_room(); }
    Stream& stream;
  };
  // Failure is the reason why a try did not lead to a response.
  enum class Failure : std::uint8_t {
    kConnect,
    kStale,
    kUnseen,
    kReset,
    kProtocol,
    kTimeout,
    kStatus,
    kNoEndpoint,
    kOverflow
  };

  Stream(Surroundings& around, const Client& client, Exchange& exchange);
  ~Stream() override = default;

  // Filters.
  void begin_filters(const Chain& chain);
  void go_on(Verdict verdict);
  void filter_response(Head& head);

  // The action of the route.
  void turn_away();
  void act();
  void forward(const Route& route, const Forward& rule);
  Duration time_of(const Forward& rule) const;
  void prepare(const Route& route, const Forward& rule);
  void add_forwarded();
  void tell_identity();
  void begin_try();
  void end_try();
  void abandon_try();
  void on_connection(Exchange& exchange);
  void on_no_connection(PoolFailure failure);
  void on_try_timeout();
  void on_timeout();

  // The endpoint's side.
  int status_for_health(const Head& head) const;
  bool is_to_be_tried_again(const Head& head) const;
  void on_response_head(Head head);
  void on_response_body(Slice slice);
  void on_response_end(const Headers& trailers);
  void on_response_reset(Reset reason);
  void on_response_room();

  // Failures.
  void failed(Failure failure);
  bool may_try_again(Failure failure);
  void try_again(Failure failure);
  Flag flag_of(Failure failure) const;
  static int status_of(Failure failure);

  void redirect(const Route& route, const Redirect& rule);
  void reply(const Reply& reply);
  void done();
  void tell();
  void destroy();
  // Counts CPU time for the request's route as long as the result lives.
  Paying pay() const { return Paying(around_.parts.loop.meter(), payer()); }
  Payer payer() const { return route_ == nullptr ? kNobody : route_->number; }

  Surroundings& around_;
  const Client& client_;
  Exchange& downstream_;
  Response response_;
  Waiter waiter_;
  Task destroy_;
  Timer timeout_;
  Timer try_timeout_;
  Timer backoff_;
  const Moment began_;

  Head request_;
  Headers trailers_;
  // Parts of the request's body that wait for a connection, or are kept for another try.
  Slices kept_;
  std::size_t kept_bytes_ = 0;

  // The specification that the request is served by, whatever the listener has meanwhile.
  Listener::Spec listener_;
  // Nullptr where no route matches the request.
  const Route* route_ = nullptr;
  const Chain* chain_ = nullptr;
  std::size_t filters_passed_ = 0;
  // Set where the request passes filters.
  std::optional<Passage> passage_;

  const Forward* rule_ = nullptr;
  Held<Cluster> cluster_;
  // Not nullptr while a try has a connection.
  Exchange* upstream_ = nullptr;
  std::size_t endpoint_ = 0;
  Moment try_began_;
  std::vector<std::size_t> tried_;
  HashKey key_;

  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
  std::uint32_t tries_ = 0;
  int status_ = 0;
  Flags flags_;
  std::string_view detail_;
  // True while the cluster counts the request as under way.
  bool counts_in_cluster_ = false;
  bool is_trying_ = false;
  bool is_retrying_ = false;
  bool was_stale_ = false;
  bool has_request_end_ = false;
  bool can_replay_ = true;
  bool is_grpc_ = false;
  bool is_done_ = false;
};

}  // namespace hone::mesh
