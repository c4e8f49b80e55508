// What all TLS connections of a listener or a cluster share: versions, certificates, keys, and whom to trust.
//
// TLS 1.2 and 1.3 alone, with keys that are agreed afresh for each connection and ciphers that authenticate. Nothing is
// renegotiated or compressed, and no data comes before the handshake is over. Tickets are encrypted by keys of the
// context, so that a client that comes back may meet any worker.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "net/openssl.hpp"

namespace hone::mesh {

enum class TlsSide : std::uint8_t { kServer, kClient };
enum class TlsVersion : std::uint8_t { k12, k13 };

// Alpn is what is spoken above TLS, as both sides agree: a server takes, and a client offers, one of two or either.
// Nothing is agreed for kNone.
enum class Alpn : std::uint8_t { kNone, kHttp1, kHttp2, kEither };

// TlsSession is the last ticket that a client's connections got from one server, so that the next one needs no
// certificate. It belongs to one worker, and outlives the connections.
class TlsSession {
 public:
  // Has a connection take up the session, and keep what tickets come.
  void join(SSL* ssl);

 private:
  friend class TlsContext;
  static int on_ticket(SSL* ssl, SSL_SESSION* session);

  Openssl<SSL_SESSION> last_;
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
  // Has the other side show a certificate of one of these authorities.
  std::string trust(std::string_view pem);
  // Has a server show a certificate of one of the system's authorities.
  std::string trust_system();
  // Has a server show a certificate for this name or number. Names are told to it beforehand.
  void expect(std::string name);

  // Makes a connection. A client offers what is asked for, a server takes what its context was made with.
  Openssl<SSL> connection(Alpn offered = Alpn::kNone) const;

  TlsSide side() const { return side_; }
  // Returns what is the same for contexts that were made of the same things, and of no others.
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  struct Identity {
    Openssl<X509> certificate;
    Openssl<STACK_OF(X509)> chain;
    Openssl<EVP_PKEY> key;
  };

  static int show_certificates(SSL* ssl, void* self);
  static int choose_protocol(SSL* ssl, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                             unsigned offered_size, void* self);

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
  // SHA-256 of all that was noted: keys are no longer in it.
  std::string fingerprint_;
};

// Returns what OpenSSL says about its last error: a text that lives on, and never has anything of a message in it.
std::string_view openssl_error();

}  // namespace hone::mesh
