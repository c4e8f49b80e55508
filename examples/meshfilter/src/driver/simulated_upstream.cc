#include "driver/simulated_upstream.h"

#include "core/random.h"
#include "core/text.h"

namespace mesh {

namespace {

constexpr std::string_view kTypes[] = {"application/json", "text/html; charset=utf-8", "image/webp",
                                       "text/css"};
constexpr std::string_view kCaching[] = {"no-store", "private, max-age=0, must-revalidate",
                                         "public, max-age=86400, immutable"};

unsigned pickStatus(Random& random, unsigned errorPerMille) {
  if (random.below(1000) < errorPerMille) return random.below(2) == 0 ? 500 : 503;
  const uint64_t dice = random.below(100);
  return dice < 88 ? 200 : dice < 92 ? 201 : dice < 96 ? 304 : dice < 98 ? 404 : 204;
}

}  // namespace

UpstreamReply SimulatedUpstream::exchange(const StreamInfo& info, std::string_view requestHead,
                                          HeaderMap& response) {
  digest_.add(requestHead);
  digest_.add(info.endpoint);
  Random random(info.streamId * 0x9e3779b97f4a7c15 + requestHead.size());
  const Cluster* cluster = clusters_->find(info.cluster);
  UpstreamReply reply;
  reply.status = pickStatus(random, cluster->errorPerMille);
  reply.latencyUs = cluster->latencyUs + random.below(cluster->latencyUs + 1);
  const bool hasBody = reply.status != 204 && reply.status != 304;
  reply.bodyBytes = hasBody ? random.between(64, 16'384) : 0;

  response.add("server", cluster->name);
  response.add("date", "Thu, 01 Jan 2026 00:00:00 GMT");
  if (hasBody) {
    std::string length;
    appendDecimal(length, reply.bodyBytes);
    response.add("content-type", kTypes[random.below(4)]);
    response.add("content-length", length);
  }
  response.add("cache-control", kCaching[random.below(3)]);
  if (reply.status == 200 || reply.status == 304) {
    std::string etag = "\"";
    appendHex(etag, random.next(), 16);
    etag.push_back('"');
    response.add("etag", etag);
  }
  response.add("x-internal-shard", info.endpoint);
  response.add("x-powered-by", "simulation");
  if (random.below(8) == 0) response.add("vary", "accept-encoding");
  return reply;
}

}  // namespace mesh
