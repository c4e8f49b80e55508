// The other side of TLS for tests: OpenSSL over memory, and certificates that are made on the spot.
#pragma once

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <string>

#include "fakes.hpp"
#include "net/openssl.hpp"

namespace hone::mesh::testing {

// Certificate is a certificate with its key, as texts.
struct Certificate {
  std::string pem;
  std::string key;
};

// Authority signs certificates by a key that lives as long as the test.
class Authority {
 public:
  enum class Kind { kElliptic, kRsa };

  explicit Authority(const std::string& name = "authority")
      : key_(EVP_EC_gen("P-256")), certificate_(make(name, key_.get(), 3600, true)) {}

  std::string pem() const { return pem_of(certificate_.get()); }
  // Issues a certificate for a name, which holds for `seconds` from now on.
  Certificate issue(const std::string& name, long seconds = 3600, Kind kind = Kind::kElliptic) const {
    const Openssl<EVP_PKEY> key(kind == Kind::kRsa ? EVP_RSA_gen(2048) : EVP_EC_gen("P-256"));
    const Openssl<X509> made = make(name, key.get(), seconds, false);
    const Openssl<BIO> text(BIO_new(BIO_s_mem()));
    PEM_write_bio_PrivateKey(text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    return {pem_of(made.get()), read(text.get())};
  }

  // Returns a list with one certificate, which holds for `seconds` from now on.
  std::string revoke(const Certificate& certificate, long seconds = 3600) const {
    const Openssl<BIO> pem(BIO_new_mem_buf(certificate.pem.data(), static_cast<int>(certificate.pem.size())));
    const Openssl<X509> read_one(PEM_read_bio_X509(pem.get(), nullptr, nullptr, nullptr));
    const Openssl<X509_CRL> list(X509_CRL_new());
    X509_CRL_set_version(list.get(), 1);
    X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(certificate_.get()));
    ASN1_TIME* const time = ASN1_TIME_new();
    X509_CRL_set1_lastUpdate(list.get(), X509_gmtime_adj(time, -3600));
    X509_CRL_set1_nextUpdate(list.get(), X509_gmtime_adj(time, seconds));
    X509_REVOKED* const entry = X509_REVOKED_new();
    X509_REVOKED_set_serialNumber(entry, X509_get_serialNumber(read_one.get()));
    X509_REVOKED_set_revocationDate(entry, X509_gmtime_adj(time, -1800));
    X509_CRL_add0_revoked(list.get(), entry);
    ASN1_TIME_free(time);
    X509_CRL_sign(list.get(), key_.get(), EVP_sha256());
    const Openssl<BIO> text(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509_CRL(text.get(), list.get());
    return read(text.get());
  }

  static std::string read(BIO* bio) {
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(bio, &bytes);
    std::string text(bytes, static_cast<std::size_t>(size));
    (void)BIO_reset(bio);
    return text;
  }

 private:
  static std::string pem_of(X509* certificate) {
    const Openssl<BIO> text(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(text.get(), certificate);
    return read(text.get());
  }

  Openssl<X509> make(const std::string& name, EVP_PKEY* key, long seconds, bool is_authority) const {
    static long serial = 0;
    Openssl<X509> made(X509_new());
    X509_set_version(made.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -7200);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), seconds);
    X509_set_pubkey(made.get(), key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509* const issuer = is_authority ? made.get() : certificate_.get();
    X509_set_issuer_name(made.get(), X509_get_subject_name(issuer));
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, made.get(), nullptr, nullptr, 0);
    const bool is_number = name.find_first_not_of("0123456789.") == name.npos;
    const bool is_uri = name.find(':') != name.npos;
    const std::string names = (is_number ? "IP:" : is_uri ? "URI:" : "DNS:") + name;
    X509_EXTENSION* const extension = is_authority
                                          ? X509V3_EXT_conf_nid(nullptr, &context, NID_basic_constraints, "CA:TRUE")
                                          : X509V3_EXT_conf_nid(nullptr, &context, NID_subject_alt_name, names.c_str());
    X509_add_ext(made.get(), extension, -1);
    X509_EXTENSION_free(extension);
    X509_sign(made.get(), key_.get(), EVP_sha256());
    return made;
  }

  Openssl<EVP_PKEY> key_;
  Openssl<X509> certificate_;
};

// TlsPeer speaks TLS over a wire, whose bytes it reads and writes.
class TlsPeer {
 public:
  TlsPeer(SSL_CTX* context, Wire& wire, bool is_client) : wire_(wire), ssl_(SSL_new(context)) {
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    is_client ? SSL_set_connect_state(ssl_.get()) : SSL_set_accept_state(ssl_.get());
  }

  SSL* ssl() { return ssl_.get(); }
  // Takes the bytes that were written to it, goes on with the handshake or reads, and sends its answer.
  void turn() {
    const std::string got = std::exchange(wire_.written, {});
    BIO_write(SSL_get_rbio(ssl_.get()), got.data(), static_cast<int>(got.size()));
    if (!SSL_is_init_finished(ssl_.get())) SSL_do_handshake(ssl_.get());
    char bytes[4096];
    for (int size = 0; (size = SSL_read(ssl_.get(), bytes, sizeof bytes)) > 0;) {
      received.append(bytes, static_cast<std::size_t>(size));
    }
    send();
  }
  // Encrypts bytes into one record, which is sent with the next.
  void put(const std::string& bytes) { SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())); }
  // Sends the encrypted bytes, as one piece.
  void send() {
    std::string out = Authority::read(SSL_get_wbio(ssl_.get()));
    if (!out.empty()) wire_.incoming.push_back(std::move(out));
  }
  void say(const std::string& bytes) {
    put(bytes);
    send();
  }
  // Says that nothing more will come.
  void finish() {
    SSL_shutdown(ssl_.get());
    send();
  }
  bool has_finished() const { return (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0; }

  std::string received;

 private:
  Wire& wire_;
  Openssl<SSL> ssl_;
};

}  // namespace hone::mesh::testing
