#include "cluster/http1_pool.hpp"

namespace hone::mesh {

Http1Pool::Http1Pool(Parts parts, const ConnectionSpec& spec, const Address& address)
    : parts_(parts),
      idle_timeout_(spec.idle_timeout),
      dialler_(parts, spec, address, Alpn::kHttp1,
               {.connected = Delegate<void(std::unique_ptr<Transport>, Alpn)>::of<&Http1Pool::on_connected>(*this),
                .failed = Delegate<void(PoolFailure, std::string_view)>::of<&Http1Pool::on_failed>(*this)}),
      old_(Delegate<void()>::of<&Http1Pool::close_old>(*this)),
      graveyard_(parts.loop) {}

Http1Pool::~Http1Pool() {
  for (std::size_t count = connections_.size(); count > 0; --count) dialler_.give_back();
}

void Http1Pool::acquire(Waiter& waiter) {
  if (!idle_.empty() && !waiter.needs_fresh) {
    Connection& connection = *idle_.back();
    idle_.pop_back();
    connection.open(waiter.sink);
    return waiter.ready(connection);
  }
  waiters_.push(waiter);
  dial_as_needed();
}

void Http1Pool::dial_as_needed() {
  // Each connection that comes about or fails serves or fails one waiter.
  while (waiters_.has_more_than(dialler_.count())) {
    const PoolFailure failure = dialler_.dial_one();
    if (failure == PoolFailure::kNone) continue;
    // One of the connections that are there will be free.
    if (failure == PoolFailure::kOverflow && connections() > 0) return;
    waiters_.pop()->failed(failure);
  }
}

void Http1Pool::adopt(std::unique_ptr<Transport> transport) {
  const http1::ClientEvents events{.idle = Delegate<void(Connection&)>::of<&Http1Pool::serve>(*this),
                                   .ended = Delegate<void(Connection&)>::of<&Http1Pool::on_ended>(*this)};
  Connection& connection = *connections_.emplace_back(
      std::make_unique<Connection>(parts_.loop, parts_.buffers, parts_.blocks, std::move(transport), events));
  connection.start();
  serve(connection);
}

void Http1Pool::on_failed(PoolFailure failure, std::string_view detail) {
  if (Waiter* const first = waiters_.pop()) first->fail(failure, detail);
  dial_as_needed();
}

void Http1Pool::serve(Connection& connection) {
  if (Waiter* const first = waiters_.pop()) {
    connection.open(first->sink);
    return first->ready(connection);
  }
  if (is_draining_) return connection.close();
  idle_.push_back(&connection);
  if (!old_.is_set()) parts_.loop.set(old_, parts_.loop.now() + idle_timeout_);
}

void Http1Pool::on_ended(Connection& connection) {
  std::erase(idle_, &connection);
  graveyard_.take_from(connections_, connection);
  dialler_.give_back();
  dial_as_needed();
}

void Http1Pool::close_old() {
  const Moment now = parts_.loop.now();
  while (!idle_.empty() && idle_.front()->idle_since() + idle_timeout_ <= now) idle_.front()->close();
  if (!idle_.empty()) parts_.loop.set(old_, idle_.front()->idle_since() + idle_timeout_);
}

void Http1Pool::drain() {
  is_draining_ = true;
  while (!idle_.empty()) idle_.back()->close();
}

}  // namespace hone::mesh
