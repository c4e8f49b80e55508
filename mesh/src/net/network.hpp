// IP addresses and ranges of them, for rules about the clients that may send requests.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "net/address.hpp"

namespace hone::mesh {

// Ip is the IP address of a machine: IPv6, or IPv4 as ::ffff:a.b.c.d.
using Ip = std::array<std::uint8_t, 16>;

// Returns the IP address in an address; nothing for Unix sockets.
std::optional<Ip> ip_of(const Address& address);

// Network is a range of IP addresses, such as "10.0.0.0/8", or one address, such as "::1".
class Network {
 public:
  // Returns nothing where the text is no network, or has bits beyond its length.
  static std::optional<Network> parse(std::string_view text);

  // True if the range has this address. IPv4 is the same whether it came in as such or over a socket of IPv6.
  bool contains(const Ip& ip) const;

 private:
  Ip base_{};
  std::uint32_t bits_ = 0;
};

}  // namespace hone::mesh
