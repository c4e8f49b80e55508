// Addresses of listeners and endpoints: numbers with a port, or the path of a Unix socket.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hone::mesh {

// Address is an address to listen on or to connect to: "127.0.0.1:8080", "[::1]:8080", "unix:/run/shop.sock", or
// "shm:/run/shop.sock" for a Unix socket over which memory is shared. Paths may have two slashes more before them.
class Address {
 public:
  Address() = default;

  // Returns nothing where the text is no address.
  static std::optional<Address> parse(std::string_view text);
  // Returns the address that the kernel has reported, such as that of an accepted connection.
  static Address of(const sockaddr_storage& storage, socklen_t size);

  const sockaddr* data() const {
    return unix_ == nullptr ? reinterpret_cast<const sockaddr*>(&number_)
                            : reinterpret_cast<const sockaddr*>(unix_.get());
  }
  socklen_t size() const { return size_; }
  int family() const { return data()->sa_family; }
  bool is_unix() const { return family() == AF_UNIX; }
  bool shares_memory() const { return shares_memory_; }
  // Returns bytes that are the same only for the same socket.
  std::string_view bytes() const { return {reinterpret_cast<const char*>(data()), size_}; }
  bool is_socket_of(const Address& other) const { return bytes() == other.bytes(); }
  friend bool operator==(const Address& left, const Address& right) {
    return left.is_socket_of(right) && left.shares_memory_ == right.shares_memory_;
  }
  // True if the kernel chooses the port.
  bool has_any_port() const { return !is_unix() && text().ends_with(":0"); }
  // True if the address is reached only from this machine.
  bool is_local() const;
  // Returns the path of a Unix socket.
  std::string_view path() const;
  // Returns the IP address without its port, such as "127.0.0.1"; empty for Unix sockets.
  std::string host() const;
  // Returns the text that parse takes.
  std::string text() const;
  // Returns the value of Host for the address.
  std::string authority() const { return is_unix() ? "localhost" : text(); }

 private:
  // An IPv6 address or a smaller one: there may be many addresses.
  sockaddr_in6 number_{};
  socklen_t size_ = 0;
  // Nullptr for addresses that are no Unix sockets.
  std::shared_ptr<const sockaddr_un> unix_;
  bool shares_memory_ = false;
};

}  // namespace hone::mesh
