#include "wire/thrift/call.hpp"

#include "http/thrift.hpp"

namespace hone::mesh::thrift {
namespace {

// Returns a call's name without the service that clients with several services on one connection put before it, since
// they do not want it in the answer.
std::string_view function_of(std::string_view name) {
  return name.substr(name.rfind(':') + 1);
}

}  // namespace

Connection::Call::Call(Connection& connection, const Envelope& envelope)
    : connection_(connection),
      arena_(connection.blocks_),
      oneway_(Delegate<void()>::of<&Call::answer_oneway>(*this)),
      carrier_(envelope.carrier),
      kind_(envelope.kind),
      coding_(envelope.coding),
      sequence_(envelope.sequence),
      header_sequence_(envelope.header_sequence),
      name_(envelope.name) {}

void Connection::Call::write_head(const Head& head) {
  // Informational heads belong to HTTP alone.
  if (connection_.is_server() && is_informational(head.status)) return;
  head_ = head;
  if (connection_.is_server()) return;
  kind_ = head.method == kOneway ? Kind::kOneway : Kind::kCall;
  coding_ = head.coding;
  name_ = head.function;
}

void Connection::Call::write_body(Slice slice) {
  body_bytes_ += slice.bytes.size();
  body_.push(std::move(slice));
}

void Connection::Call::write_end(const Headers&) {
  if (connection_.is_server()) {
    if (!is_oneway()) connection_.send(*this, head_.status >= 400 ? Kind::kException : Kind::kReply);
    return connection_.remove(*this);
  }
  connection_.send(*this, kind_);
  is_sent_ = true;
  if (is_oneway()) connection_.channel_.loop().at_turn_end(oneway_);
}

void Connection::Call::answer_oneway() {
  MessageSink* const sink = std::exchange(sink_, nullptr);
  if (sink == nullptr || is_gone_) return;
  Head head;
  head.status = 200;
  connection_.was_used_ = true;
  connection_.remove(*this);
  sink->on_head(head);
  sink->on_end({});
}

void Connection::Call::reset(Reset) {
  sink_ = nullptr;
  if (is_gone_) return;
  if (!connection_.is_server()) {
    // An answer that comes late would be taken for the answer to another call.
    if (is_sent_ && !connection_.is_shared()) return connection_.close();
    return connection_.remove(*this);
  }
  if (!is_oneway()) {
    Reply broken{.status = 502, .body = "the answer broke off"};
    const std::string_view body = thrift_exception_of(broken, coding_, arena_);
    head_ = {};
    body_.clear();
    body_bytes_ = 0;
    write_copy(*this, connection_.channel_.pool(), body);
    connection_.send(*this, Kind::kException);
  }
  connection_.remove(*this);
}

void Connection::Call::set_reading(bool is_reading) {
  // An endpoint's connection is not held up for one call: it carries other calls as well.
  if (is_gone_ || is_held_ == !is_reading || (!connection_.is_server() && connection_.is_shared())) return;
  is_held_ = !is_reading;
  is_held_ ? ++connection_.held_ : --connection_.held_;
  connection_.read_later();
}

// Output of the connection.

void Connection::send(Call& call, Kind kind) {
  Envelope envelope;
  envelope.carrier = call.carrier_;
  envelope.coding = call.head_.coding == Coding::kNone ? call.coding_ : call.head_.coding;
  envelope.kind = kind;
  envelope.flags = !is_server() && is_shared() ? kOutOfOrder : 0;
  envelope.sequence = call.sequence_;
  envelope.header_sequence = call.header_sequence_;
  envelope.name = !is_server()                  ? call.name_
                  : call.head_.function.empty() ? function_of(call.name_)
                                                : call.head_.function;
  envelope.body = static_cast<std::uint32_t>(call.body_bytes_);
  if (is_server() && is_draining_) call.head_.headers.set(call.arena_, {kLeaving, "1", HeaderId::kOther});
  write(channel_.output(), envelope, call.head_.headers, call.arena_);
  for (std::size_t at = 0; at < call.body_.size(); ++at) channel_.output().append(std::move(call.body_[at]));
  call.body_.clear();
  channel_.flush_later();
}

void Connection::on_flushed(bool has_room_again) {
  if (is_closed_) return;
  if (has_room_again) {
    // The sinks may end calls, and begin others.
    std::vector<Call*> all;
    for (const auto& call : calls_) all.push_back(call.get());
    for (Call* const call : all) {
      if (!call->is_gone_ && call->sink_ != nullptr) call->sink_->on_room();
    }
  }
  if (!is_closed_ && channel_.waiting() < kHighWater) read_later();
}

}  // namespace hone::mesh::thrift
