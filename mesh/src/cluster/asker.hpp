// Requests that the proxy makes for itself: to check whether an endpoint is well, or to send it spans.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "cluster/pool.hpp"
#include "http/exchange.hpp"
#include "net/parts.hpp"

namespace hone::mesh {

// Question is one request. Its texts live until the answer.
struct Question {
  std::string_view method = "GET";
  std::string_view scheme;
  std::string_view authority;
  std::string_view path;
  // Empty where there is no body.
  std::string_view content_type = {};
  std::string_view body = {};
};

// Answer is the outcome of a question.
struct Answer {
  // Zero where no answer came: there was no connection, it broke, or the time was over.
  int status = 0;
  // The first bytes of the body.
  std::string body = {};
  // The status in the trailers; empty where there is none.
  std::string grpc_status = {};
};

// Asker asks one endpoint one question after the other.
class Asker final : public MessageSink {
 public:
  // The number of bytes of a body that are kept.
  static constexpr std::size_t kMostBody = 64;

  Asker(Parts parts, std::unique_ptr<Pool> pool, Delegate<void(const Answer&)> answered);
  ~Asker() override;

  // Asks a question, while no other one is under way. `answered` is called once, perhaps before this returns.
  void ask(const Question& question, Duration timeout);

 private:
  void on_head(Head head) override;
  void on_body(Slice slice) override;
  void on_end(Headers trailers) override;
  void on_reset(Reset reason) override;
  void on_room() override {}
  void on_exchange(Exchange& exchange);
  void on_no_exchange(PoolFailure) { end(); }
  void on_timeout();
  void give_up();
  void end();

  Parts parts_;
  std::unique_ptr<Pool> pool_;
  const Delegate<void(const Answer&)> answered_;
  Timer timeout_;
  Waiter waiter_;
  // Not nullptr while an answer is awaited.
  Exchange* exchange_ = nullptr;
  Question question_;
  Answer answer_;
};

}  // namespace hone::mesh
