#include "wire/thrift/connection.hpp"

#include <algorithm>
#include <bit>

#include "http/thrift.hpp"
#include "wire/thrift/call.hpp"

namespace hone::mesh::thrift {
namespace {

// The time for which a connection that is to end still waits for calls on their way to it.
constexpr Duration kQuiet = std::chrono::milliseconds(500);

// Returns the path of a function: "/Service/function", or without a service that is not known. Empty where a call names
// two services.
std::string_view path_of_call(std::string_view name, const Headers& facts, Arena& arena) {
  const Header* const fact = facts.find(kServiceInIdl);
  const std::size_t colon = name.rfind(':');
  if (colon == name.npos) {
    return fact == nullptr ? arena.join("/", name) : arena.join("/", fact->value, "/", name);
  }
  const std::string_view service = name.substr(0, colon);
  if (fact != nullptr && fact->value != service) return {};
  return arena.join("/", service, "/", name.substr(colon + 1));
}

}  // namespace

Connection::Connection(Side side, Carrier carrier, Loop& loop, BufferPool& buffers, BlockPool& blocks,
                       std::unique_ptr<Transport> transport, const Limits& limits, Events events)
    : side_(side),
      carrier_(carrier),
      limits_(limits),
      events_(events),
      blocks_(blocks),
      channel_(loop, buffers, std::move(transport),
               {.readable = Delegate<void()>::of<&Connection::on_readable>(*this),
                .flushed = Delegate<void(bool)>::of<&Connection::on_flushed>(*this),
                .broken = Delegate<void()>::of<&Connection::close>(*this)}),
      timer_(Delegate<void()>::of<&Connection::on_timer>(*this)),
      process_(Delegate<void()>::of<&Connection::process>(*this)),
      numbered_(side == Side::kClient ? 2 * std::bit_ceil(std::size_t{limits.calls}) : 0),
      graveyard_(loop) {}

Connection::~Connection() = default;

void Connection::start() {
  channel_.start();
  set_timer();
}

Exchange* Connection::open(MessageSink& sink) {
  if (!has_room()) return nullptr;
  // Zero is for messages that belong to no call.
  do {
    last_sequence_ = (last_sequence_ + 1) & INT32_MAX;
  } while (last_sequence_ == 0 || numbered(last_sequence_) != nullptr);
  Envelope envelope;
  envelope.carrier = carrier_;
  envelope.sequence = envelope.header_sequence = static_cast<std::int32_t>(last_sequence_);
  Call& call = add(envelope);
  numbered(last_sequence_) = &call;
  call.sink_ = &sink;
  return &call;
}

// Input.

bool Connection::may_read() const {
  if (held_ > 0) return false;
  // The body of a message that has begun is always taken, and so are answers: they make room.
  if (left_ > 0 || !is_server()) return true;
  return !is_in_order_ && calls_.size() < limits_.calls && channel_.waiting() < kHighWater;
}

void Connection::on_readable() {
  if (!may_read()) return process();
  const Channel::Fill fill = channel_.fill();
  if (fill.is_full) {
    fail("what is before the body has more than 16 KiB");
    return;
  }
  if (fill.transfer.would_block()) return;
  if (fill.transfer.bytes == 0) return on_input_end();
  process();
}

void Connection::on_input_end() {
  const bool is_stale = !is_server() && was_used_ && calls_.size() == 1 && !calls_.front()->has_answer_;
  end(is_stale ? Reset::kStale : Reset::kClosed);
}

void Connection::process() {
  if (is_closed_) return;
  while (!is_closed_ && !channel_.input().empty() && may_read()) {
    if (left_ > 0) {
      pass_on();
    } else if (!begin_message()) {
      break;
    }
  }
  if (is_closed_) return;
  channel_.release_if_taken();
  may_read() ? channel_.resume() : channel_.hold();
  set_timer();
}

// Returns false where the rest of an envelope is still to come, or will never come.
bool Connection::begin_message() {
  Envelope envelope;
  const Opened opened = thrift::open(channel_.input(), limits_.message, envelope);
  if (opened.step == Opened::Step::kFault) return fail(opened.fault);
  if (opened.step == Opened::Step::kMore) {
    if (!std::exchange(is_in_head_, true)) head_began_ = channel_.loop().now();
    return false;
  }
  is_in_head_ = false;
  channel_.take(opened.taken);
  left_ = envelope.body;
  const bool is_call = envelope.kind == Kind::kCall || envelope.kind == Kind::kOneway;
  if (is_call != is_server())
    return fail(is_server() ? "an answer has come where calls do" : "a call has come where answers do");
  is_server() ? take_call(envelope) : take_answer(envelope);
  if (!is_closed_ && left_ == 0) end_message();
  return !is_closed_;
}

// Fills in the parts of a head that all messages have. Returns false where the facts are faulty.
bool Connection::take_facts(const Envelope& envelope, Call& call, Head& head) {
  head.function = envelope.name;
  head.coding = envelope.coding;
  head.keeper = channel_.keeper();
  head.body = {Body::Kind::kSized, envelope.body};
  const std::string_view fault = read_facts(envelope.facts, limits_.facts, call.arena_, head.headers);
  return fault.empty() || fail(fault);
}

void Connection::take_call(const Envelope& envelope) {
  Call& call = add(envelope);
  is_in_order_ = envelope.carrier == Carrier::kFramed;
  call.keeper_ = channel_.keeper();
  Head head;
  if (!take_facts(envelope, call, head)) return;
  head.method = call.is_oneway() ? kOneway : kCall;
  if (const Header* const service = head.headers.find(kToService)) head.authority = service->value;
  head.path = path_of_call(envelope.name, head.headers, call.arena_);
  // Servers differ in which of the two services they take.
  if (head.path.empty()) {
    fail("the message and its TTHeader name different services");
    return;
  }
  reading_ = &call;
  call.sink_ = events_.open(call);
  call.sink_->on_head(std::move(head));
}

void Connection::take_answer(const Envelope& envelope) {
  // An answer that comes after its call was given up is skipped, and so is a message that belongs to no call.
  Call* const numbered_so = numbered(static_cast<std::uint32_t>(envelope.sequence));
  const bool is_asked = numbered_so != nullptr && numbered_so->sequence_ == envelope.sequence &&
                        numbered_so->is_sent_ && !numbered_so->is_oneway();
  reading_ = is_asked ? numbered_so : nullptr;
  if (reading_ == nullptr && !is_shared() && !calls_.empty()) {
    fail("the answer is that of another call");
    return;
  }
  if (reading_ == nullptr) {
    Arena arena(blocks_);
    Headers facts;
    if (!read_facts(envelope.facts, limits_.facts, arena, facts).empty()) return;
    if (facts.find(kLeaving) != nullptr) drain();
    return;
  }
  Call& call = *reading_;
  Head head;
  call.has_answer_ = true;
  if (!take_facts(envelope, call, head)) return;
  if (head.headers.find(kLeaving) != nullptr) {
    head.headers.remove(kLeaving);
    drain();
  }
  head.status = envelope.kind == Kind::kReply
                    ? 200
                    : status_of_exception(channel_.input().substr(0, envelope.body), envelope.coding);
  call.sink_->on_head(std::move(head));
}

void Connection::pass_on() {
  const std::string_view part = channel_.input().substr(0, left_);
  const Slice slice{channel_.keeper(), part};
  channel_.take(part.size());
  left_ -= static_cast<std::uint32_t>(part.size());
  if (reading_ != nullptr && reading_->sink_ != nullptr) reading_->sink_->on_body(slice);
  if (!is_closed_ && left_ == 0) end_message();
}

void Connection::end_message() {
  Call* const call = std::exchange(reading_, nullptr);
  was_used_ = true;
  if (call == nullptr || call->sink_ == nullptr) return;
  if (is_server()) return call->sink_->on_end({});
  MessageSink* const sink = std::exchange(call->sink_, nullptr);
  remove(*call);
  sink->on_end({});
}

// Ends.

Connection::Call& Connection::add(const Envelope& envelope) {
  Call& call = *calls_.emplace_back(std::make_unique<Call>(*this, envelope));
  call.place_ = calls_.size() - 1;
  return call;
}

void Connection::remove(Call& call) {
  if (call.is_gone_) return;
  call.is_gone_ = true;
  if (reading_ == &call) reading_ = nullptr;
  if (call.is_held_) --held_;
  if (call.carrier_ == Carrier::kFramed) is_in_order_ = false;
  if (!is_server()) numbered(static_cast<std::uint32_t>(call.sequence_)) = nullptr;
  // The last call takes its place.
  std::swap(calls_[call.place_], calls_.back());
  calls_[call.place_]->place_ = call.place_;
  graveyard_.take(std::move(calls_.back()));
  calls_.pop_back();
  read_later();
  if (is_draining_) drained_at_ = channel_.loop().now();
  if (!is_server() && !is_closed_) events_.room(*this);
}

bool Connection::fail(std::string_view why) {
  if (is_closed_) return false;
  if (is_server()) events_.refused(why);
  // Answers that were given before are still right.
  channel_.flush();
  end(Reset::kProtocol);
  return false;
}

void Connection::drain() {
  if (is_closed_ || is_draining_) return;
  is_draining_ = true;
  drained_at_ = channel_.loop().now();
  // A client knows which calls it has sent.
  if (!is_server() && calls_.empty()) return close();
  set_timer();
}

void Connection::end(Reset reason) {
  if (is_closed_) return;
  is_closed_ = true;
  timer_.cancel();
  // Nothing is cut off where there is no call, and TLS tells the other side so.
  if (calls_.empty() && channel_.waiting() == 0) channel_.shut_writes();
  channel_.close();
  while (!calls_.empty()) {
    Call& call = *calls_.back();
    MessageSink* const sink = std::exchange(call.sink_, nullptr);
    remove(call);
    if (sink != nullptr) sink->on_reset(reason);
  }
  events_.ended(*this);
}

// Time.

// Returns the time until which the other side may still be waited for.
Moment Connection::deadline() const {
  const bool waits = channel_.waiting() > 0 || (left_ > 0 && held_ == 0);
  Moment found = waits ? channel_.last_moved() + limits_.stall : kNever;
  if (is_in_head_) found = std::min(found, head_began_ + limits_.head);
  if (!calls_.empty() || waits) return found;
  const Moment idle =
      is_draining_ ? std::max(channel_.last_moved(), drained_at_) + kQuiet : channel_.last_moved() + limits_.idle;
  return std::min(found, idle);
}

// Sets the timer soon enough for whatever has begun. Its handler then finds the exact deadline.
void Connection::set_timer() {
  if (is_closed_) return;
  Duration longest = std::min({limits_.head, limits_.stall, limits_.idle});
  if (is_draining_) longest = std::min(longest, kQuiet);
  const Moment soonest = channel_.loop().now() + longest;
  if (!timer_.is_set() || timer_.deadline() > soonest) channel_.loop().set(timer_, soonest);
}

void Connection::on_timer() {
  if (is_closed_) return;
  const Moment due = deadline();
  if (channel_.loop().now() < due) return channel_.loop().set(timer_, due);
  end(calls_.empty() ? Reset::kClosed : Reset::kTimeout);
}

}  // namespace hone::mesh::thrift
