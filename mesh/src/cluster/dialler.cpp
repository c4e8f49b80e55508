#include "cluster/dialler.hpp"

#include <algorithm>
#include <optional>

#include "net/shared_memory.hpp"

namespace hone::mesh {
namespace {

// The time for which a server that has not answered is not asked for memory again.
constexpr Duration kSilence = std::chrono::minutes(1);

}  // namespace

struct Dialler::Attempt {
  Attempt(Dialler& dialler, Descriptor connecting, Moment end)
      : home(dialler),
        deadline(end),
        socket(std::move(connecting)),
        watch(socket.get(), Delegate<void(Ready)>::of<&Attempt::on_ready>(*this)),
        timer(Delegate<void()>::of<&Attempt::on_timeout>(*this)) {}

  // Makes an attempt that asks the server for memory.
  Attempt(Dialler& dialler, std::unique_ptr<shm::Connecting> connecting, Moment end)
      : home(dialler),
        deadline(end),
        asking(std::move(connecting)),
        watch(asking->descriptor(), Delegate<void(Ready)>::of<&Attempt::on_answer>(*this)),
        timer(Delegate<void()>::of<&Attempt::on_silence>(*this)) {}

  void on_answer(Ready) {
    // The descriptor may be closed by go_on.
    home.parts_.loop.forget(watch);
    asking->go_on();
    if (asking->is_under_way()) return home.parts_.loop.watch(watch, {.readable = true});
    connected();
  }
  void on_silence() {
    if (asking->is_under_way()) home.asks_again_ = home.parts_.loop.now() + kSilence;
    home.parts_.loop.forget(watch);
    asking->ask_no_more();
    connected();
  }
  void connected() {
    std::unique_ptr<Transport> transport = home.parts_.shared_memory->connected(*asking);
    if (transport == nullptr) return home.failed(*this, PoolFailure::kRefused, {});
    home.succeeded(*this, std::move(transport), Alpn::kNone);
  }

  void on_ready(Ready) {
    if (connect_error(socket.get()) != 0) return home.failed(*this, PoolFailure::kRefused, {});
    home.parts_.loop.forget(watch);
    if (home.may_share()) {
      return home.succeeded(*this, home.parts_.shared_memory->ordinary(std::move(socket)), Alpn::kNone);
    }
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
    // Endpoints of HTTP/1 may agree on no protocol; those of HTTP/2 have to agree on it.
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
  std::unique_ptr<shm::Connecting> asking;
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
  if (spec_.totals->connections.load(std::memory_order_relaxed) >= spec_.limits.connections) {
    return PoolFailure::kOverflow;
  }
  if (may_share() && parts_.loop.now() >= asks_again_) return ask_for_memory();
  Dialled dialled = dial(address_);
  if (!dialled.socket) return PoolFailure::kRefused;
  if (spec_.is_kept_alive) keep_alive(dialled.socket.get());
  const Moment deadline = parts_.loop.now() + spec_.connect_timeout;
  return begin(std::make_unique<Attempt>(*this, std::move(dialled.socket), deadline), {.writable = true});
}

// A timer reports the outcome even where it is known at once.
PoolFailure Dialler::ask_for_memory() {
  std::unique_ptr<shm::Connecting> asking = parts_.shared_memory->connect(address_);
  if (asking->error() != 0) return PoolFailure::kRefused;
  const bool is_under_way = asking->is_under_way();
  // Half of the time is left to connect anew to a server that waits for more bytes than the question has.
  const Moment deadline = parts_.loop.now() + (is_under_way ? spec_.connect_timeout / 2 : Duration(0));
  return begin(std::make_unique<Attempt>(*this, std::move(asking), deadline), {.readable = is_under_way});
}

PoolFailure Dialler::begin(std::unique_ptr<Attempt> attempt, Ready awaited) {
  spec_.totals->connections.fetch_add(1, std::memory_order_relaxed);
  if (awaited.readable || awaited.writable) parts_.loop.watch(attempt->watch, awaited);
  parts_.loop.set(attempt->timer, attempt->deadline);
  under_way_.push_back(std::move(attempt));
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
