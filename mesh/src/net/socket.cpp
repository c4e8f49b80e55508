#include "net/socket.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace hone::mesh {
namespace {

constexpr int kBacklog = 4096;

// Repeats a call that a signal has interrupted.
template <class Call>
Transfer transferred(Call call) {
  for (;;) {
    const ssize_t count = call();
    if (count >= 0) return {static_cast<std::size_t>(count), 0};
    if (errno != EINTR) return {0, errno};
  }
}

void send_at_once(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

// Removes the socket of a process that has ended: one that nobody listens on.
void remove_stale(const Address& address) {
  struct stat found{};
  const std::string path(address.path());
  if (::lstat(path.c_str(), &found) != 0 || !S_ISSOCK(found.st_mode)) return;
  const Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (::connect(probe.get(), address.data(), address.size()) != 0 && errno == ECONNREFUSED) ::unlink(path.c_str());
}

}  // namespace

Transfer SocketTransport::read(std::span<char> into) {
  return transferred([&] { return ::recv(socket_.get(), into.data(), into.size(), 0); });
}

Transfer send_pieces(int socket, std::span<const iovec> pieces) {
  if (pieces.size() == 1) {
    return transferred([&] { return ::send(socket, pieces[0].iov_base, pieces[0].iov_len, MSG_NOSIGNAL); });
  }
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(pieces.data());
  message.msg_iovlen = pieces.size();
  return transferred([&] { return ::sendmsg(socket, &message, MSG_NOSIGNAL); });
}

void SocketTransport::shut_writes() {
  ::shutdown(socket_.get(), SHUT_WR);
}

Descriptor listen_on(const Address& address) {
  Descriptor socket(::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) fail(errno, "socket");
  const int on = 1;
  if (address.is_unix()) {
    remove_stale(address);
  } else {
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    if (address.family() == AF_INET6) ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  }
  if (::bind(socket.get(), address.data(), address.size()) != 0) fail(errno, address.text());
  if (::listen(socket.get(), kBacklog) != 0) fail(errno, address.text());
  return socket;
}

Address bound_address(int socket) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&storage), &size);
  return Address::of(storage, size);
}

Accepted accept_from(int listening) {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  Accepted accepted;
  for (;;) {
    const int number = ::accept4(listening, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (number >= 0) {
      accepted.socket = Descriptor(number);
      accepted.peer = Address::of(peer, size);
      if (!accepted.peer.is_unix()) send_at_once(number);
      return accepted;
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    accepted.error = errno;
    return accepted;
  }
}

Dialled dial(const Address& address) {
  Dialled dialled;
  Descriptor socket(::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) {
    dialled.error = errno;
    return dialled;
  }
  if (!address.is_unix()) send_at_once(socket.get());
  if (::connect(socket.get(), address.data(), address.size()) != 0 && errno != EINPROGRESS) {
    dialled.error = errno;
    return dialled;
  }
  dialled.socket = std::move(socket);
  return dialled;
}

void keep_alive(int socket) {
  const auto set = [socket](int level, int option, int value) {
    ::setsockopt(socket, level, option, &value, sizeof value);
  };
  constexpr int kQuiet_s = 10;
  constexpr int kBetween_s = 5;
  constexpr int kQuestions = 3;
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, kQuiet_s);
  set(IPPROTO_TCP, TCP_KEEPINTVL, kBetween_s);
  set(IPPROTO_TCP, TCP_KEEPCNT, kQuestions);
  // Bytes that are not acknowledged end the connection too: while they wait, the other side is not asked.
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, (kQuiet_s + kBetween_s * kQuestions) * 1000);
}

int connect_error(int socket) {
  int error = 0;
  socklen_t size = sizeof error;
  if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return errno;
  return error;
}

}  // namespace hone::mesh
