// Connections to one endpoint that chooses its protocol by TLS: HTTP/2 where it can, and HTTP/1 otherwise.
#pragma once

#include "cluster/http1_pool.hpp"
#include "cluster/http2_pool.hpp"

namespace hone::mesh {

// AutoPool asks for the protocol as long as there is no connection, and uses the last answer while there is one.
class AutoPool final : public Pool {
 public:
  AutoPool(Parts parts, const ConnectionSpec& spec, const Address& address);

  void acquire(Waiter& waiter) override;
  void drain() override;

 private:
  // Returns the pool of the last answer, nullptr where its connections have ended.
  Pool* known();
  void on_connected(std::unique_ptr<Transport> transport, Alpn agreed);
  void on_failed(PoolFailure failure, std::string_view detail);

  // The waiters for the answer.
  WaiterQueue waiters_;
  Dialler dialler_;
  Http1Pool http1_;
  Http2Pool http2_;
  // The protocol that the last connection agreed on, kNone before the first one.
  Alpn agreed_ = Alpn::kNone;
};

}  // namespace hone::mesh
