#include "cluster/http2_pool.hpp"

#include "wire/http1/client.hpp"

namespace hone::mesh {
namespace {

// How many waiters one connection that is not there yet is trusted to take: what servers usually allow.
constexpr std::size_t kStreamsExpected = 100;

}  // namespace

Http2Pool::Http2Pool(Parts parts, const ClusterSpec& cluster, const EndpointSpec& endpoint)
    : parts_(parts),
      limits_{.fields = http1::kMostResponseFields, .streams = 0, .idle = cluster.idle_timeout},
      dialler_(parts, cluster, endpoint, Alpn::kHttp2,
               {.connected = Delegate<void(std::unique_ptr<Transport>, Alpn)>::of<&Http2Pool::on_connected>(*this),
                .failed = Delegate<void(PoolFailure, std::string_view)>::of<&Http2Pool::on_failed>(*this)}),
      graveyard_(parts.loop) {}

Http2Pool::~Http2Pool() {
  for (std::size_t count = connections_.size(); count > 0; --count) dialler_.give_back();
}

bool Http2Pool::give(Waiter& waiter, Connection& connection) {
  Exchange* const exchange = connection.open(waiter.sink);
  if (exchange == nullptr) return false;
  waiter.take_back();
  waiter.ready(*exchange);
  return true;
}

void Http2Pool::acquire(Waiter& waiter) {
  for (const auto& connection : connections_) {
    if (give(waiter, *connection)) return;
  }
  waiters_.push(waiter);
  dial_as_needed();
}

void Http2Pool::dial_as_needed() {
  while (waiters_.has_more_than(dialler_.count() * kStreamsExpected)) {
    const PoolFailure failure = dialler_.dial_one();
    if (failure == PoolFailure::kNone) continue;
    // One of those that are there will have room.
    if (failure == PoolFailure::kOverflow && connections() > 0) return;
    waiters_.pop()->failed(failure);
  }
}

void Http2Pool::adopt(std::unique_ptr<Transport> transport) {
  const http2::Events events{.open = {},
                             .room = Delegate<void(Connection&)>::of<&Http2Pool::on_room>(*this),
                             .ended = Delegate<void(Connection&)>::of<&Http2Pool::on_ended>(*this)};
  Connection& connection = *connections_.emplace_back(std::make_unique<Connection>(
      Connection::Side::kClient, parts_.loop, parts_.buffers, parts_.blocks, std::move(transport), limits_, events));
  connection.start();
  on_room(connection);
}

// A connection that does not come about fails all that wait, since they would have shared it.
void Http2Pool::on_failed(PoolFailure failure, std::string_view detail) {
  for (std::size_t count = kStreamsExpected; count > 0; --count) {
    Waiter* const first = waiters_.pop();
    if (first == nullptr) return;
    first->fail(failure, detail);
  }
  dial_as_needed();
}

void Http2Pool::on_room(Connection& connection) {
  while (connection.has_room()) {
    Waiter* const first = waiters_.pop();
    if (first == nullptr) return;
    give(*first, connection);
  }
}

void Http2Pool::on_ended(Connection& connection) {
  graveyard_.take_from(connections_, connection);
  dialler_.give_back();
  dial_as_needed();
}

void Http2Pool::drain() {
  for (std::size_t at = connections_.size(); at > 0; --at) connections_[at - 1]->drain();
}

}  // namespace hone::mesh
