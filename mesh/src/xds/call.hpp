// A streaming call of gRPC, which both sides continue for as long as they like.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cluster/pool.hpp"
#include "cluster/spec.hpp"
#include "http/exchange.hpp"
#include "net/parts.hpp"

namespace hone::mesh::xds {

// Call is open from the connection to `ended`, which is called once; then it may be opened again.
class Call final : public MessageSink {
 public:
  struct Events {
    Delegate<void()> opened;
    // The message lives until the handler returns.
    Delegate<void(std::string_view)> message;
    // The call has ended, for this reason.
    Delegate<void(const std::string&)> ended;
  };
  Call(Parts parts, const ConnectionSpec& spec, const Address& address, Events events);
  ~Call() override;

  // Begins the call of a method. It may end before this returns.
  void open(std::string path);
  // Sends a message, where the call is open.
  void send(std::string_view message);
  bool is_open() const { return exchange_ != nullptr; }

 private:
  void on_exchange(Exchange& exchange);
  void on_no_exchange(PoolFailure failure);
  void on_head(Head head) override;
  void on_body(Slice slice) override;
  void on_end(Headers trailers) override;
  void on_reset(Reset reason) override;
  void on_room() override {}
  // Ends the call from this side.
  void give_up(const std::string& why);
  void end(const std::string& why);

  Parts parts_;
  const std::unique_ptr<Pool> pool_;
  const std::string scheme_;
  const std::string authority_;
  const Events events_;
  Waiter waiter_;
  std::string path_;
  // Not nullptr while the call is open.
  Exchange* exchange_ = nullptr;
  // The bytes of the next message that have come, its frame included.
  std::string input_;
};

}  // namespace hone::mesh::xds
