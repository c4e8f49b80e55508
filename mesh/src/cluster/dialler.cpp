#include "cluster/dialler.hpp"

namespace hone::mesh {

struct Dialler::Attempt {
  Attempt(Dialler& dialler, Descriptor connecting)
      : home(dialler),
        socket(std::move(connecting)),
        watch(socket.get(), Delegate<void(Ready)>::of<&Attempt::on_ready>(*this)),
        timer(Delegate<void()>::of<&Attempt::on_timeout>(*this)) {}

  void on_ready(Ready) {
    home.finished(*this, connect_error(socket.get()) == 0 ? PoolFailure::kNone : PoolFailure::kRefused);
  }
  void on_timeout() { home.finished(*this, PoolFailure::kTimeout); }

  Dialler& home;
  Descriptor socket;
  Watch watch;
  Timer timer;
};

Dialler::Dialler(Parts parts, const ClusterSpec& cluster, const EndpointSpec& endpoint, Events events)
    : parts_(parts), cluster_(cluster), endpoint_(endpoint), events_(events), graveyard_(parts.loop) {}

Dialler::~Dialler() {
  for (const auto& attempt : under_way_) {
    parts_.loop.forget(attempt->watch);
    give_back();
  }
}

PoolFailure Dialler::dial_one() {
  std::atomic<std::uint32_t>& connections = cluster_.totals->connections;
  if (connections.load(std::memory_order_relaxed) >= cluster_.limits.connections) return PoolFailure::kOverflow;
  Dialled dialled = dial(endpoint_.address);
  if (!dialled.socket) return PoolFailure::kRefused;
  connections.fetch_add(1, std::memory_order_relaxed);
  Attempt& attempt = *under_way_.emplace_back(std::make_unique<Attempt>(*this, std::move(dialled.socket)));
  parts_.loop.watch(attempt.watch, {.readable = false, .writable = true});
  parts_.loop.set(attempt.timer, parts_.loop.now() + cluster_.connect_timeout);
  return PoolFailure::kNone;
}

void Dialler::finished(Attempt& attempt, PoolFailure failure) {
  parts_.loop.forget(attempt.watch);
  attempt.timer.cancel();
  graveyard_.take_from(under_way_, attempt);
  if (failure == PoolFailure::kNone) {
    return events_.connected(std::make_unique<SocketTransport>(std::move(attempt.socket)));
  }
  give_back();
  events_.failed(failure);
}

}  // namespace hone::mesh
