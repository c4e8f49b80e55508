#include "stream/session.hpp"

#include "net/shared_memory.hpp"

namespace hone::mesh {
namespace {

std::string_view protocol_of(const ListenerSpec& listener) {
  if (listener.tcp) return "TCP";
  return listener.is_thrift ? "Thrift" : "HTTP/1.1";
}

}  // namespace

Session::Session(Surroundings& around, Held<Listener> listener, const Address& peer, Delegate<void(Session&)> ended)
    : around_(around),
      listener_(std::move(listener)),
      address_(peer.host()),
      client_{.listener = *listener_,
              .address = address_,
              .protocol = protocol_of(listener_->spec()),
              .scheme = listener_->spec().tls == nullptr ? "http" : "https",
              .ip = ip_of(peer)},
      ended_(ended),
      tls_(listener_->spec().tls == nullptr ? nullptr : listener_->spec().tls->context()),
      handshake_time_(listener_->spec().handshake),
      connections_open_(listener_->spec().connections_open),
      http1_limits_(listener_->spec().limits),
      http2_limits_{.fields = http1_limits_.fields,
                    .streams = listener_->spec().streams,
                    .head = http1_limits_.head,
                    .idle = http1_limits_.idle,
                    .stall = http1_limits_.stall,
                    .tunnel = http1_limits_.tunnel},
      thrift_limits_{.message = listener_->spec().message,
                     .facts = http1_limits_.fields,
                     .calls = listener_->spec().streams,
                     .head = http1_limits_.head,
                     .idle = http1_limits_.idle,
                     .stall = http1_limits_.stall} {
  began_ = around_.parts.loop.now();
  listener_->metrics().connections.add();
  listener_->metrics().connections_open.add();
}

Session::~Session() {
  listener_->metrics().connections_open.subtract();
  connections_open_->fetch_sub(1, std::memory_order_relaxed);
}

void Session::start(Descriptor socket) {
  SharedMemory* const shared = listener_->spec().address.shares_memory() ? around_.parts.shared_memory : nullptr;
  if (shared != nullptr) return begin(shared->answer(std::move(socket)));
  auto transport = std::make_unique<SocketTransport>(std::move(socket));
  tls_ == nullptr ? begin(std::move(transport)) : shake_hands(std::move(transport));
}

void Session::drain() {
  // A tunnel has no point at which it could end.
  if (tunnel_) return;
  if (http2_) return http2_->drain();
  if (thrift_) return thrift_->drain();
  http1_ ? http1_->drain() : close();
}

void Session::retire() {
  is_retiring_ = true;
  if (http1_ && !http2_) http1_->retire();
  if (http2_) http2_->drain();
  if (thrift_) thrift_->drain();
}

void Session::close() {
  if (tunnel_) return tunnel_->close();
  if (http2_) return http2_->close();
  if (thrift_) return thrift_->close();
  if (http1_) return http1_->close();
  handshake_->stop();
  ended_(*this);
}

void Session::shed() {
  listener_->metrics().connections_shed.add();
  log_refusal(0, Flag::kOverload, "memory");
  close();
}

std::optional<Moment> Session::stands_since() const {
  if (tunnel_) return std::nullopt;
  if (http2_) return http2_->stands_since();
  if (thrift_) return thrift_->stands_since();
  return http1_ ? http1_->stands_since() : began_;
}

void Session::shake_hands(std::unique_ptr<Transport> transport) {
  Loop& loop = around_.parts.loop;
  handshake_ = std::make_unique<Handshake>(
      loop, std::make_unique<TlsTransport>(tls_, around_.parts.buffers, std::move(transport)),
      loop.now() + handshake_time_,
      Handshake::Events{.done = Delegate<void(std::unique_ptr<TlsTransport>)>::of<&Session::on_shaken>(*this),
                        .failed = Delegate<void(std::string_view)>::of<&Session::on_unshaken>(*this)});
  handshake_->start();
}

void Session::on_shaken(std::unique_ptr<TlsTransport> transport) {
  identity_ = transport->peer();
  client_.identity = identity_;
  const bool is_http2 = transport->agreed() == Alpn::kHttp2;
  is_http2 ? begin_http2(std::move(transport), {}) : begin(std::move(transport));
}

void Session::on_unshaken(std::string_view why) {
  listener_->metrics().handshake_failures.add();
  log_refusal(0, Flag::kClientProtocol, why);
  ended_(*this);
}

void Session::begin(std::unique_ptr<Transport> transport) {
  if (listener_->spec().is_thrift) return begin_thrift(std::move(transport));
  if (!listener_->spec().tcp) return begin_http1(std::move(transport));
  tunnel_ =
      std::make_unique<Tunnel>(around_, client_, std::move(transport), Delegate<void()>::of<&Session::on_ended>(*this));
  tunnel_->start();
}

void Session::begin_http1(std::unique_ptr<Transport> transport) {
  http1_.emplace(around_.parts.loop, around_.parts.buffers, around_.parts.blocks, std::move(transport), http1_limits_,
                 http1::ServerEvents{.open = Delegate<MessageSink*(Exchange&)>::of<&Session::open>(*this),
                                     .refused = Delegate<void(const http1::Fault&)>::of<&Session::refused>(*this),
                                     .greeting = http2::kPreface,
                                     .greeted = Delegate<void()>::of<&Session::greeted>(*this),
                                     .ended = Delegate<void()>::of<&Session::on_ended>(*this)});
  if (is_retiring_) http1_->retire();
  http1_->start();
}

void Session::begin_http2(std::unique_ptr<Transport> transport, std::string_view already_read) {
  client_.protocol = "HTTP/2";
  http2_.emplace(http2::Connection::Side::kServer, around_.parts.loop, around_.parts.buffers, around_.parts.blocks,
                 std::move(transport), http2_limits_,
                 http2::Events{.open = Delegate<MessageSink*(Exchange&)>::of<&Session::open>(*this),
                               .room = {},
                               .ended = Delegate<void(http2::Connection&)>::of<&Session::on_http2_ended>(*this)});
  http2_->start(already_read);
  if (is_retiring_) http2_->drain();
}

void Session::begin_thrift(std::unique_ptr<Transport> transport) {
  thrift_.emplace(thrift::Connection::Side::kServer, thrift::Carrier::kHeader, around_.parts.loop,
                  around_.parts.buffers, around_.parts.blocks, std::move(transport), thrift_limits_,
                  thrift::Events{.open = Delegate<MessageSink*(Exchange&)>::of<&Session::open>(*this),
                                 .refused = Delegate<void(std::string_view)>::of<&Session::refused_thrift>(*this),
                                 .room = {},
                                 .ended = Delegate<void(thrift::Connection&)>::of<&Session::on_thrift_ended>(*this)});
  thrift_->start();
  if (is_retiring_) thrift_->drain();
}

void Session::refused(const http1::Fault& fault) {
  listener_->metrics().requests_refused.add();
  log_refusal(fault.status, fault.status == 408 ? Flag::kClientStalled : Flag::kClientProtocol, fault.detail);
}

// Writes a log line for a failure before there was a request.
void Session::log_refusal(int status, Flag flag, std::string_view detail) {
  if (around_.log == nullptr) return;
  LogRecord record{.protocol = client_.protocol, .peer = client_.address, .detail = detail};
  record.status = status;
  record.flags.add(flag);
  around_.log->write(record);
}

}  // namespace hone::mesh
