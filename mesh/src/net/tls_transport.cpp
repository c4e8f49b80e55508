#include "net/tls_transport.hpp"

#include <openssl/err.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace hone::mesh {
namespace {

// The most bytes that are encrypted before the kernel takes some of them. As many more may wait as answers to changes
// of keys, which a peer that reads nothing could ask for without end.
constexpr std::size_t kMostEncrypted = 64 * 1024;
// The most bytes that one record carries.
constexpr std::size_t kRecord = SSL3_RT_MAX_PLAIN_LENGTH;
// The most tickets, changes of keys and alerts in a row: no program has a use for more.
constexpr int kMostIdleRecords = 32;

}  // namespace

const BIO_METHOD* TlsTransport::carrier_method() {
  static const BIO_METHOD* const method = [] {
    BIO_METHOD* const made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "hone-mesh");
    if (made == nullptr) throw std::bad_alloc();
    BIO_meth_set_read_ex(made, read_carrier);
    BIO_meth_set_write_ex(made, write_carrier);
    BIO_meth_set_ctrl(made, [](BIO* bio, int command, long, void*) -> long {
      if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) == 0 ? 0 : 1;
      return command == BIO_CTRL_FLUSH ? 1 : 0;
    });
    return made;
  }();
  return method;
}

TlsTransport::TlsTransport(std::shared_ptr<const TlsContext> context, BufferPool& buffers,
                           std::unique_ptr<Transport> carrier)
    : TlsTransport(std::move(context), buffers, std::move(carrier), Alpn::kNone, nullptr) {}

TlsTransport::TlsTransport(std::shared_ptr<const TlsContext> context, BufferPool& buffers,
                           std::unique_ptr<Transport> carrier, Alpn offered, std::shared_ptr<TlsSession> session)
    : context_(std::move(context)),
      buffers_(buffers),
      carrier_(std::move(carrier)),
      session_(std::move(session)),
      encrypted_(buffers),
      ssl_(context_->connection(offered)) {
  BIO* const bio = BIO_new(carrier_method());
  if (bio == nullptr) throw std::bad_alloc();
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_.get(), bio, bio);
  if (session_ != nullptr) session_->join(ssl_.get(), *context_);
}

TlsTransport::~TlsTransport() {
  // Otherwise OpenSSL takes the session for one that must not be taken up again.
  if (!is_broken_) SSL_set_shutdown(ssl_.get(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
}

int TlsTransport::read_carrier(BIO* bio, char* into, std::size_t size, std::size_t* got) {
  TlsTransport& self = *static_cast<TlsTransport*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  *got = 0;
  const Transfer read =
      std::exchange(self.may_receive_, false) ? self.carrier_->read({into, size}) : Transfer{0, EAGAIN};
  if (read.would_block()) {
    self.was_blocked_ = true;
    BIO_set_retry_read(bio);
    return 0;
  }
  *got = read.bytes;
  if (read.is_end()) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
  return read.bytes > 0 ? 1 : 0;
}

int TlsTransport::write_carrier(BIO* bio, const char* from, std::size_t size, std::size_t* taken) {
  TlsTransport& self = *static_cast<TlsTransport*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  self.encrypted_.append({from, size});
  *taken = size;
  return 1;
}

int TlsTransport::flush() {
  return encrypted_.flush(*carrier_);
}

void TlsTransport::fail(int error) {
  is_broken_ = true;
  const long verified = SSL_get_verify_result(ssl_.get());
  if (error == SSL_ERROR_SYSCALL) {
    failure_ = "the connection ended";
  } else if (verified == X509_V_ERR_APPLICATION_VERIFICATION) {
    failure_ = "its certificate is another one's";
  } else {
    failure_ = verified == X509_V_OK ? openssl_error() : X509_verify_cert_error_string(verified);
  }
  ERR_clear_error();
  // The other side may be told the reason.
  flush();
  encrypted_.clear();
}

TlsTransport::Progress TlsTransport::shake_hands() {
  if (is_broken_ || flush() != 0) return Progress::kFailed;
  if (!encrypted_.is_empty()) return Progress::kWantsWrite;
  may_receive_ = true;
  // Each call takes one record, and several may have come.
  for (int records = 0; records < kMostIdleRecords; ++records) {
    was_blocked_ = false;
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl_.get());
    const int error = SSL_get_error(ssl_.get(), result);
    if (result != 1 && error != SSL_ERROR_WANT_READ) {
      fail(error);
      return Progress::kFailed;
    }
    if (result == 1 || was_blocked_) {
      if (flush() != 0) return Progress::kFailed;
      if (!encrypted_.is_empty()) return Progress::kWantsWrite;
      if (result != 1) return Progress::kWantsRead;
      has_more_ = SSL_has_pending(ssl_.get()) == 1;
      return Progress::kDone;
    }
  }
  failure_ = "the handshake has too many records";
  is_broken_ = true;
  return Progress::kFailed;
}

Alpn TlsTransport::agreed() const {
  const unsigned char* chosen = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl_.get(), &chosen, &size);
  const std::string_view name(reinterpret_cast<const char*>(chosen), size);
  if (name == "h2") return Alpn::kHttp2;
  return name == "http/1.1" ? Alpn::kHttp1 : Alpn::kNone;
}

