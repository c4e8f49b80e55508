#include "cluster/dialler.hpp"

#include <optional>

namespace hone::mesh {

struct Dialler::Attempt {
  Attempt(Dialler& dialler, Descriptor connecting, Moment end)
      : home(dialler),
        deadline(end),
        socket(std::move(connecting)),
        watch(socket.get(), Delegate<void(Ready)>::of<&Attempt::on_ready>(*this)),
        timer(Delegate<void()>::of<&Attempt::on_timeout>(*this)) {}

  void on_ready(Ready) {
    if (connect_error(socket.get()) != 0) return home.failed(*this, PoolFailure::kRefused, {});
    home.parts_.loop.forget(watch);
    auto transport = std::make_unique<SocketTransport>(std::move(socket));
    if (home.spec_.tls == nullptr) return home.succeeded(*this, std::move(transport), Alpn::kNone);
    timer.cancel();
    auto secured = std::make_unique<TlsTransport>(home.spec_.tls->context(), home.parts_.buffers, std::move(transport),
                                                  home.offered_, home.session_);
    handshake.emplace(
        home.parts_.loop, std::move(secured), deadline,
        Handshake::Events{.done = Delegate<void(std::unique_ptr<TlsTransport>)>::of<&Attempt::on_shaken>(*this),
                          .failed = Delegate<void(std::string_view)>::of<&Attempt::on_unshaken>(*this)});
    handshake->start();
  }
  void on_timeout() { home.failed(*this, PoolFailure::kTimeout, {}); }
  void on_shaken(std::unique_ptr<TlsTransport> transport) {
    const Alpn agreed = transport->agreed();
    // Endpoints of HTTP/1 may say nothing, and those of HTTP/2 have to.
    const bool is_other = home.offered_ == Alpn::kHttp2   ? agreed != Alpn::kHttp2
                          : home.offered_ == Alpn::kHttp1 ? agreed == Alpn::kHttp2
                                                          : false;
    if (is_other) return home.failed(*this, PoolFailure::kRefused, "the endpoint speaks another protocol");
    home.succeeded(*this, std::move(transport), agreed);
  }
  void on_unshaken(std::string_view why) { home.failed(*this, PoolFailure::kRefused, why); }

  Dialler& home;
  const Moment deadline;
  Descriptor socket;
  Watch watch;
  Timer timer;
  std::optional<Handshake> handshake;
};

Dialler::Dialler(Parts parts, const ConnectionSpec& spec, const Address& address, Alpn offered, Events events)
    : parts_(parts),
      spec_(spec),
      address_(address),
      offered_(offered),
      events_(events),
      session_(spec.tls == nullptr ? nullptr : std::make_shared<TlsSession>()),
      graveyard_(parts.loop) {}

Dialler::~Dialler() {
  for (const auto& attempt : under_way_) {
    parts_.loop.forget(attempt->watch);
    give_back();
  }
}

PoolFailure Dialler::dial_one() {
  std::atomic<std::uint32_t>& connections = spec_.totals->connections;
  if (connections.load(std::memory_order_relaxed) >= spec_.limits.connections) return PoolFailure::kOverflow;
  Dialled dialled = dial(address_);
  if (!dialled.socket) return PoolFailure::kRefused;
  if (spec_.is_kept_alive) keep_alive(dialled.socket.get());
  connections.fetch_add(1, std::memory_order_relaxed);
  const Moment deadline = parts_.loop.now() + spec_.connect_timeout;
  Attempt& attempt = *under_way_.emplace_back(std::make_unique<Attempt>(*this, std::move(dialled.socket), deadline));
  parts_.loop.watch(attempt.watch, {.readable = false, .writable = true});
  parts_.loop.set(attempt.timer, deadline);
  return PoolFailure::kNone;
}

void Dialler::succeeded(Attempt& attempt, std::unique_ptr<Transport> transport, Alpn agreed) {
  attempt.timer.cancel();
  graveyard_.take_from(under_way_, attempt);
  events_.connected(std::move(transport), agreed);
}

void Dialler::failed(Attempt& attempt, PoolFailure failure, std::string_view detail) {
  parts_.loop.forget(attempt.watch);
  attempt.timer.cancel();
  graveyard_.take_from(under_way_, attempt);
  give_back();
  events_.failed(failure, detail);
}

}  // namespace hone::mesh
