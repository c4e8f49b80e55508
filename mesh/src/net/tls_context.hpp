// What all TLS connections of a listener or a cluster share: versions, certificates, keys, and whom to trust.
//
// TLS 1.2 and 1.3 alone, with keys that are agreed afresh for each connection and ciphers that authenticate. Nothing is
// renegotiated or compressed, and no data comes before the handshake is over. Tickets are encrypted by keys of the
// context, so that a client that comes back may meet any worker.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/identity.hpp"
#include "net/openssl.hpp"

namespace hone::mesh {

enum class TlsSide : std::uint8_t { kServer, kClient };
enum class TlsVersion : std::uint8_t { k12, k13 };

// Alpn is what is spoken above TLS, as both sides agree: a server takes, and a client offers, one of two or either.
// Nothing is agreed for kNone.
enum class Alpn : std::uint8_t { kNone, kHttp1, kHttp2, kEither };

class TlsContext;

// TlsSession is the last ticket that a client's connections got from one server, so that the next one needs no
// certificate. It belongs to one worker, and outlives the connections.
class TlsSession {
 public:
  // Has a connection of a context take up the session, and keep what tickets come. A session of another context is
  // forgotten: who was trusted by that one may be trusted no longer.
  void join(SSL* ssl, const TlsContext& context);

 private:
  friend class TlsContext;
  static int on_ticket(SSL* ssl, SSL_SESSION* session);

  Openssl<SSL_SESSION> last_;
  // Fingerprint of the context that it is of.
  std::string of_;
};

// TlsContext is filled while a configuration is read, and then used by all workers.
class TlsContext {
 public:
  // Throws std::bad_alloc where OpenSSL has no memory.
  TlsContext(TlsSide side, TlsVersion least, Alpn alpn);
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  // The following return what is wrong with a text, or nothing. No message has a part of the text in it.

  // Adds a certificate, with those between it and its authority behind it, and its key. A server has one for each set
  // of names, and shows the first one to clients that ask for none of them.
  std::string add_certificates(std::string_view pem);
  std::string add_key(std::string_view pem);
  // Has the other side show a certificate of one of these authorities: where a trust domain is named, whoever has a
  // SPIFFE id of that one, and all others of theirs.
  std::string trust(std::string_view pem, const std::string& domain = {});
  // Has a server show a certificate of one of the system's authorities.
  std::string trust_system();
  // Refuses certificates that are in these lists, and all of authorities that have no list, or an old one.
  std::string revoke(std::string_view pem);
  // Has a server show a certificate for this name or number, if there is one. Names are told to it beforehand.
  void expect(std::string name);
  // Has the other side be one of these, if there are any.
  void expect(std::vector<IdentityMatch> peers);

  // Makes a connection. A client offers what is asked for, a server takes what its context was made with.
  Openssl<SSL> connection(Alpn offered = Alpn::kNone) const;

  TlsSide side() const { return side_; }
  // Returns when the first of its certificates is over, in seconds of Unix time; nothing where it has none.
  std::optional<std::int64_t> expires_s() const { return expires_s_; }
  // Returns what is the same for contexts that were made of the same things, and of no others.
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  struct Identity {
    Openssl<X509> certificate;
    Openssl<STACK_OF(X509)> chain;
    Openssl<EVP_PKEY> key;
  };

  static int show_certificates(SSL* ssl, void* self);
  static int verify(X509_STORE_CTX* store, void* self);
  static int choose_protocol(SSL* ssl, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                             unsigned offered_size, void* self);

  // Verifies a chain by the authorities of its trust domain. Returns false with an error in it.
  bool verify_by_domain(X509_STORE_CTX* chain, std::string_view domain) const;
  // Notes what the context is made of.
  void note(std::string_view kind, std::string_view text);
  void add_names(std::size_t identity);
  // Returns the places of the identities for a name, in lower case.
  const std::vector<std::size_t>* find(std::string_view name) const;

  const TlsSide side_;
  const Alpn alpn_;
  Openssl<SSL_CTX> context_;
  std::vector<Identity> identities_;
  // Places of identities by name. One name may have several, with keys of different kinds.
  std::map<std::string, std::vector<std::size_t>, std::less<>> names_;
  std::string expected_;
  std::vector<IdentityMatch> peers_;
  // Authorities by trust domain, if there are any.
  std::map<std::string, Openssl<X509_STORE>, std::less<>> bundles_;
  // SHA-256 of all that was noted: keys are no longer in it.
  std::string fingerprint_;
  std::optional<std::int64_t> expires_s_;
};

// Returns what OpenSSL says about its last error: a text that lives on, and never has anything of a message in it.
std::string_view openssl_error();

}  // namespace hone::mesh
