// One call on a connection of Thrift, and its exchange.
#pragma once

#include "base/recycled.hpp"
#include "wire/thrift/connection.hpp"

namespace hone::mesh::thrift {

// Call is destroyed by a task once it has ended.
class Connection::Call final : public Exchange, public Recycled<Connection::Call> {
 public:
  Call(Connection& connection, const Envelope& envelope);

  void write_head(const Head& head) override;
  void write_body(Slice slice) override;
  void write_end(const Headers& trailers) override;
  void reset(Reset reason) override;
  void set_reading(bool is_reading) override;
  std::size_t waiting() const override { return connection_.channel_.waiting(); }
  Arena& arena() override { return arena_; }

 private:
  friend class Connection;

  bool is_oneway() const { return kind_ == Kind::kOneway; }
  // Answers a client's one-way call, to which the endpoint sends no answer.
  void answer_oneway();

  Connection& connection_;
  // The index in the connection's list.
  std::size_t place_ = 0;
  Arena arena_;
  MessageSink* sink_ = nullptr;
  Task oneway_;

  // The values of the call itself, on either side.
  const Carrier carrier_;
  Kind kind_;
  Coding coding_;
  const std::int32_t sequence_;
  const std::int32_t header_sequence_;
  std::string_view name_;
  // The buffer that the name lies in.
  BufferRef keeper_;

  // The message that is to be written.
  Head head_;
  Slices body_;
  std::size_t body_bytes_ = 0;

  bool is_sent_ = false;
  bool has_answer_ = false;
  bool is_held_ = false;
  bool is_gone_ = false;
};

}  // namespace hone::mesh::thrift
