// The state that all TLS connections of a listener or a cluster share: versions, certificates, keys, and authorities.
//
// Only TLS 1.2 and 1.3 are spoken, with keys that are agreed afresh for each connection and ciphers that authenticate.
// Nothing is renegotiated or compressed, and no data comes before the handshake is over. Tickets are encrypted by keys
// of the context, so that a client that comes back may meet any worker.
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

// Alpn is the protocol above TLS that both sides agree on: a server takes, and a client offers, one of the two or
// either. Nothing is agreed for kNone.
enum class Alpn : std::uint8_t { kNone, kHttp1, kHttp2, kEither };

class TlsContext;

// TlsSession is the last ticket that a client's connections got from one server, so that the next one needs no
// certificate. It belongs to one worker, and outlives the connections.
class TlsSession {
 public:
  // Has a connection of a context take up the session, and keep the tickets that come. A session of another context is
  // dropped: a peer that was trusted by that context may be trusted no longer.
  void join(SSL* ssl, const TlsContext& context);

 private:
  friend class TlsContext;
  static int on_ticket(SSL* ssl, SSL_SESSION* session);

  Openssl<SSL_SESSION> last_;
  // Fingerprint of the context that the session belongs to.
  std::string of_;
};

// TlsContext is filled while a configuration is read, and then used by all workers.
class TlsContext {
 public:
  // Throws std::bad_alloc where OpenSSL has no memory.
  TlsContext(TlsSide side, TlsVersion least, Alpn alpn);
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  // The following functions with a result return the problem of a text, or an empty text. No message has a part of the
  // text in it.

  // add_certificates adds a certificate, with those between it and its authority behind it, and add_key its key. A
  // server has one for each set of names, and shows the first one to clients that ask for none of them.
  std::string add_certificates(std::string_view pem);
  std::string add_key(std::string_view pem);
  // Has the other side show a certificate of one of these authorities. Where a trust domain is named, they are good
  // only for SPIFFE ids of that domain, and other domains need authorities of their own.
  std::string trust(std::string_view pem, const std::string& domain = {});
  // Has a server show a certificate of one of the system's authorities.
  std::string trust_system();
  // Refuses certificates that are in these lists, and all certificates of authorities that have no list, or an old one.
  std::string revoke(std::string_view pem);
  // Has a server show a certificate for this name or IP address, if it is not empty. Names are sent to the server
  // beforehand.
  void expect(std::string name);
  // Has the other side have one of these identities, if there are any.
  void expect(std::vector<IdentityMatch> peers);

  // Makes a connection. A client offers `offered`, a server takes the protocol that its context was made with.
  Openssl<SSL> connection(Alpn offered = Alpn::kNone) const;

  TlsSide side() const { return side_; }
  // Returns the time at which the first of its certificates expires, in seconds of Unix time; nothing where it has
  // none.
  std::optional<std::int64_t> expires_s() const { return expires_s_; }
  // Returns a text that is the same only for contexts that were made of the same things.
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

  // Verifies a chain by the authorities of its trust domain. Returns false with the error in the chain.
  bool verify_by_domain(X509_STORE_CTX* chain, std::string_view domain) const;
  // Adds a thing that the context is made of to the fingerprint.
  void note(std::string_view kind, std::string_view text);
  void add_names(std::size_t identity);
  // Returns the indices of the identities for a name, which is in lower case.
  const std::vector<std::size_t>* find(std::string_view name) const;

  const TlsSide side_;
  const Alpn alpn_;
  Openssl<SSL_CTX> context_;
  std::vector<Identity> identities_;
  // Indices of identities by name. One name may have several, with keys of different kinds.
  std::map<std::string, std::vector<std::size_t>, std::less<>> names_;
  std::string expected_;
  std::vector<IdentityMatch> peers_;
  // Authorities by trust domain, if there are any.
  std::map<std::string, Openssl<X509_STORE>, std::less<>> bundles_;
  // SHA-256 of all that was noted, which has no keys in it any more.
  std::string fingerprint_;
  std::optional<std::int64_t> expires_s_;
};

// Returns OpenSSL's text for its last error, which stays valid, and never has a part of a message in it.
std::string_view openssl_error();

}  // namespace hone::mesh
