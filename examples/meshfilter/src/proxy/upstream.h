#pragma once

#include <cstdint>
#include <string_view>

#include "filters/filter.h"
#include "http/header_map.h"

namespace mesh {

struct UpstreamReply {
  unsigned status = 200;
  uint64_t bodyBytes = 0;
  uint64_t latencyUs = 0;
};

/// The side of the proxy that talks to endpoints.
class Upstream {
 public:
  virtual ~Upstream() = default;
  /// Sends an encoded request head to the endpoint in `info`, adds the reply's headers to
  /// `response`, and returns the rest of the reply.
  virtual UpstreamReply exchange(const StreamInfo& info, std::string_view requestHead,
                                 HeaderMap& response) = 0;
};

}  // namespace mesh
