// TLS over any transport, on either side.
//
// Bytes to be sent are encrypted into an output of their own, which one write hands to the kernel. Plain bytes count as
// written when the kernel has taken their encrypted form: so a caller that waits for an empty output waits for the
// right thing. A peer gets only one read of the carrier a turn, however many records come. Bytes that came behind the
// record to be read are reported by has_more, since readiness does not show them.
#pragma once

#include <memory>
#include <string_view>

#include "net/output.hpp"
#include "net/tls_context.hpp"
#include "net/transport.hpp"

namespace hone::mesh {

// TlsTransport is good for reading and writing once its handshake is done.
class TlsTransport final : public Transport {
 public:
  // Makes a server's connection.
  TlsTransport(std::shared_ptr<const TlsContext> context, BufferPool& buffers, std::unique_ptr<Transport> carrier);
  // Makes a client's connection, which offers protocols, and takes up the session.
  TlsTransport(std::shared_ptr<const TlsContext> context, BufferPool& buffers, std::unique_ptr<Transport> carrier,
               Alpn offered, std::shared_ptr<TlsSession> session);
  ~TlsTransport() override;

  enum class Progress : std::uint8_t { kDone, kWantsRead, kWantsWrite, kFailed };
  // Goes on with the handshake as far as it can without waiting.
  Progress shake_hands();
  // Returns the reason why the connection failed, in OpenSSL's words; empty where it did not.
  std::string_view failure() const { return failure_; }

  // Returns the protocol that the handshake agreed on, kNone where it agreed on none.
  Alpn agreed() const;
  // Returns the identity of the other side by its certificate; empty where it showed none.
  std::string peer() const;
  bool is_resumed() const { return SSL_session_reused(ssl_.get()) == 1; }

  Transfer read(std::span<char> into) override;
  Transfer write(std::span<const iovec> from) override;
  // Tells the end by a close_notify: without one, the stream counts as cut off.
  void shut_writes() override;
  bool has_more() const override { return has_more_; }
  int descriptor() const override { return carrier_->descriptor(); }
  void watch(Loop& loop, Watch& watch, Ready interest) override { carrier_->watch(loop, watch, interest); }
  void forget(Loop& loop, Watch& watch) override { carrier_->forget(loop, watch); }

 private:
  static const BIO_METHOD* carrier_method();
  static int read_carrier(BIO* bio, char* into, std::size_t size, std::size_t* got);
  static int write_carrier(BIO* bio, const char* from, std::size_t size, std::size_t* taken);

  // Encrypts one record's worth of the pieces from an offset on. Returns the number of bytes, 0 where the connection
  // failed.
  std::size_t encrypt(std::span<const iovec> pieces, std::size_t offset);
  // Hands the encrypted bytes to the carrier. Returns 0, or the system's error.
  int flush();
  void fail(int error);

  const std::shared_ptr<const TlsContext> context_;
  BufferPool& buffers_;
  std::unique_ptr<Transport> carrier_;
  std::shared_ptr<TlsSession> session_;
  Output encrypted_;
  // Destroyed before the members above, since its callbacks use them.
  Openssl<SSL> ssl_;
  std::string_view failure_;
  // The number of plain bytes that were encrypted and are not reported as written yet.
  std::size_t owed_ = 0;
  // The number of records without data since the last one with some.
  int idle_records_ = 0;
  // True if the carrier may be read, which it may once a turn.
  bool may_receive_ = false;
  bool was_blocked_ = false;
  bool has_more_ = false;
  bool is_broken_ = false;
};

}  // namespace hone::mesh
