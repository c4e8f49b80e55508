// Helpers of the tests: a listener, both sides of a connection, and a client that breaks its memory.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "hone/shm.hpp"

namespace hone::shm::test {

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// Listener is a socket at a path of its own.
class Listener {
 public:
  Listener() {
    EXPECT_NE(::mkdtemp(directory_.data()), nullptr);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path().copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(socket_.get(), 8), 0);
  }
  ~Listener() {
    ::unlink(path().c_str());
    ::rmdir(directory_.c_str());
  }

  std::string path() const { return directory_ + "/s"; }
  Descriptor accept() const { return Descriptor(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC)); }

 private:
  std::string directory_ = "/tmp/hone-shm-XXXXXX";
  Descriptor socket_{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
};

// Both sides of a connection that has begun: the client's first byte is read.
struct Sides {
  Connection client, server;
};

// Options of clients on a machine that does much else.
inline Options patient() {
  return {.patience = std::chrono::minutes(5)};
}

inline Sides connected(const Server& server, const Options& options = patient()) {
  const Listener listener;
  Sides sides;
  std::thread client([&] {
    sides.client = connect(listener.path(), options);
    EXPECT_EQ(sides.client.write_waiting(bytes_of("x")).error, 0);
  });
  sides.server = server.answer(listener.accept());
  std::array<std::byte, 1> first;
  EXPECT_EQ(sides.server.read_waiting(first).bytes, 1U);
  client.join();
  return sides;
}

// Breaker is a client that maps the segment as it likes.
class Breaker {
 public:
  explicit Breaker(const Server& server) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    socket = Descriptor(ends[0]);
    peer = server.answer(Descriptor(ends[1]));
    EXPECT_EQ(detail::send(ends[0], detail::hello(detail::kKnowsNoPairs)).bytes, detail::kHelloBytes);
    EXPECT_TRUE(peer.read(first).would_block());
    detail::Hello answer;
    EXPECT_EQ(detail::receive_hello(ends[0], answer, files).bytes, answer.size());
    capacity = detail::Answer::of_word(detail::word_of(answer)).ring_bytes;
    void* mapped = ::mmap(nullptr, detail::kHeaderBytes, PROT_READ | PROT_WRITE, MAP_SHARED, files.files[0].get(), 0);
    EXPECT_NE(mapped, MAP_FAILED);
    header = static_cast<std::byte*>(mapped);
    EXPECT_EQ(detail::send(ends[0], {&detail::kMapped, 1}).bytes, 1U);
    EXPECT_TRUE(peer.read(first).would_block());
    EXPECT_TRUE(peer.is_shared());
  }
  ~Breaker() { ::munmap(header, detail::kHeaderBytes); }

  template <class Number>
  std::atomic_ref<Number> word(std::size_t ring, std::size_t at) const {
    std::byte* where = header + detail::kControlsAt + ring * detail::kControlBytes + at;
    return std::atomic_ref<Number>(*reinterpret_cast<Number*>(where));
  }

  Connection peer;
  Descriptor socket;
  detail::Files files;
  std::uint64_t capacity = 0;

 private:
  std::byte* header = nullptr;
  std::array<std::byte, 1> first{};
};

}  // namespace hone::shm::test
