// What the proxy has to know of gRPC: who speaks it, how long a call may take, and how its errors are told.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.hpp"
#include "http/message.hpp"

namespace hone::mesh {

// True if a request is a call of gRPC.
bool is_grpc(const Head& request);

// Returns the time that a value of grpc-timeout gives, such as "100m" for 100 ms; nothing where it is none.
std::optional<Duration> parse_grpc_timeout(std::string_view value);

// GrpcCodes is a set of codes of gRPC, such as that of 14, UNAVAILABLE.
class GrpcCodes {
 public:
  void add(std::uint32_t code) { codes_ |= 1u << code; }
  bool is_empty() const { return codes_ == 0; }
  // Takes a value of grpc-status.
  bool contains(std::string_view status) const;

 private:
  std::uint32_t codes_ = 0;
};

// Returns the code of gRPC, as text, that an answer of the proxy with this status means.
std::string_view grpc_status_of(int status);

}  // namespace hone::mesh
