// How a connection begins: the client sends the magic and zeros; the server answers with the magic and the bytes of a
// ring, and sends a segment and an end of a socket along, or with 0 for a connection without memory; the client says
// whether it has mapped the segment.
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
#include <span>

#include "descriptor.hpp"
#include "layout.hpp"

namespace hone::shm {

// Options of one side.
struct Options {
  // How much may be on its way in each direction: a power of two from 64 KiB to 64 MiB. The server decides; a
  // connection takes twice that in memory.
  std::size_t ring_bytes = std::size_t{256} << 10;
  // How long a client waits for a server's answer, before it connects anew and does not ask: a server that does not
  // know shared memory may wait for more.
  std::chrono::milliseconds patience{1000};
  // Whether the other side's user may share memory; by default that of this process, and root.
  std::function<bool(uid_t)> allow = [](uid_t user) { return user == 0 || user == ::geteuid(); };
};

namespace detail {

inline constexpr std::size_t kHelloBytes = 16;
inline constexpr std::byte kMapped{1};
inline constexpr std::byte kUnmapped{0};
// Files that a server sends, and more than it sends.
inline constexpr std::size_t kFiles = 2;
inline constexpr std::size_t kMostFiles = 8;

using Hello = std::array<std::byte, kHelloBytes>;

inline Hello hello(std::uint64_t ring_bytes) {
  Hello text;
  std::memcpy(text.data(), kMagic, kMagicBytes);
  std::memcpy(text.data() + kMagicBytes, &ring_bytes, sizeof ring_bytes);
  return text;
}

inline std::uint64_t ring_bytes_of(const Hello& text) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text.data() + kMagicBytes, sizeof bytes);
  return bytes;
}

// Whether bytes may be the first ones of a hello.
inline bool is_hello_so_far(std::span<const std::byte> first) {
  return std::memcmp(first.data(), kMagic, std::min(first.size(), kMagicBytes)) == 0;
}

// Whether the process at the other end of a socket may share memory.
inline bool may_share(int socket, const Options& options) {
  ucred peer{};
  socklen_t bytes = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && options.allow(peer.uid);
}

inline bool is_option(int socket, int name, int wanted) {
  int value = 0;
  socklen_t bytes = sizeof value;
  return ::getsockopt(socket, SOL_SOCKET, name, &value, &bytes) == 0 && value == wanted;
}

// Whether a file that came from the other side is a stream socket of Unix, as that for space is.
inline bool is_unix_stream(int file) {
  return is_option(file, SO_DOMAIN, AF_UNIX) && is_option(file, SO_TYPE, SOCK_STREAM);
}

// Room for the control message of so many files, aligned as the system wants it.
template <std::size_t Files>
struct alignas(cmsghdr) Rights {
  std::array<std::byte, CMSG_SPACE(Files * sizeof(int))> bytes{};
};

// Sends an answer, with the files of an offer. Returns 0 or the system's error; a socket that takes a part only has
// ended.
inline int send_hello(int socket, Hello text, std::span<const int> files) {
  Rights<kFiles> rights;
  iovec piece{text.data(), text.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (!files.empty()) {
    message.msg_control = rights.bytes.data();
    message.msg_controllen = CMSG_SPACE(files.size_bytes());
    cmsghdr* first = CMSG_FIRSTHDR(&message);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(files.size_bytes());
    std::memcpy(CMSG_DATA(first), files.data(), files.size_bytes());
  }
  const Transfer sent = transferred([&] { return ::sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL); });
  if (sent.error != 0) return sent.error;
  return sent.bytes < text.size() ? EPIPE : 0;
}

// Files that came with an answer. Those that there is no room for are closed, and counted.
struct Files {
  std::array<Descriptor, kFiles> files;
  std::size_t count = 0;

  void take(int number) {
    Descriptor file(number);
    if (count < kFiles) files[count] = std::move(file);
    ++count;
  }
};

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
      files.take(number);
    }
  }
  return got;
}

}  // namespace detail
}  // namespace hone::shm
