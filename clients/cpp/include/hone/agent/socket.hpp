// The socket for packets, which never waits.
//
// The Unix socket is not connected: every packet finds the agent by its path, so one that was restarted is found again
// without anything to do. It costs the kernel a look at the path for each packet of a hundred samples.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace hone::agent::detail {

// The result of sending a packet.
enum class Outcome {
  taken,
  busy,      // the receiver's queue is full
  away,      // there is no receiver
  too_long,  // no packet of this size will ever be taken
};

class Socket {
 public:
  Socket() = default;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }

  // Opens a socket to an address as the agent's configuration writes it: unixgram:PATH or udp:ADDRESS:PORT. Returns the
  // error; empty where there is none.
  std::string open(std::string_view address) {
    const bool is_address = take_unix(address) || take_udp(address);
    if (!is_address) {
      return "'" + std::string(address) +
             "' is no address of an agent; write unixgram:PATH (a path of at most 107 bytes) or udp:ADDRESS:PORT";
    }
    fd_ = ::socket(to_.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd_ < 0) return system("the system gives no socket to send metrics");
    if (to_.any.sa_family == AF_UNIX) return {};
    if (::connect(fd_, &to_.any, length_) != 0) return system("no socket can be connected to the agent");
    // A connected socket reports that a packet found nobody.
    length_ = 0;
    return {};
  }

  Outcome send(std::string_view packet) const {
    const sockaddr* to = length_ > 0 ? &to_.any : nullptr;
    const int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
    if (::sendto(fd_, packet.data(), packet.size(), flags, to, length_) >= 0) return Outcome::taken;
    switch (errno) {
      case EMSGSIZE:
        return Outcome::too_long;
      case EAGAIN:
      case EINTR:
      case ENOBUFS:
      case ENOMEM:
        return Outcome::busy;
      default:
        return Outcome::away;
    }
  }

 private:
  static std::string system(std::string what) { return what + ": " + std::strerror(errno); }

  bool take_unix(std::string_view address) {
    constexpr std::string_view kHead = "unixgram:";
    if (!address.starts_with(kHead)) return false;
    const std::string_view path = address.substr(kHead.size());
    if (path.empty() || path.size() >= sizeof to_.unix_domain.sun_path) return false;
    if (path.find('\0') != std::string_view::npos) return false;
    to_.unix_domain.sun_family = AF_UNIX;
    path.copy(to_.unix_domain.sun_path, path.size());
    length_ = sizeof to_.unix_domain;
    return true;
  }

  bool take_udp(std::string_view address) {
    constexpr std::string_view kHead = "udp:";
    const std::size_t colon = address.rfind(':');
    if (!address.starts_with(kHead) || colon < kHead.size()) return false;
    std::string host(address.substr(kHead.size(), colon - kHead.size()));
    std::uint16_t port = 0;
    const char* end = address.data() + address.size();
    const auto read = std::from_chars(address.data() + colon + 1, end, port);
    if (read.ec != std::errc() || read.ptr != end) return false;
    if (::inet_pton(AF_INET, host.c_str(), &to_.v4.sin_addr) == 1) {
      to_.v4.sin_family = AF_INET;
      to_.v4.sin_port = htons(port);
      length_ = sizeof to_.v4;
      return true;
    }
    if (host.size() < 2 || host.front() != '[' || host.back() != ']') return false;
    host = host.substr(1, host.size() - 2);
    if (::inet_pton(AF_INET6, host.c_str(), &to_.v6.sin6_addr) != 1) return false;
    to_.v6.sin6_family = AF_INET6;
    to_.v6.sin6_port = htons(port);
    length_ = sizeof to_.v6;
    return true;
  }

  union {
    sockaddr any;
    sockaddr_un unix_domain;
    sockaddr_in v4;
    sockaddr_in6 v6;
    sockaddr_storage all;
  } to_{.all = {}};
  socklen_t length_ = 0;
  int fd_ = -1;
};

}  // namespace hone::agent::detail