std::string TlsTransport::peer() const {
  const X509* const certificate = SSL_get0_peer_certificate(ssl_.get());
  return certificate == nullptr ? std::string() : identity_of(certificate);
}

Transfer TlsTransport::read(std::span<char> into) {
  if (is_broken_) return {0, ECONNRESET};
  // The rest of the last read comes first, and the loop reports the carrier again.
  may_receive_ = !std::exchange(has_more_, false);
  std::size_t total = 0;
  int error = SSL_ERROR_NONE;
  while (total < into.size()) {
    was_blocked_ = false;
    ERR_clear_error();
    std::size_t got = 0;
    if (SSL_read_ex(ssl_.get(), into.data() + total, into.size() - total, &got) == 1) {
      total += got;
      idle_records_ = 0;
      if (SSL_has_pending(ssl_.get()) == 0) break;
      continue;
    }
    error = SSL_get_error(ssl_.get(), 0);
    if (error != SSL_ERROR_WANT_READ || was_blocked_) break;
    if (++idle_records_ > kMostIdleRecords) break;
  }
  const bool is_blocked = error == SSL_ERROR_WANT_READ && was_blocked_;
  const bool is_end = error == SSL_ERROR_ZERO_RETURN;
  if (error != SSL_ERROR_NONE && !is_blocked && !is_end) fail(error);
  if (!is_broken_ && (flush() != 0 || encrypted_.bytes() > 2 * kMostEncrypted)) is_broken_ = true;
  if (total > 0) {
    // The next read reports an end that came with the bytes.
    has_more_ = !is_blocked && (is_end || is_broken_ || SSL_has_pending(ssl_.get()) == 1);
    return {total, 0};
  }
  if (is_end) return {};
  return {0, is_broken_ ? ECONNRESET : EAGAIN};
}

std::size_t TlsTransport::encrypt(std::span<const iovec> pieces, std::size_t offset) {
  std::size_t at = 0;
  while (at < pieces.size() && offset >= pieces[at].iov_len) offset -= pieces[at++].iov_len;
  if (at == pieces.size()) return 0;
  const char* from = static_cast<const char*>(pieces[at].iov_base) + offset;
  std::size_t size = std::min(pieces[at].iov_len - offset, kRecord);
  BufferRef gathered;
  if (size < kRecord && at + 1 < pieces.size()) {
    gathered = BufferRef(buffers_);
    std::memcpy(gathered->bytes(), from, size);
    while (++at < pieces.size() && size < kRecord) {
      const std::size_t part = std::min(pieces[at].iov_len, kRecord - size);
      std::memcpy(gathered->bytes() + size, pieces[at].iov_base, part);
      size += part;
    }
    from = gathered->bytes();
  }
  ERR_clear_error();
  std::size_t taken = 0;
  if (SSL_write_ex(ssl_.get(), from, size, &taken) == 1) return taken;
  fail(SSL_get_error(ssl_.get(), 0));
  return 0;
}

Transfer TlsTransport::write(std::span<const iovec> from) {
  static_assert(kBufferBytes >= kRecord);
  if (is_broken_) return {0, EPIPE};
  if (const int error = flush(); error != 0) return {0, error};
  if (!encrypted_.is_empty()) return {0, EAGAIN};
  std::size_t offered = 0;
  for (const iovec& piece : from) offered += piece.iov_len;
  const std::size_t written = std::exchange(owed_, 0);
  std::size_t taken = written;
  while (taken < offered && encrypted_.bytes() < kMostEncrypted) {
    const std::size_t size = encrypt(from, taken);
    if (size == 0) return {0, EPIPE};
    taken += size;
  }
  if (const int error = flush(); error != 0) return {0, error};
  if (encrypted_.is_empty()) return {taken, 0};
  owed_ = taken - written;
  return written > 0 ? Transfer{written, 0} : Transfer{0, EAGAIN};
}

void TlsTransport::shut_writes() {
  if (!is_broken_ && owed_ == 0) {
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
    ERR_clear_error();
    flush();
  }
  carrier_->shut_writes();
}

}  // namespace hone::mesh
