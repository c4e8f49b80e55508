// Sends back all bytes that come over connections of shared memory, or sends bytes and checks those that come back.
// Each of the two is one event loop.
//
//   echo serve PATH RING_BYTES                   until its standard input ends; says `ready`, and for each connection
//                                                that has ended `paired BYTES`, `shared BYTES` or `ordinary BYTES`
//   echo call PATH SEED MESSAGES [CONNECTIONS]   sends MESSAGES messages of 1 byte to 1 MiB over each of CONNECTIONS
//                                                connections that are woken together, or over one that is woken by
//                                                itself; says `ready` once the first message of the first connection
//                                                is back, and for each connection `paired BYTES`, `shared BYTES` or
//                                                `ordinary BYTES` once all are back
//
// Its twins are go/shm/internal/echo and crates/base/hone-shm/examples/echo.rs.
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hone/shm.hpp"

namespace {

// Long enough for a machine that does much else.
constexpr std::chrono::minutes kPatience{5};

[[noreturn]] void fail(std::string_view what, int error = 0) {
  std::fprintf(stderr, "echo: %.*s: %s\n", static_cast<int>(what.size()), what.data(), std::strerror(error));
  std::exit(1);
}

void say(const std::string& line) {
  // In one piece, since connections end at the same time.
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

std::string told(const hone::shm::Connection& connection, std::uint64_t bytes) {
  const char* kind = connection.is_paired() ? "paired " : connection.is_shared() ? "shared " : "ordinary ";
  return kind + std::to_string(bytes);
}

// Numbers that look random, by their place in a series (splitmix64).
std::uint64_t number(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t mixed = seed + (place + 1) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

// Returns the byte at a position of all that a client sends.
std::byte byte_at(std::uint64_t seed, std::uint64_t position) {
  return static_cast<std::byte>(number(seed, position / 8) >> (position % 8 * 8));
}

// State is the event that a connection waits for, or its end.
enum class State { kWaitsToRead, kWaitsToReadAndWrite, kHasEnded };

// Loop is an event loop of uses of connections, by their keys.
template <class Use>
class Loop {
 public:
  explicit Loop(const hone::shm::Pairs& pairs) : pairs_(pairs) {}

  void add(std::uint64_t key, Use use) { uses_.emplace(key, std::pair(std::move(use), State::kWaitsToRead)); }
  bool is_empty() const { return uses_.empty(); }

  // Lets a connection go on until a call would block. Reports and removes one that has ended; news of it may still
  // come.
  void go_on(std::uint64_t key) {
    const auto found = uses_.find(key);
    if (found == uses_.end()) return;
    auto& [use, state] = found->second;
    state = use.go_on();
    if (state != State::kHasEnded) return;
    say(told(use.connection(), use.bytes()));
    uses_.erase(found);
  }

  // Waits for events of connections and of these files, and lets the connections go on that have them. Returns for each
  // file whether it is readable.
  template <std::size_t Files>
  std::array<bool, Files> turn(const std::array<int, Files>& files) {
    pairs_.take(news_);
    std::vector<pollfd> waited{{pairs_.descriptor(), POLLIN, 0}};
    for (const int file : files) waited.push_back({file, POLLIN, 0});
    std::vector<std::uint64_t> keys;
    for (const auto& [key, use_and_state] : uses_) {
      const hone::shm::Connection& connection = use_and_state.first.connection();
      if (connection.is_paired()) continue;
      keys.push_back(key);
      waited.push_back({connection.read_descriptor(), POLLIN, 0});
      if (use_and_state.second != State::kWaitsToReadAndWrite) continue;
      keys.push_back(key);
      waited.push_back({connection.write_descriptor(), connection.write_events(), 0});
    }
    ::poll(waited.data(), waited.size(), news_.empty() ? -1 : 0);
    for (const hone::shm::News& news : news_) go_on(news.key);
    for (std::size_t at = 0; at < keys.size(); ++at) {
      if (waited[1 + Files + at].revents != 0) go_on(keys[at]);
    }
    std::array<bool, Files> are_readable{};
    for (std::size_t at = 0; at < Files; ++at) are_readable[at] = waited[1 + at].revents != 0;
    return are_readable;
  }

 private:
  const hone::shm::Pairs& pairs_;
  std::map<std::uint64_t, std::pair<Use, State>> uses_;
  std::vector<hone::shm::News> news_;
};

// Answerer sends back all bytes that come.
class Answerer {
 public:
  explicit Answerer(hone::shm::Connection connection) : connection_(std::move(connection)) {}

  const hone::shm::Connection& connection() const { return connection_; }
  std::uint64_t bytes() const { return bytes_; }

  State go_on() {
    for (;;) {
      const bool reads = left_.empty();
      const hone::shm::Transfer came = reads ? connection_.read(buffer_) : connection_.write(left_);
      if (came.would_block()) return reads ? State::kWaitsToRead : State::kWaitsToReadAndWrite;
      // Its client has ended, or was killed.
      if (came.bytes == 0) return State::kHasEnded;
      left_ = reads ? std::span(buffer_).first(came.bytes) : left_.subspan(came.bytes);
      if (!reads) bytes_ += came.bytes;
    }
  }

 private:
  hone::shm::Connection connection_;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(64 << 10);
  // The part of the buffer that waits to be sent.
  std::span<std::byte> left_;
  std::uint64_t bytes_ = 0;
};

void serve(const char* path, std::size_t ring_bytes) {
  hone::shm::Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fail("bind", errno);
  if (::listen(listener.get(), 64) != 0) fail("listen", errno);
  const hone::shm::Server server({.ring_bytes = ring_bytes});
  const hone::shm::Pairs pairs;
  Loop<Answerer> loop(pairs);
  say("ready");
  for (std::uint64_t key = 0;;) {
    const auto [has_come, is_over] = loop.turn(std::array{listener.get(), STDIN_FILENO});
    if (is_over) return;
    if (!has_come) continue;
    hone::shm::Descriptor accepted(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!accepted) continue;
    loop.add(key, Answerer(server.answer(std::move(accepted), pairs, key)));
    ++key;
  }
}

// Caller sends messages and checks the bytes that come back.
class Caller {
 public:
  Caller(hone::shm::Connection connection, std::uint64_t key, std::uint64_t seed, std::uint64_t messages)
      : connection_(std::move(connection)), is_first_(key == 0), seed_(seed + key), messages_(messages) {}

  const hone::shm::Connection& connection() const { return connection_; }
  std::uint64_t bytes() const { return received_; }

  State go_on() {
    for (;;) {
      const bool may_write = send();
      const hone::shm::Transfer got = connection_.read(buffer_);
      if (got.is_end()) break;
      if (got.would_block()) {
        if (may_write) continue;
        return left_.empty() ? State::kWaitsToRead : State::kWaitsToReadAndWrite;
      }
      if (got.error != 0) fail("read", got.error);
      check(got.bytes);
    }
    if (messages_ > 0 || received_ != sent_) fail("the other side ended");
    return State::kHasEnded;
  }

 private:
  // Sends a piece. Returns whether there may be room for another.
  bool send() {
    if (left_.empty() && messages_ > 0) next();
    if (left_.empty()) {
      if (!has_closed_) connection_.close_write();
      has_closed_ = true;
      return false;
    }
    const hone::shm::Transfer put = connection_.write(left_);
    if (put.error != 0 && !put.would_block()) fail("write", put.error);
    left_ = left_.subspan(put.bytes);
    sent_ += put.bytes;
    return !put.would_block();
  }

  void next() {
    const std::uint64_t size = number(seed_ + 1, messages_);
    message_.resize(1 + (size >> 8) % (std::uint64_t{1} << size % 21));
    for (std::size_t at = 0; at < message_.size(); ++at) message_[at] = byte_at(seed_, sent_ + at);
    left_ = message_;
    if (first_ == 0) first_ = message_.size();
    --messages_;
  }

  void check(std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; ++at) {
      if (buffer_[at] != byte_at(seed_, received_ + at)) fail("another byte came back than was sent");
    }
    const bool was_ready = received_ >= first_;
    received_ += bytes;
    if (is_first_ && !was_ready && received_ >= first_) say("ready");
  }

  hone::shm::Connection connection_;
  bool is_first_;
  std::uint64_t seed_;
  std::uint64_t messages_;
  std::vector<std::byte> message_;
  std::span<const std::byte> left_;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(64 << 10);
  std::uint64_t first_ = 0, sent_ = 0, received_ = 0;
  bool has_closed_ = false;
};

// Calls over `connections` connections that are woken together, or for zero over one that is woken by itself.
void call(const std::string& path, std::uint64_t seed, std::uint64_t messages, std::uint64_t connections) {
  const hone::shm::Pairs pairs;
  const hone::shm::Options options{.patience = kPatience};
  Loop<Caller> loop(pairs);
  const std::uint64_t count = std::max<std::uint64_t>(connections, 1);
  for (std::uint64_t key = 0; key < count; ++key) {
    hone::shm::Connection made =
        connections > 0 ? hone::shm::connect(path, options, pairs, key) : hone::shm::connect(path, options);
    if (!made.is_open()) fail("connect", errno);
    loop.add(key, Caller(std::move(made), key, seed, messages));
  }
  // Only this side sends without having received.
  for (std::uint64_t key = 0; key < count; ++key) loop.go_on(key);
  while (!loop.is_empty()) loop.turn(std::array<int, 0>{});
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.size() == 3 && arguments[0] == "serve") {
    serve(arguments[1].c_str(), std::strtoull(arguments[2].c_str(), nullptr, 10));
  } else if ((arguments.size() == 4 || arguments.size() == 5) && arguments[0] == "call") {
    const auto number = [&](std::size_t at) { return std::strtoull(arguments[at].c_str(), nullptr, 10); };
    call(arguments[1], number(2), number(3), arguments.size() == 5 ? number(4) : 0);
  } else {
    std::fputs(
        "echo: wrong arguments; write echo serve PATH RING_BYTES, or echo call PATH SEED MESSAGES [CONNECTIONS]\n",
        stderr);
    return 2;
  }
}
