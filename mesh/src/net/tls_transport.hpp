// TLS over any transport, on either side.
//
// What is to be sent is encrypted into an output of its own, which one write hands to the kernel. Plain bytes count as
// written when the kernel has taken what became of them: so whoever waits for an empty output waits for the right
// thing. One read of the carrier a turn is all that a peer gets, however many records come, and bytes that came behind
// the record that was asked for are told by has_more, since readiness does not tell of them.
#pragma once

#include <memory>
#include <string_view>

#include "net/output.hpp"
#include "net/tls_context.hpp"
#include "net/transport.hpp"

namespace hone::mesh {

// TlsTransport is good for reading and writing once its hands are shaken.
class TlsTransport final : public Transport {
 public:
  // A server's connection.
  TlsTransport(std::shared_ptr<const TlsContext> context, BufferPool& buffers, std::unique_ptr<Transport> carrier);
  // A client's connection, which offers protocols, and takes up the session.
  TlsTransport(std::shared_ptr<const TlsContext> context, BufferPool& buffers, std::unique_ptr<Transport> carrier,
               Alpn offered, std::shared_ptr<TlsSession> session);
  ~TlsTransport() override;

  enum class Progress : std::uint8_t { kDone, kWantsRead, kWantsWrite, kFailed };
  // Goes on with the handshake as far as it can without waiting.
  Progress shake_hands();
  // Returns why the connection failed, in OpenSSL's words; nothing where it did not.
  std::string_view failure() const { return failure_; }

  // After the handshake: what was agreed, kNone where nothing was.
  Alpn agreed() const;
  // Who the other side is by its certificate; empty where it showed none.
  std::string peer() const;
  bool is_resumed() const { return SSL_session_reused(ssl_.get()) == 1; }

  Transfer read(std::span<char> into) override;
  Transfer write(std::span<const iovec> from) override;
  // Tells the end by a close_notify: without it, what came is cut off.
  void shut_writes() override;
  bool has_more() const override { return has_more_; }
  int descriptor() const override { return carrier_->descriptor(); }
  void watch(Loop& loop, Watch& watch, Ready interest) override { carrier_->watch(loop, watch, interest); }
  void forget(Loop& loop, Watch& watch) override { carrier_->forget(loop, watch); }

 private:
  static const BIO_METHOD* carrier_method();
  static int read_carrier(BIO* bio, char* into, std::size_t size, std::size_t* got);
  static int write_carrier(BIO* bio, const char* from, std::size_t size, std::size_t* taken);

  // Encrypts one record's worth of the pieces from an offset on. Returns the bytes, 0 where the connection failed.
  std::size_t encrypt(std::span<const iovec> pieces, std::size_t offset);
  // Hands to the carrier what was encrypted. Returns the system's error.
  int flush();
  void fail(int error);

  const std::shared_ptr<const TlsContext> context_;
  BufferPool& buffers_;
  std::unique_ptr<Transport> carrier_;
  std::shared_ptr<TlsSession> session_;
  Output encrypted_;
  // Ends before the others, since its callbacks use them.
  Openssl<SSL> ssl_;
  std::string_view failure_;
  // Plain bytes that were encrypted, and are not yet told to be written.
  std::size_t owed_ = 0;
  // Records without data since the last with some.
  int idle_records_ = 0;
  // The carrier may be read once a turn.
  bool may_receive_ = false;
  bool was_blocked_ = false;
  bool has_more_ = false;
  bool is_broken_ = false;
};

}  // namespace hone::mesh
