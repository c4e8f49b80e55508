#include "wire/http1/client.hpp"

#include "wire/http1/websocket.hpp"

namespace hone::mesh::http1 {
namespace {

// The number of bytes shown of a response that cannot be read.
constexpr std::size_t kShown = 32;

}  // namespace

ClientConnection::ClientConnection(Loop& loop, BufferPool& buffers, BlockPool& blocks,
                                   std::unique_ptr<Transport> transport, ClientEvents events)
    : events_(events),
      arena_(blocks),
      channel_(loop, buffers, std::move(transport),
               {.readable = Delegate<void()>::of<&ClientConnection::on_readable>(*this),
                .flushed = Delegate<void(bool)>::of<&ClientConnection::on_flushed>(*this),
                .broken = Delegate<void()>::of<&ClientConnection::on_broken>(*this)}),
      parser_(Side::kResponses, kMostResponseFields, arena_,
              Delegate<void(std::string_view)>::of<&ClientConnection::on_body>(*this)) {}

void ClientConnection::open(MessageSink& sink) {
  sink_ = &sink;
  arena_.clear();
  is_reading_ = true;
  has_response_ = has_written_end_ = false;
  channel_.resume();
}

void ClientConnection::close() {
  end_with(Reset::kClosed);
}

void ClientConnection::end_with(Reset reason) {
  if (is_closed_) return;
  is_closed_ = true;
  // Nothing is cut off between two requests, and TLS tells the other side so.
  if (has_written_end_ && waiting() == 0) channel_.shut_writes();
  channel_.close();
  if (MessageSink* const sink = std::exchange(sink_, nullptr)) sink->on_reset(reason);
  events_.ended(*this);
}

void ClientConnection::write_head(const Head& head) {
  is_to_head_ = head.method == "HEAD";
  parser_.begin(is_to_head_, !head.upgrade.empty());
  proof_.clear();
  if (head.upgrade.empty() || head.headers.find(kWebSocketKey) != nullptr) {
    framing_ = write_request(channel_.output(), head);
  } else {
    // The client speaks HTTP/2, which has no keys.
    const std::string key = make_websocket_key();
    proof_ = websocket_accept(key);
    Head with_key = head;
    with_key.headers.add(arena_, {kWebSocketKey, arena_.copy(key), HeaderId::kOther});
    framing_ = write_request(channel_.output(), with_key);
  }
  channel_.flush_later();
}

void ClientConnection::write_body(Slice slice) {
  http1::write_body(channel_.output(), framing_, std::move(slice));
  channel_.flush_later();
}

void ClientConnection::write_end(const Headers& trailers) {
  http1::write_end(channel_.output(), framing_, trailers);
  has_written_end_ = true;
  channel_.flush_later();
}

void ClientConnection::reset(Reset) {
  sink_ = nullptr;
  close();
}

void ClientConnection::set_reading(bool is_reading) {
  is_reading_ = is_reading;
  if (is_reading) channel_.resume();
}

void ClientConnection::on_flushed(bool has_room_again) {
  const bool is_end = is_tunnel_ && has_written_end_ && waiting() == 0;
  if (is_end && !std::exchange(has_shut_writes_, true)) channel_.shut_writes();
  if (sink_ != nullptr && has_room_again) sink_->on_room();
}

// A server that refuses a body may answer and close before it has read all of it: its answer is still to be read.
void ClientConnection::on_broken() {
  if (is_reading_) on_readable();
}

void ClientConnection::on_readable() {
  if (!is_reading_) return channel_.hold();
  const Channel::Fill fill = channel_.fill();
  parser_.moved(fill.moved);
  if (fill.is_full) return end_with(Reset::kProtocol);
  if (fill.transfer.would_block()) return;
  if (fill.transfer.bytes == 0) return on_input_end(fill.transfer.is_end());
  // A response without a request cannot be understood.
  if (sink_ == nullptr) return close();
  process();
}

void ClientConnection::on_input_end(bool is_said) {
  if (!is_said) return end_with(broken_reason());
  if (sink_ != nullptr && is_tunnel_) {
    std::exchange(sink_, nullptr)->on_end({});
    return close();
  }
  if (sink_ != nullptr && parser_.has_begun() && parser_.finish() == Step::kEnd) {
    on_end();
    return close();
  }
  end_with(broken_reason());
}

Reset ClientConnection::broken_reason() const {
  return was_used_ && !has_response_ ? Reset::kStale : Reset::kClosed;
}

void ClientConnection::process() {
  has_response_ = true;
  // A head without a body ends without a further byte.
  bool is_at_head = false;
  while (sink_ != nullptr && (is_at_head || !channel_.input().empty())) {
    if (is_tunnel_) {
      pass_on();
      break;
    }
    // The receiver of a part of a body may end the connection while the parser is still at work.
    const BufferRef held = channel_.keeper();
    const Parser::Parsed parsed = parser_.parse(channel_.input());
    if (is_closed_) return;
    channel_.take(parsed.taken);
    channel_.keep_from(parser_.needed());
    is_at_head = parsed.step == Step::kHead;
    switch (parsed.step) {
      case Step::kMore:
        break;
      case Step::kHead:
        on_head();
        break;
      case Step::kEnd:
        on_end();
        break;
      case Step::kFault:
        fault_ = arena_.join(parser_.fault().detail, "; it said: ", channel_.input().substr(0, kShown));
        return end_with(Reset::kProtocol);
    }
  }
  if (!is_closed_) channel_.release_if_taken();
}

void ClientConnection::on_head() {
  Head& head = parser_.head();
  if (head.status == kSwitching && !is_proven(head)) {
    fault_ = "the WebSocket is not proven";
    return end_with(Reset::kProtocol);
  }
  is_tunnel_ = head.status == kSwitching;
  if (is_tunnel_) framing_ = Framing::kUntilClose;
  is_informational_ = is_informational(head.status) && !is_tunnel_;
  head.keeper = channel_.keeper();
  sink_->on_head(std::move(head));
}

bool ClientConnection::is_proven(const Head& head) const {
  if (proof_.empty()) return true;
  const Header* const shown = head.headers.find(kWebSocketAccept);
  return shown != nullptr && shown->value == proof_;
}

void ClientConnection::on_body(std::string_view part) {
  if (sink_ != nullptr) sink_->on_body(Slice{channel_.keeper(), part});
}

void ClientConnection::pass_on() {
  const std::string_view input = channel_.input();
  if (input.empty()) return;
  channel_.take(input.size());
  sink_->on_body(Slice{channel_.keeper(), input});
}

void ClientConnection::on_end() {
  if (is_informational_) {
    is_informational_ = false;
    return parser_.begin(is_to_head_);
  }
  MessageSink* const sink = std::exchange(sink_, nullptr);
  const bool is_reusable = parser_.keeps_alive() && has_written_end_ && waiting() == 0 && channel_.input().empty();
  sink->on_end(parser_.trailers());
  if (is_closed_) return;
  if (!is_reusable) return close();
  was_used_ = true;
  is_reading_ = true;
  channel_.release_if_taken();
  channel_.resume();
  events_.idle(*this);
}

}  // namespace hone::mesh::http1
