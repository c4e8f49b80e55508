#include "net/address.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/text.hpp"

namespace hone::mesh {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr std::string_view kSharedMemory = "shm:";

// Returns the path behind the scheme, as written by itself or as in a URL.
std::string_view path_after(std::string_view scheme, std::string_view text) {
  text.remove_prefix(scheme.size());
  if (text.starts_with("///")) text.remove_prefix(2);
  return text;
}

}  // namespace

std::optional<Address> Address::parse(std::string_view text) {
  Address made;
  made.shares_memory_ = text.starts_with(kSharedMemory);
  if (made.shares_memory_ || text.starts_with(kUnix)) {
    const std::string_view path = path_after(made.shares_memory_ ? kSharedMemory : kUnix, text);
    sockaddr_un unix{};
    if (path.empty() || path.size() >= sizeof unix.sun_path || path.find('\0') != path.npos) return std::nullopt;
    unix.sun_family = AF_UNIX;
    std::memcpy(unix.sun_path, path.data(), path.size());
    made.size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
    made.unix_ = std::make_shared<const sockaddr_un>(unix);
    return made;
  }
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos) return std::nullopt;
  const std::optional<std::uint64_t> port = number(text.substr(colon + 1));
  if (!port || *port > 65535) return std::nullopt;
  std::string host(text.substr(0, colon));
  if (host == "localhost") host = "127.0.0.1";
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(static_cast<std::uint16_t>(*port));
    if (::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &six.sin6_addr) != 1) return std::nullopt;
    made.number_ = six;
    made.size_ = sizeof six;
    return made;
  }
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(static_cast<std::uint16_t>(*port));
  if (::inet_pton(AF_INET, host.c_str(), &four.sin_addr) != 1) return std::nullopt;
  std::memcpy(&made.number_, &four, sizeof four);
  made.size_ = sizeof four;
  return made;
}

Address Address::of(const sockaddr_storage& storage, socklen_t size) {
  Address made;
  made.size_ = size;
  if (storage.ss_family == AF_UNIX) {
    made.unix_ = std::make_shared<const sockaddr_un>(reinterpret_cast<const sockaddr_un&>(storage));
  } else {
    std::memcpy(&made.number_, &storage, std::min<std::size_t>(size, sizeof made.number_));
  }
  return made;
}

bool Address::is_local() const {
  if (family() == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(number_);
    return ntohl(four.sin_addr.s_addr) >> 24 == 127;
  }
  if (family() == AF_INET6) return IN6_IS_ADDR_LOOPBACK(&number_.sin6_addr);
  return true;
}

std::string_view Address::path() const {
  if (!is_unix() || size_ <= offsetof(sockaddr_un, sun_path)) return {};
  return unix_->sun_path;
}

std::string Address::host() const {
  char text[INET6_ADDRSTRLEN] = "";
  if (family() == AF_INET) {
    ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(number_).sin_addr, text, sizeof text);
  } else if (family() == AF_INET6) {
    ::inet_ntop(AF_INET6, &number_.sin6_addr, text, sizeof text);
  }
  return text;
}

std::string Address::text() const {
  if (is_unix()) return std::string(shares_memory_ ? kSharedMemory : kUnix).append(path());
  if (family() == AF_INET6) {
    const std::uint16_t port = ntohs(number_.sin6_port);
    return "[" + host() + "]:" + std::to_string(port);
  }
  return host() + ":" + std::to_string(ntohs(reinterpret_cast<const sockaddr_in&>(number_).sin_port));
}

}  // namespace hone::mesh
