#include "cluster/http1_pool.hpp"

#include <algorithm>

namespace hone::mesh {

struct Http1Pool::Dialling {
  Dialling(Http1Pool& home, Descriptor connecting)
      : pool(home),
        socket(std::move(connecting)),
        watch(socket.get(), Delegate<void(Ready)>::of<&Dialling::on_ready>(*this)),
        timer(Delegate<void()>::of<&Dialling::on_timeout>(*this)) {}

  void on_ready(Ready) {
    if (connect_error(socket.get()) != 0) return pool.failed(*this, PoolFailure::kRefused);
    pool.connected(*this);
  }
  void on_timeout() { pool.failed(*this, PoolFailure::kTimeout); }

  Http1Pool& pool;
  Descriptor socket;
  Watch watch;
  Timer timer;
};

Http1Pool::Http1Pool(Parts parts, const ClusterSpec& cluster, const EndpointSpec& endpoint)
    : parts_(parts),
      cluster_(cluster),
      endpoint_(endpoint),
      old_(Delegate<void()>::of<&Http1Pool::close_old>(*this)),
      bury_(Delegate<void()>::of<&Http1Pool::bury>(*this)) {}

Http1Pool::~Http1Pool() {
  for (const auto& dialling : dialling_) parts_.loop.forget(dialling->watch);
  cluster_.totals->connections -= static_cast<std::uint32_t>(connections());
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
  while (waiters_.has_more_than(dialling_.size())) {
    const bool is_full = cluster_.totals->connections.load(std::memory_order_relaxed) >= cluster_.limits.connections;
    if (is_full && connections() > 0) return;
    Waiter* const first = is_full || !dial_one() ? waiters_.pop() : nullptr;
    if (first != nullptr) first->failed(is_full ? PoolFailure::kOverflow : PoolFailure::kRefused);
  }
}

bool Http1Pool::dial_one() {
  Dialled dialled = dial(endpoint_.address);
  if (!dialled.socket) return false;
  cluster_.totals->connections.fetch_add(1, std::memory_order_relaxed);
  Dialling& dialling = *dialling_.emplace_back(std::make_unique<Dialling>(*this, std::move(dialled.socket)));
  parts_.loop.watch(dialling.watch, {.writable = true});
  parts_.loop.set(dialling.timer, parts_.loop.now() + cluster_.connect_timeout);
  return true;
}

std::unique_ptr<Http1Pool::Dialling> Http1Pool::take(Dialling& dialling) {
  parts_.loop.forget(dialling.watch);
  dialling.timer.cancel();
  const auto found =
      std::find_if(dialling_.begin(), dialling_.end(), [&](auto& one) { return one.get() == &dialling; });
  std::unique_ptr<Dialling> taken = std::move(*found);
  *found = std::move(dialling_.back());
  dialling_.pop_back();
  return taken;
}

void Http1Pool::connected(Dialling& dialling) {
  auto transport = std::make_unique<SocketTransport>(std::move(dialling.socket));
  dead_diallings_.push_back(take(dialling));
  parts_.loop.at_turn_end(bury_);
  const http1::ClientEvents events{.idle = Delegate<void(Connection&)>::of<&Http1Pool::on_idle>(*this),
                                   .ended = Delegate<void(Connection&)>::of<&Http1Pool::on_ended>(*this)};
  Connection& connection = *connections_.emplace_back(
      std::make_unique<Connection>(parts_.loop, parts_.buffers, parts_.blocks, std::move(transport), events));
  connection.start();
  serve(connection);
}

void Http1Pool::failed(Dialling& dialling, PoolFailure failure) {
  dead_diallings_.push_back(take(dialling));
  parts_.loop.at_turn_end(bury_);
  cluster_.totals->connections.fetch_sub(1, std::memory_order_relaxed);
  if (Waiter* const first = waiters_.pop()) first->failed(failure);
  dial_as_needed();
}

void Http1Pool::serve(Connection& connection) {
  if (Waiter* const first = waiters_.pop()) {
    connection.open(first->sink);
    return first->ready(connection);
  }
  if (is_draining_) return connection.close();
  idle_.push_back(&connection);
  if (!old_.is_set()) parts_.loop.set(old_, parts_.loop.now() + cluster_.idle_timeout);
}

void Http1Pool::on_ended(Connection& connection) {
  std::erase(idle_, &connection);
  const auto found =
      std::find_if(connections_.begin(), connections_.end(), [&](auto& one) { return one.get() == &connection; });
  dead_connections_.push_back(std::move(*found));
  *found = std::move(connections_.back());
  connections_.pop_back();
  parts_.loop.at_turn_end(bury_);
  cluster_.totals->connections.fetch_sub(1, std::memory_order_relaxed);
  dial_as_needed();
}

void Http1Pool::close_old() {
  const Moment now = parts_.loop.now();
  while (!idle_.empty() && idle_.front()->idle_since() + cluster_.idle_timeout <= now) idle_.front()->close();
  if (!idle_.empty()) parts_.loop.set(old_, idle_.front()->idle_since() + cluster_.idle_timeout);
}

void Http1Pool::bury() {
  dead_connections_.clear();
  dead_diallings_.clear();
}

void Http1Pool::drain() {
  is_draining_ = true;
  while (!idle_.empty()) idle_.back()->close();
}

}  // namespace hone::mesh
