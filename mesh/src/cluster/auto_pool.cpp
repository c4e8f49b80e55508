#include "cluster/auto_pool.hpp"

namespace hone::mesh {

AutoPool::AutoPool(Parts parts, const ConnectionSpec& spec, const Address& address)
    : dialler_(parts, spec, address, Alpn::kEither,
               {.connected = Delegate<void(std::unique_ptr<Transport>, Alpn)>::of<&AutoPool::on_connected>(*this),
                .failed = Delegate<void(PoolFailure, std::string_view)>::of<&AutoPool::on_failed>(*this)}),
      http1_(parts, spec, address),
      http2_(parts, spec, address) {}

Pool* AutoPool::known() {
  if (agreed_ == Alpn::kHttp2 && http2_.connections() > 0) return &http2_;
  if (agreed_ == Alpn::kHttp1 && http1_.connections() > 0) return &http1_;
  return nullptr;
}

void AutoPool::acquire(Waiter& waiter) {
  if (waiter.needs_http1) return http1_.acquire(waiter);
  if (Pool* const pool = known()) return pool->acquire(waiter);
  waiters_.push(waiter);
  if (dialler_.count() > 0) return;
  if (const PoolFailure failure = dialler_.dial_one(); failure != PoolFailure::kNone) on_failed(failure, {});
}

void AutoPool::on_connected(std::unique_ptr<Transport> transport, Alpn agreed) {
  const bool is_http2 = agreed == Alpn::kHttp2;
  // An endpoint that agrees on no protocol speaks HTTP/1.
  agreed_ = is_http2 ? Alpn::kHttp2 : Alpn::kHttp1;
  is_http2 ? http2_.adopt(std::move(transport)) : http1_.adopt(std::move(transport));
  Pool& pool = is_http2 ? static_cast<Pool&>(http2_) : http1_;
  while (Waiter* const first = waiters_.pop()) pool.acquire(*first);
}

void AutoPool::on_failed(PoolFailure failure, std::string_view detail) {
  while (Waiter* const first = waiters_.pop()) first->fail(failure, detail);
}

void AutoPool::drain() {
  http1_.drain();
  http2_.drain();
}

}  // namespace hone::mesh
