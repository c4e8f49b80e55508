#include "xds/call.hpp"

#include <utility>

#include "cluster/endpoint.hpp"
#include "http/reply.hpp"

namespace hone::mesh::xds {
namespace {

// A byte that says whether the message is compressed, and four of its length.
constexpr std::size_t kFrameHead = 5;
// 10,000 clusters with 50,000 endpoints have 10 MB.
constexpr std::size_t kMostBytes = 256 << 20;

std::size_t length_of(std::string_view frame) {
  std::size_t length = 0;
  for (std::size_t at = 1; at < kFrameHead; ++at) length = length << 8 | static_cast<unsigned char>(frame[at]);
  return length;
}

std::string frame_head(std::size_t length) {
  std::string head(1, '\0');
  for (int shift = 24; shift >= 0; shift -= 8) head.push_back(static_cast<char>(length >> shift & 0xff));
  return head;
}

std::string reason_of_failure(PoolFailure failure, std::string_view detail) {
  std::string reason = failure == PoolFailure::kTimeout ? "no connection in time" : "no connection";
  return detail.empty() ? reason : reason.append(": ").append(detail);
}

// Returns a text about the end of a call, made from its trailers.
std::string outcome_of(const Headers& trailers) {
  const Header* const status = trailers.find(HeaderId::kGrpcStatus);
  const Header* const message = trailers.find(HeaderId::kGrpcMessage);
  if (status == nullptr) return "the call ended without a status";
  std::string text("the call ended with status ");
  text.append(status->value);
  return message == nullptr || message->value.empty() ? text : text.append(": ").append(message->value);
}

}  // namespace

Call::Call(Parts parts, const ConnectionSpec& spec, const Address& address, Events events)
    : parts_(parts),
      pool_(make_pool(parts, spec, address)),
      scheme_(spec.scheme()),
      authority_(address.authority()),
      events_(events),
      waiter_(*this, Delegate<void(Exchange&)>::of<&Call::on_exchange>(*this),
              Delegate<void(PoolFailure)>::of<&Call::on_no_exchange>(*this)) {}

Call::~Call() {
  waiter_.take_back();
  if (exchange_ != nullptr) std::exchange(exchange_, nullptr)->reset(Reset::kCancelled);
}

void Call::open(std::string path) {
  path_ = std::move(path);
  input_.clear();
  pool_->acquire(waiter_);
}

void Call::send(std::string_view message) {
  if (exchange_ == nullptr) return;
  write_copy(*exchange_, parts_.buffers, frame_head(message.size()).append(message));
}

void Call::on_exchange(Exchange& exchange) {
  exchange_ = &exchange;
  Arena& arena = exchange.arena();
  Head head;
  head.method = "POST";
  head.scheme = scheme_;
  head.authority = authority_;
  head.path = path_;
  head.body.kind = Body::Kind::kStreamed;
  head.headers.add(arena, HeaderId::kUserAgent, "hone-mesh");
  head.headers.add(arena, HeaderId::kContentType, "application/grpc");
  head.headers.add(arena, HeaderId::kTe, "trailers");
  exchange.write_head(head);
  events_.opened();
}

void Call::on_no_exchange(PoolFailure failure) {
  end(reason_of_failure(failure, waiter_.detail));
}

void Call::on_head(Head head) {
  if (!is_informational(head.status) && head.status != 200) {
    give_up("the call was answered with " + std::to_string(head.status));
  }
}

void Call::on_body(Slice slice) {
  input_.append(slice.bytes);
  std::size_t begin = 0;
  while (exchange_ != nullptr && input_.size() - begin >= kFrameHead) {
    const std::string_view rest = std::string_view(input_).substr(begin);
    const std::size_t length = length_of(rest);
    if (rest.front() != 0 || length > kMostBytes) {
      return give_up(rest.front() != 0 ? "a message is compressed, which was not asked for"
                                       : "a message has more than 256 MiB");
    }
    if (rest.size() - kFrameHead < length) break;
    begin += kFrameHead + length;
    events_.message(rest.substr(kFrameHead, length));
  }
  input_.erase(0, begin);
  // The memory of a large message is seldom needed again.
  if (input_.empty() && input_.capacity() > kHighWater) input_.shrink_to_fit();
}

void Call::on_end(Headers trailers) {
  if (std::exchange(exchange_, nullptr) != nullptr) end(outcome_of(trailers));
}

void Call::on_reset(Reset reason) {
  exchange_ = nullptr;
  end(reason == Reset::kTimeout ? "nothing came in time" : "the connection ended");
}

void Call::give_up(const std::string& why) {
  std::exchange(exchange_, nullptr)->reset(Reset::kCancelled);
  end(why);
}

void Call::end(const std::string& why) {
  events_.ended(why);
}

}  // namespace hone::mesh::xds
