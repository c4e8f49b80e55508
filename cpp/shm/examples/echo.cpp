// Sends back what comes over connections of shared memory, or sends and checks what comes back.
//
//   echo serve PATH RING_BYTES     until its standard input ends; says `ready`, and of each connection that has ended
//                                  `shared BYTES` or `ordinary BYTES`
//   echo call PATH SEED MESSAGES   sends so many messages of 1 byte to 1 MiB in an event loop; says `ready` once the
//                                  first is back, and `shared BYTES` or `ordinary BYTES` once all are
//
// Its twins are go/shm/internal/echo and crates/hone-shm/examples/echo.rs.
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
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "hone/shm.hpp"

namespace {

// For a machine that does much else.
constexpr std::chrono::minutes kPatience{5};

[[noreturn]] void fail(std::string_view what, int error = 0) {
  std::fprintf(stderr, "echo: %.*s: %s\n", static_cast<int>(what.size()), what.data(), std::strerror(error));
  std::exit(1);
}

void say(const std::string& line) {
  // In one piece: connections end at the same time.
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

std::string told(const hone::shm::Connection& connection, std::uint64_t bytes) {
  return (connection.is_shared() ? "shared " : "ordinary ") + std::to_string(bytes);
}

// Numbers that look random, by their place in a series (splitmix64).
std::uint64_t number(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t mixed = seed + (place + 1) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

// The byte that stands at a position of what a client sends.
std::byte byte_at(std::uint64_t seed, std::uint64_t position) {
  return static_cast<std::byte>(number(seed, position / 8) >> (position % 8 * 8));
}

void answer(hone::shm::Connection connection) {
  std::vector<std::byte> buffer(64 << 10);
  std::uint64_t bytes = 0;
  for (;;) {
    const hone::shm::Transfer got = connection.read_waiting(buffer);
    if (got.bytes == 0) break;
    const hone::shm::Transfer put = connection.write_waiting(std::span(buffer).first(got.bytes));
    bytes += put.bytes;
    if (put.error != 0) break;
  }
  say(told(connection, bytes));
}

void serve(const char* path, std::size_t ring_bytes) {
  hone::shm::Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fail("bind", errno);
  if (::listen(listener.get(), 64) != 0) fail("listen", errno);
  const hone::shm::Server server({.ring_bytes = ring_bytes});
  say("ready");
  for (;;) {
    std::array<pollfd, 2> waited{pollfd{listener.get(), POLLIN, 0}, pollfd{STDIN_FILENO, POLLIN, 0}};
    if (::poll(waited.data(), waited.size(), -1) < 0) continue;
    if (waited[1].revents != 0) std::_Exit(0);
    hone::shm::Descriptor accepted(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (accepted) std::thread(answer, server.answer(std::move(accepted))).detach();
  }
}

// Caller sends messages and checks what comes back.
class Caller {
 public:
  Caller(hone::shm::Connection connection, std::uint64_t seed, std::uint64_t messages)
      : connection_(std::move(connection)), seed_(seed), messages_(messages) {}

  void run() {
    for (;;) {
      const bool may_write = send();
      const hone::shm::Transfer got = connection_.read(buffer_);
      if (got.is_end()) break;
      if (got.would_block()) {
        if (!may_write) wait();
        continue;
      }
      if (got.error != 0) fail("read", got.error);
      check(got.bytes);
    }
    if (messages_ > 0 || received_ != sent_) fail("the other side ended");
    say(told(connection_, received_));
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
    if (!was_ready && received_ >= first_) say("ready");
  }

  void wait() {
    std::array<pollfd, 2> waited{pollfd{connection_.read_descriptor(), POLLIN, 0},
                                 pollfd{connection_.write_descriptor(), connection_.write_events(), 0}};
    ::poll(waited.data(), left_.empty() ? 1 : 2, -1);
  }

  hone::shm::Connection connection_;
  const std::uint64_t seed_;
  std::uint64_t messages_;
  std::vector<std::byte> message_;
  std::span<const std::byte> left_;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(64 << 10);
  std::uint64_t first_ = 0, sent_ = 0, received_ = 0;
  bool has_closed_ = false;
};

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.size() == 3 && arguments[0] == "serve") {
    serve(arguments[1].c_str(), std::strtoull(arguments[2].c_str(), nullptr, 10));
  } else if (arguments.size() == 4 && arguments[0] == "call") {
    hone::shm::Connection connection = hone::shm::connect(arguments[1], {.patience = kPatience});
    if (!connection.is_open()) fail("connect", errno);
    const auto seed = std::strtoull(arguments[2].c_str(), nullptr, 10);
    Caller(std::move(connection), seed, std::strtoull(arguments[3].c_str(), nullptr, 10)).run();
  } else {
    std::fputs("echo: wrong arguments; write echo serve PATH RING_BYTES, or echo call PATH SEED MESSAGES\n", stderr);
    return 2;
  }
}
