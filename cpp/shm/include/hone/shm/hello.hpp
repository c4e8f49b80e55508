// How a connection begins: the client sends the magic and the token of the pair that it has with the server; the server
// answers with the magic, the bytes of a ring and the connection's seat in the pair, and sends a segment and an end of
// a socket along, and with a new pair its page and an end of the bell; or with 0 for a connection without memory; the
// client says whether it has mapped the segment.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "descriptor.hpp"
#include "layout.hpp"

namespace hone::shm {

// Options of one side.
struct Options {
  // The number of bytes that may be on their way in each direction: a power of two from 64 KiB to 64 MiB. The server
  // decides; a connection takes twice that in memory.
  std::size_t ring_bytes = std::size_t{256} << 10;
  // The time that a client waits for a server's answer, before it connects anew and does not ask: a server that does
  // not know shared memory may wait for more bytes.
  std::chrono::milliseconds patience{1000};
  // Returns whether the other side's user may share memory; by default the user of this process, and root.
  std::function<bool(uid_t)> allow = [](uid_t user) { return user == 0 || user == ::geteuid(); };
};

namespace detail {

inline constexpr std::size_t kHelloBytes = 16;
inline constexpr std::byte kMapped{1};
inline constexpr std::byte kUnmapped{0};
// The words of a client in place of a token: it knows no pairs, or has none yet with the server.
inline constexpr std::uint64_t kKnowsNoPairs = 0;
inline constexpr std::uint64_t kHasNoPair = 1;
// The number of files that a server sends for a segment, and for a new pair, and a number that is larger than both.
inline constexpr std::size_t kFiles = 2;
inline constexpr std::size_t kFilesOfPair = 2;
inline constexpr std::size_t kMostFiles = 8;

using Hello = std::array<std::byte, kHelloBytes>;

inline Hello hello(std::uint64_t word) {
  Hello text;
  std::memcpy(text.data(), kMagic, kMagicBytes);
  std::memcpy(text.data() + kMagicBytes, &word, sizeof word);
  return text;
}

inline std::uint64_t word_of(const Hello& text) {
  std::uint64_t word = 0;
  std::memcpy(&word, text.data() + kMagicBytes, sizeof word);
  return word;
}

// Answer is a server's answer: the bytes of a ring, 0 for a connection without memory, and the seat in a pair, from 0
// on. They are the lower and the upper half of the word, where the seat is counted from 1.
struct Answer {
  std::uint64_t ring_bytes = 0;
  std::optional<std::size_t> seat;

  static Answer of_word(std::uint64_t word) {
    const std::uint64_t seat = word >> 32;
    return {word & 0xffff'ffff, seat == 0 ? std::nullopt : std::optional<std::size_t>(seat - 1)};
  }
  std::uint64_t word() const { return ring_bytes | (seat ? std::uint64_t{*seat + 1} << 32 : 0); }
};

// True if bytes may be the first ones of a hello.
inline bool is_hello_so_far(std::span<const std::byte> first) {
  return std::memcmp(first.data(), kMagic, std::min(first.size(), kMagicBytes)) == 0;
}

// Returns the process at the other end of a socket, and its user; -1 for both where the system does not tell.
inline ucred peer_of(int socket) {
  ucred peer{};
  socklen_t bytes = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0) return {-1, uid_t(-1), gid_t(-1)};
  return peer;
}

// True if the process at the other end of a socket may share memory.
inline bool may_share(int socket, const Options& options) {
  const ucred peer = peer_of(socket);
  return peer.pid != -1 && options.allow(peer.uid);
}

inline bool is_option(int socket, int name, int wanted) {
  int value = 0;
  socklen_t bytes = sizeof value;
  return ::getsockopt(socket, SOL_SOCKET, name, &value, &bytes) == 0 && value == wanted;
}

// True if a file that came from the other side is a stream socket of Unix, as the socket for space is.
inline bool is_unix_stream(int file) {
  return is_option(file, SO_DOMAIN, AF_UNIX) && is_option(file, SO_TYPE, SOCK_STREAM);
}

// Room for the control message of `Files` files, aligned as the system wants it.
template <std::size_t Files>
struct alignas(cmsghdr) Rights {
  std::array<std::byte, CMSG_SPACE(Files * sizeof(int))> bytes{};
};

// Files holds the files that come with an answer. Files without room are closed, and counted.
struct Files {
  std::array<Descriptor, kFiles + kFilesOfPair> files;
  std::size_t count = 0;

  void take(Descriptor file) {
    if (count < files.size()) files[count] = std::move(file);
    ++count;
  }
};

// Sends an answer, with the files of an offer. Returns 0 or the system's error; a socket that takes only a part of it
// has ended.
inline int send_hello(int socket, Hello text, const Files& files = {}) {
  Rights<kFiles + kFilesOfPair> rights;
  iovec piece{text.data(), text.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (files.count > 0) {
    const std::size_t bytes = files.count * sizeof(int);
    message.msg_control = rights.bytes.data();
    message.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* first = CMSG_FIRSTHDR(&message);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(bytes);
    for (std::size_t at = 0; at < files.count; ++at) {
      const int number = files.files[at].get();
      std::memcpy(CMSG_DATA(first) + at * sizeof number, &number, sizeof number);
    }
  }
  const Transfer sent = transferred([&] { return ::sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL); });
  if (sent.error != 0) return sent.error;
  return sent.bytes < text.size() ? EPIPE : 0;
}

// Receives a part of an answer, and the files that come with it.
inline Transfer receive_hello(int socket, std::span<std::byte> into, Files& files) {
  Rights<kMostFiles> rights;
  iovec piece{into.data(), into.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = rights.bytes.data();
  message.msg_controllen = rights.bytes.size();
  const Transfer got = transferred([&] { return ::recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC); });
  if (got.error != 0) return got;
  for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (one->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t at = 0; at < count; ++at) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(one) + at * sizeof number, sizeof number);
      files.take(Descriptor(number));
    }
  }
  return got;
}

}  // namespace detail
}  // namespace hone::shm
