// Connections to one endpoint that says by TLS what it speaks: HTTP/2 where it can, and HTTP/1 otherwise.
#pragma once

#include "cluster/http1_pool.hpp"
#include "cluster/http2_pool.hpp"

namespace hone::mesh {

// AutoPool asks as long as there is no connection, and uses what the last answer was while there is one.
class AutoPool final : public Pool {
 public:
  AutoPool(Parts parts, const ConnectionSpec& spec, const Address& address);

  void acquire(Waiter& waiter) override;
  void drain() override;

 private:
  // Returns the pool that the last answer leads to, nullptr where its connections have ended.
  Pool* known();
  void on_connected(std::unique_ptr<Transport> transport, Alpn agreed);
  void on_failed(PoolFailure failure, std::string_view detail);

  // Those that wait for the answer.
  WaiterQueue waiters_;
  Dialler dialler_;
  Http1Pool http1_;
  Http2Pool http2_;
  // What the last connection agreed on, kNone before the first one.
  Alpn agreed_ = Alpn::kNone;
};

}  // namespace hone::mesh
