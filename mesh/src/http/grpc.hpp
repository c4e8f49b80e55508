// Support for gRPC: which requests are calls, how long a call may take, and how errors are reported.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.hpp"
#include "http/message.hpp"

namespace hone::mesh {

// True if a request is a call of gRPC.
bool is_grpc(const Head& request);

// Returns the time in a value of grpc-timeout, such as "100m" for 100 ms; nothing where the value is invalid.
std::optional<Duration> parse_grpc_timeout(std::string_view value);

// GrpcCodes is a set of codes of gRPC, such as 14, UNAVAILABLE.
class GrpcCodes {
 public:
  void add(std::uint32_t code) { codes_ |= 1u << code; }
  bool is_empty() const { return codes_ == 0; }
  // Returns whether the set has the code in a value of grpc-status.
  bool contains(std::string_view status) const;

 private:
  std::uint32_t codes_ = 0;
};

// Returns the code of gRPC, as text, for an HTTP status with which the proxy answers.
std::string_view grpc_status_of(int status);

}  // namespace hone::mesh
