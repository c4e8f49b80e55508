#pragma once

#include "core/hash.h"
#include "filters/cluster.h"
#include "proxy/upstream.h"

namespace mesh {

/// Endpoints that answer at once, with replies that depend on nothing but the stream and the
/// cluster's settings. Everything that is sent to them goes into a digest.
class SimulatedUpstream : public Upstream {
 public:
  void setClusters(const ClusterTable& clusters) { clusters_ = &clusters; }
  UpstreamReply exchange(const StreamInfo& info, std::string_view requestHead,
                         HeaderMap& response) override;
  uint64_t digest() const { return digest_.value(); }

 private:
  const ClusterTable* clusters_ = nullptr;
  Digest digest_;
};

}  // namespace mesh
