#include "cluster/endpoint.hpp"

#include "cluster/auto_pool.hpp"
#include "cluster/thrift_pool.hpp"

namespace hone::mesh {

std::unique_ptr<Pool> make_pool(Parts parts, const ConnectionSpec& spec, const Address& address) {
  switch (spec.protocol) {
    case Protocol::kAuto:
      return std::make_unique<AutoPool>(parts, spec, address);
    case Protocol::kHttp2:
      return std::make_unique<Http2Pool>(parts, spec, address);
    case Protocol::kFramed:
    case Protocol::kTTHeader:
      return std::make_unique<ThriftPool>(parts, spec, address);
    default:
      return std::make_unique<Http1Pool>(parts, spec, address);
  }
}

Pool& Endpoint::pool() {
  if (pool_ == nullptr) pool_ = make_pool(parts_, *spec_, address_);
  return *pool_;
}

}  // namespace hone::mesh
