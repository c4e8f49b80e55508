#include "wire/http2/stream.hpp"

#include <algorithm>

#include "wire/http2/fields.hpp"

namespace hone::mesh::http2 {

Connection::Stream::Stream(Connection& connection, std::uint32_t id)
    : connection_(connection),
      id_(id),
      began_(connection.channel_.loop().now()),
      moved_(began_),
      arena_(connection.blocks_),
      send_window_(connection.peer_window_) {}

// An agreement to WebSocket has the status 200 in HTTP/2, and any other success would be taken for one.
void Connection::Stream::answer_wish(const Head& head) {
  Head answer = head;
  const bool is_agreed = head.status == kSwitching;
  upgrade_ = is_agreed ? Upgrade::kAgreed : Upgrade::kNone;
  moved_ = connection_.channel_.loop().now();
  if (is_agreed) {
    answer.status = 200;
    answer.body.kind = Body::Kind::kStreamed;
    answer.headers.remove_if([](const Header& header) { return header.name == "sec-websocket-accept"; });
  } else if (head.status < 300) {
    answer.status = 502;
  }
  write_head(answer);
}

void Connection::Stream::write_head(const Head& head) {
  const bool is_last = head.status == kSwitching || !is_informational(head.status);
  if (upgrade_ == Upgrade::kAsked && is_last) return answer_wish(head);
  Connection& connection = connection_;
  const bool is_server = connection.side_ == Side::kServer;
  const bool is_final = !is_server || !is_informational(head.status);
  // A message that ends with its head says so in the frame of the head: gRPC reports errors in this way.
  const bool is_end = is_final && (head.body.kind == Body::Kind::kNone || (is_server && is_reply_to_head_));
  if (!is_server) is_reply_to_head_ = head.method == "HEAD";
  has_written_head_ |= is_final;
  const std::string_view block =
      is_server ? encode_response(connection.encoder_, head) : encode_request(connection.encoder_, head);
  connection.write_block(id_, block, is_end);
  connection.send_later();
  is_local_ended_ |= is_end;
}

void Connection::Stream::write_body(Slice slice) {
  if (is_local_ended_ || slice.bytes.empty()) return;
  pending_bytes_ += slice.bytes.size();
  moved_ = connection_.channel_.loop().now();
  was_above_ |= pending_bytes_ > kHighWater;
  pending_.push_back(std::move(slice));
  connection_.want_to_send(*this);
}

void Connection::Stream::write_end(const Headers& trailers) {
  // The server's exchange is over with its response. The bytes that it wrote are still sent.
  if (connection_.side_ == Side::kServer) sink_ = nullptr;
  if (is_local_ended_) return end_locally();
  // Trailers live in the arena of their writer.
  for (const Header& header : trailers.items()) {
    trailers_.add(arena_, {arena_.copy(header.name), arena_.copy(header.value), header.id});
  }
  has_end_to_send_ = true;
  connection_.want_to_send(*this);
}

void Connection::Stream::reset(Reset reason) {
  sink_ = nullptr;
  if (is_gone_) return;
  // A server that has sent nothing since then may be gone without notice: further requests go on another connection.
  if (connection_.side_ == Side::kClient && connection_.last_read_ < began_) connection_.drain();
  connection_.reset_stream(*this, reason == Reset::kCancelled ? Code::kCancel : Code::kInternal, reason);
}

void Connection::Stream::set_reading(bool is_reading) {
  is_reading_ = is_reading;
  if (is_reading) give_window_back();
}

void Connection::Stream::give_window_back() {
  // Half of the window is given back at once, so that not every frame is answered.
  if (!is_reading_ || is_remote_ended_ || consumed_ < kDefaultWindow / 2) return;
  write_number(connection_.channel_.output(), Type::kWindowUpdate, id_, consumed_);
  connection_.send_later();
  receive_window_ += consumed_;
  consumed_ = 0;
}

bool Connection::Stream::send(std::size_t most) {
  Output& output = connection_.channel_.output();
  while (pending_bytes_ > 0 && most > 0) {
    const std::int64_t window = std::min(send_window_, connection_.send_window_);
    if (window <= 0) return false;
    const std::size_t frame = std::min({pending_bytes_, static_cast<std::size_t>(window), most,
                                        static_cast<std::size_t>(connection_.peer_max_frame_)});
    const bool is_last = has_end_to_send_ && frame == pending_bytes_ && trailers_.is_empty();
    http2::write_head(output, frame, Type::kData, is_last ? kEndStream : std::uint8_t{0}, id_);
    for (std::size_t left = frame; left > 0;) {
      Slice& slice = pending_[first_];
      const std::size_t size = std::min(left, slice.bytes.size());
      output.append(Slice{slice.keeper, slice.bytes.substr(0, size)});
      slice.bytes.remove_prefix(size);
      left -= size;
      if (!slice.bytes.empty()) continue;
      slice.keeper.reset();
      ++first_;
    }
    pending_bytes_ -= frame;
    most -= frame;
    send_window_ -= static_cast<std::int64_t>(frame);
    connection_.send_window_ -= static_cast<std::int64_t>(frame);
    if (pending_bytes_ == 0) {
      pending_.clear();
      first_ = 0;
    }
    if (is_last) {
      end_locally();
      return false;
    }
  }
  if (pending_bytes_ > 0) return true;
  if (!has_end_to_send_) return false;
  if (trailers_.is_empty()) {
    http2::write_head(output, 0, Type::kData, kEndStream, id_);
  } else {
    connection_.write_block(id_, encode_trailers(connection_.encoder_, trailers_), true);
  }
  end_locally();
  return false;
}

void Connection::Stream::end_locally() {
  has_end_to_send_ = false;
  is_local_ended_ = true;
  if (is_remote_ended_) return connection_.remove(*this);
  if (connection_.side_ == Side::kClient) return;
  // The response is over before the request: the client need not send the rest.
  connection_.reset_stream(*this, Code::kNoError, Reset::kCancelled);
}

}  // namespace hone::mesh::http2
