#include "net/handshake.hpp"

namespace hone::mesh {

Handshake::Handshake(Loop& loop, std::unique_ptr<TlsTransport> transport, Moment deadline, Events events)
    : loop_(loop),
      transport_(std::move(transport)),
      events_(events),
      deadline_(deadline),
      watch_(transport_->descriptor(), Delegate<void(Ready)>::of<&Handshake::on_ready>(*this)),
      timer_(Delegate<void()>::of<&Handshake::on_timeout>(*this)) {}

void Handshake::start() {
  loop_.set(timer_, deadline_);
  go_on();
}

void Handshake::stop() {
  if (transport_ == nullptr) return;
  transport_->forget(loop_, watch_);
  timer_.cancel();
  transport_.reset();
}

void Handshake::go_on() {
  switch (transport_->shake_hands()) {
    case TlsTransport::Progress::kDone:
      return finish({});
    case TlsTransport::Progress::kWantsRead:
      return transport_->watch(loop_, watch_, {.readable = true});
    case TlsTransport::Progress::kWantsWrite:
      return transport_->watch(loop_, watch_, {.writable = true});
    case TlsTransport::Progress::kFailed:
      return finish(transport_->failure().empty() ? "the connection ended" : transport_->failure());
  }
}

void Handshake::finish(std::string_view failure) {
  transport_->forget(loop_, watch_);
  timer_.cancel();
  std::unique_ptr<TlsTransport> transport = std::move(transport_);
  failure.empty() ? events_.done(std::move(transport)) : events_.failed(failure);
}

}  // namespace hone::mesh
