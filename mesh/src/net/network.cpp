#include "net/network.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <string>

#include "base/text.hpp"

namespace hone::mesh {
namespace {

// The number of bits before those of an IPv4 address.
constexpr std::uint32_t kMapped = 96;

Ip mapped(const in_addr& four) {
  Ip ip{};
  ip[10] = ip[11] = 0xff;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&four);
  std::copy_n(bytes, 4, ip.begin() + 12);
  return ip;
}

Ip whole(const in6_addr& six) {
  Ip ip{};
  std::copy_n(six.s6_addr, ip.size(), ip.begin());
  return ip;
}

// Returns the mask of the byte at index `byte` for a length of `bits` bits.
std::uint8_t mask_of(std::size_t byte, std::uint32_t bits) {
  if (bits >= byte * 8 + 8) return 0xff;
  return bits <= byte * 8 ? std::uint8_t{0} : static_cast<std::uint8_t>(0xff00u >> (bits - byte * 8));
}

}  // namespace

std::optional<Ip> ip_of(const Address& address) {
  if (address.family() == AF_INET) return mapped(reinterpret_cast<const sockaddr_in*>(address.data())->sin_addr);
  if (address.family() == AF_INET6) return whole(reinterpret_cast<const sockaddr_in6*>(address.data())->sin6_addr);
  return std::nullopt;
}

std::optional<Network> Network::parse(std::string_view text) {
  std::string_view length = text;
  const std::string host(take_until(length, '/'));
  Network network;
  std::uint32_t before = 0;
  if (in_addr four; ::inet_pton(AF_INET, host.c_str(), &four) == 1) {
    network.base_ = mapped(four);
    before = kMapped;
  } else if (in6_addr six; ::inet_pton(AF_INET6, host.c_str(), &six) == 1) {
    network.base_ = whole(six);
  } else {
    return std::nullopt;
  }
  const std::optional<std::uint64_t> bits = text.size() == host.size() ? 128 - before : number(length);
  if (!bits || *bits > 128 - before) return std::nullopt;
  network.bits_ = static_cast<std::uint32_t>(*bits) + before;
  for (std::size_t at = 0; at < network.base_.size(); ++at) {
    if ((network.base_[at] & ~mask_of(at, network.bits_)) != 0) return std::nullopt;
  }
  return network;
}

bool Network::contains(const Ip& ip) const {
  for (std::size_t at = 0; at < ip.size(); ++at) {
    if (((ip[at] ^ base_[at]) & mask_of(at, bits_)) != 0) return false;
  }
  return true;
}

}  // namespace hone::mesh
