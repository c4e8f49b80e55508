#include "stream/session.hpp"

namespace hone::mesh {

Session::Session(Surroundings& around, std::shared_ptr<const Snapshot> snapshot, std::size_t listener,
                 Accepted accepted, Delegate<void(Session&)> ended)
    : around_(around),
      snapshot_(std::move(snapshot)),
      address_(accepted.peer.host()),
      client_{.listener = snapshot_->listeners[listener],
              .metrics = around.metrics.listeners[listener],
              .address = address_,
              .protocol = "HTTP/1.1",
              .ip = ip_of(accepted.peer)},
      ended_(ended),
      http1_(around.parts.loop, around.parts.buffers, around.parts.blocks,
             std::make_unique<SocketTransport>(std::move(accepted.socket)), client_.listener.limits,
             {.open = Delegate<MessageSink*(Exchange&)>::of<&Session::open>(*this),
              .refused = Delegate<void(const http1::Fault&)>::of<&Session::refused>(*this),
              .greeting = http2::kPreface,
              .greeted = Delegate<void()>::of<&Session::greeted>(*this),
              .ended = Delegate<void()>::of<&Session::on_ended>(*this)}),
      http2_limits_{.fields = client_.listener.limits.fields,
                    .streams = client_.listener.streams,
                    .head = client_.listener.limits.head,
                    .idle = client_.listener.limits.idle,
                    .stall = client_.listener.limits.stall} {
  client_.metrics.connections.add();
  client_.metrics.connections_open.add();
}

Session::~Session() {
  client_.metrics.connections_open.subtract();
  client_.listener.connections_open->fetch_sub(1, std::memory_order_relaxed);
}

void Session::drain() {
  http2_ ? http2_->drain() : http1_.drain();
}

void Session::close() {
  http2_ ? http2_->close() : http1_.close();
}

void Session::greeted() {
  client_.protocol = "HTTP/2";
  http2_.emplace(http2::Connection::Side::kServer, around_.parts.loop, around_.parts.buffers, around_.parts.blocks,
                 http1_.give_up(), http2_limits_,
                 http2::Events{.open = Delegate<MessageSink*(Exchange&)>::of<&Session::open>(*this),
                               .room = {},
                               .ended = Delegate<void(http2::Connection&)>::of<&Session::on_http2_ended>(*this)});
  http2_->start(http1_.input());
}

void Session::refused(const http1::Fault& fault) {
  client_.metrics.requests_refused.add();
  if (around_.log == nullptr) return;
  LogRecord record{.protocol = client_.protocol, .peer = client_.address, .detail = fault.detail};
  record.status = fault.status;
  record.flags.add(fault.status == 408 ? Flag::kClientStalled : Flag::kClientProtocol);
  around_.log->write(record);
}

}  // namespace hone::mesh
