#include "net/tls_context.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <new>

#include "base/text.hpp"

namespace hone::mesh {
namespace {

// The ciphers that clients and servers of the last ten years have in common, with fresh keys and authentication. HTTP/2
// bans all others.
constexpr char kCiphers12[] = "ECDHE+AESGCM:ECDHE+CHACHA20";
// Keys of 112 bits of strength: RSA of 2048.
constexpr int kSecurityLevel = 2;
// The most certificates or lists of one file: more are a mistake.
constexpr int kMostObjects = 1000;
constexpr std::string_view kHttp1 = "\x08http/1.1";
constexpr std::string_view kHttp2 = "\x02h2";
constexpr std::string_view kBoth = "\x02h2\x08http/1.1";
// Sessions are taken up again only by the same program.
constexpr std::string_view kSessionContext = "hone-mesh";

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string_view protocols_of(Alpn alpn) {
  switch (alpn) {
    case Alpn::kHttp1:
      return kHttp1;
    case Alpn::kHttp2:
      return kHttp2;
    case Alpn::kEither:
      return kBoth;
    default:
      return {};
  }
}

Openssl<BIO> reader_of(std::string_view text) {
  return Openssl<BIO>(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Never asks a terminal for the password of a key.
int no_password(char*, int, int, void*) {
  return -1;
}

// Reads all objects of a kind in a text, by OpenSSL's function for one object. Returns the problem of the text, empty
// where there is none; `kind` is the word for the kind.
template <class Object, class Take>
std::string read_all(std::string_view pem, const std::string& kind,
                     Object* (*read_one)(BIO*, Object**, pem_password_cb*, void*), Take take) {
  ERR_clear_error();
  const Openssl<BIO> reader = reader_of(pem);
  int count = 0;
  while (Openssl<Object> read{read_one(reader.get(), nullptr, no_password, nullptr)}) {
    if (++count > kMostObjects) return "there are more than " + std::to_string(kMostObjects) + " " + kind + "s";
    take(std::move(read));
  }
  const bool is_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  if (count == 0) return "there is no " + kind + " in it";
  const std::string problem = is_end ? "" : "a " + kind + " in it is broken: " + std::string(openssl_error());
  ERR_clear_error();
  return problem;
}

template <class Take>
std::string read_certificates(std::string_view pem, Take take) {
  return read_all<X509>(pem, "certificate", PEM_read_bio_X509, take);
}

bool is_number(const std::string& name) {
  ASN1_OCTET_STRING* const number = a2i_IPADDRESS(name.c_str());
  ASN1_OCTET_STRING_free(number);
  ERR_clear_error();
  return number != nullptr;
}

}  // namespace

std::string_view openssl_error() {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  return reason == nullptr ? "it cannot be read" : reason;
}

void TlsSession::join(SSL* ssl, const TlsContext& context) {
  SSL_set_app_data(ssl, this);
  if (of_ != context.fingerprint()) {
    of_ = context.fingerprint();
    last_.reset();
  }
  if (last_ != nullptr) SSL_set_session(ssl, last_.get());
}

int TlsSession::on_ticket(SSL* ssl, SSL_SESSION* session) {
  auto* const self = static_cast<TlsSession*>(SSL_get_app_data(ssl));
  if (self == nullptr) return 0;
  // A connection may outlive the context that the session belongs to.
  const auto* const context = static_cast<const TlsContext*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
  if (context->fingerprint() != self->of_) return 0;
  self->last_.reset(session);
  return 1;
}

TlsContext::TlsContext(TlsSide side, TlsVersion least, Alpn alpn)
    : side_(side),
      alpn_(alpn),
      context_(SSL_CTX_new(side == TlsSide::kServer ? TLS_server_method() : TLS_client_method())) {
  if (context_ == nullptr) throw std::bad_alloc();
  note("side", side == TlsSide::kServer ? "server" : "client");
  note("least", std::to_string(static_cast<int>(least)));
  note("alpn", std::to_string(static_cast<int>(alpn)));
  SSL_CTX* const context = context_.get();
  SSL_CTX_set_min_proto_version(context, least == TlsVersion::k13 ? TLS1_3_VERSION : TLS1_2_VERSION);
  SSL_CTX_set_security_level(context, kSecurityLevel);
  SSL_CTX_set_cipher_list(context, kCiphers12);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // A connection without traffic holds no buffers. Each call reads one record, whatever comes meanwhile, and bytes that
  // came with it are kept: a record costs one call of the kernel and not two.
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_app_data(context, this);
  SSL_CTX_set_cert_verify_callback(context, verify, this);
  if (side == TlsSide::kServer) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_session_id_context(context, bytes_of(kSessionContext), kSessionContext.size());
    SSL_CTX_set_cert_cb(context, show_certificates, this);
    if (alpn != Alpn::kNone) SSL_CTX_set_alpn_select_cb(context, choose_protocol, this);
  } else {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, TlsSession::on_ticket);
  }
}

void TlsContext::note(std::string_view kind, std::string_view text) {
  std::string all = fingerprint_;
  for (const std::string_view part : {kind, text}) all.append(std::to_string(part.size())).append(":").append(part);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(all.data(), all.size(), digest, &size, EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
  OPENSSL_cleanse(all.data(), all.size());
  fingerprint_.assign(reinterpret_cast<const char*>(digest), size);
}

void TlsContext::expect(std::string name) {
  note("name", name);
  expected_ = std::move(name);
}

void TlsContext::expect(std::vector<IdentityMatch> peers) {
  for (const IdentityMatch& one : peers) note("peer", one.text());
  peers_ = std::move(peers);
}

std::string TlsContext::add_certificates(std::string_view pem) {
  note("certificates", pem);
  Identity identity;
  identity.chain.reset(sk_X509_new_null());
  std::string problem = read_certificates(pem, [&](Openssl<X509> read) {
    if (identity.certificate == nullptr) {
      identity.certificate = std::move(read);
    } else {
      sk_X509_push(identity.chain.get(), read.release());
    }
  });
  if (!problem.empty()) return problem;
  std::tm end{};
  ASN1_TIME_to_tm(X509_get0_notAfter(identity.certificate.get()), &end);
  const std::int64_t end_s = ::timegm(&end);
  expires_s_ = std::min(expires_s_.value_or(end_s), end_s);
  identities_.push_back(std::move(identity));
  if (side_ == TlsSide::kServer) add_names(identities_.size() - 1);
  return {};
}

std::string TlsContext::add_key(std::string_view pem) {
  note("key", pem);
  ERR_clear_error();
  Identity& identity = identities_.back();
  const Openssl<BIO> reader = reader_of(pem);
  identity.key.reset(PEM_read_bio_PrivateKey(reader.get(), nullptr, no_password, nullptr));
  std::string problem;
  if (identity.key == nullptr) {
    const bool has_password = pem.find("ENCRYPTED") != pem.npos;
    problem = has_password ? "the key in it has a password" : "there is no private key in it";
  } else if (X509_check_private_key(identity.certificate.get(), identity.key.get()) != 1) {
    problem = "the key in it is not that of the certificate";
  } else if (SSL_CTX_use_cert_and_key(context_.get(), identity.certificate.get(), identity.key.get(),
                                      identity.chain.get(), 1) != 1) {
    problem = "the certificate cannot be used: " + std::string(openssl_error());
  }
  ERR_clear_error();
  return problem;
}

std::string TlsContext::trust(std::string_view pem, const std::string& domain) {
  note("trust", pem);
  note("of", domain);
  X509_STORE* store = SSL_CTX_get_cert_store(context_.get());
  if (!domain.empty()) {
    Openssl<X509_STORE>& bundle = bundles_[domain];
    if (bundle == nullptr) bundle.reset(X509_STORE_new());
    if (bundle == nullptr) throw std::bad_alloc();
    store = bundle.get();
  }
  std::string problem = read_certificates(pem, [&](const Openssl<X509>& read) {
    X509_STORE_add_cert(store, read.get());
    // Clients are told whose certificates are wanted.
    if (side_ == TlsSide::kServer) SSL_CTX_add_client_CA(context_.get(), read.get());
  });
  if (side_ == TlsSide::kServer) {
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  return problem;
}

std::string TlsContext::revoke(std::string_view pem) {
  note("revoked", pem);
  X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context_.get()), X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
  return read_all<X509_CRL>(pem, "list (CRL)", PEM_read_bio_X509_CRL, [&](const Openssl<X509_CRL>& read) {
    X509_STORE_add_crl(SSL_CTX_get_cert_store(context_.get()), read.get());
    for (const auto& [domain, bundle] : bundles_) X509_STORE_add_crl(bundle.get(), read.get());
  });
}

std::string TlsContext::trust_system() {
  // When the system writes its authorities anew, their file has another time.
  struct stat file{};
  ::stat(X509_get_default_cert_file(), &file);
  note("system", std::to_string(file.st_mtim.tv_sec) + " " + std::to_string(file.st_size));
  const bool is_there = SSL_CTX_set_default_verify_paths(context_.get()) == 1;
  ERR_clear_error();
  return is_there ? "" : "the system's authorities cannot be read";
}

void TlsContext::add_names(std::size_t identity) {
  X509* const certificate = identities_[identity].certificate.get();
  auto* const all = static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int at = 0; at < sk_GENERAL_NAME_num(all); ++at) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(all, at);
    if (name->type != GEN_DNS) continue;
    std::string text(reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName)),
                     static_cast<std::size_t>(ASN1_STRING_length(name->d.dNSName)));
    std::transform(text.begin(), text.end(), text.begin(), lower);
    names_[std::move(text)].push_back(identity);
  }
  GENERAL_NAMES_free(all);
}

const std::vector<std::size_t>* TlsContext::find(std::string_view name) const {
  const auto whole = names_.find(name);
  if (whole != names_.end()) return &whole->second;
  // A wildcard stands for one label.
  const std::size_t dot = name.find('.');
  if (dot == name.npos) return nullptr;
  const auto wild = names_.find("*" + std::string(name.substr(dot)));
  return wild == names_.end() ? nullptr : &wild->second;
}

int TlsContext::show_certificates(SSL* ssl, void* self) {
  const TlsContext& context = *static_cast<const TlsContext*>(self);
  const char* const asked = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
  std::string name(asked == nullptr ? "" : asked);
  std::transform(name.begin(), name.end(), name.begin(), lower);
  const std::vector<std::size_t> first = {0};
  const std::vector<std::size_t>* const found = context.find(name);
  SSL_certs_clear(ssl);
  for (const std::size_t at : found == nullptr ? first : *found) {
    const Identity& identity = context.identities_[at];
    const int is_used =
        SSL_use_cert_and_key(ssl, identity.certificate.get(), identity.key.get(), identity.chain.get(), 1);
    if (is_used != 1) return 0;
  }
  return 1;
}

int TlsContext::choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                                unsigned offered_size, void* self) {
  const std::string_view ours = protocols_of(static_cast<const TlsContext*>(self)->alpn_);
  unsigned char* found = nullptr;
  const int result =
      SSL_select_next_proto(&found, size, bytes_of(ours), static_cast<unsigned>(ours.size()), offered, offered_size);
  *chosen = found;
  // A client that speaks none of our protocols is told so, before it sends bytes that we would take for another
  // protocol.
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

int TlsContext::verify(X509_STORE_CTX* chain, void* self) {
  const TlsContext& context = *static_cast<const TlsContext*>(self);
  const bool has_bundles = !context.bundles_.empty();
  const bool needs_identity = has_bundles || !context.peers_.empty();
  const std::string identity = needs_identity ? identity_of(X509_STORE_CTX_get0_cert(chain)) : std::string();
  const bool is_signed =
      has_bundles ? context.verify_by_domain(chain, trust_domain_of(identity)) : X509_verify_cert(chain) == 1;
  if (!is_signed) return 0;
  if (context.peers_.empty() || is_one_of(identity, context.peers_)) return 1;
  X509_STORE_CTX_set_error(chain, X509_V_ERR_APPLICATION_VERIFICATION);
  return 0;
}

bool TlsContext::verify_by_domain(X509_STORE_CTX* chain, std::string_view domain) const {
  const auto bundle = bundles_.find(domain);
  const Openssl<X509_STORE_CTX> own(X509_STORE_CTX_new());
  if (bundle == bundles_.end() || own == nullptr) {
    X509_STORE_CTX_set_error(chain, X509_V_ERR_CERT_UNTRUSTED);
    return false;
  }
  X509_STORE_CTX_init(own.get(), bundle->second.get(), X509_STORE_CTX_get0_cert(chain),
                      X509_STORE_CTX_get0_untrusted(chain));
  // The parameters: which side the other one is, the strength of its keys, and whether lists are looked at.
  X509_VERIFY_PARAM_set1(X509_STORE_CTX_get0_param(own.get()), X509_STORE_CTX_get0_param(chain));
  const bool is_signed = X509_verify_cert(own.get()) == 1;
  X509_STORE_CTX_set_error(chain, is_signed ? X509_V_OK : X509_STORE_CTX_get_error(own.get()));
  return is_signed;
}

Openssl<SSL> TlsContext::connection(Alpn offered) const {
  Openssl<SSL> ssl(SSL_new(context_.get()));
  if (ssl == nullptr) throw std::bad_alloc();
  if (side_ == TlsSide::kServer) {
    SSL_set_accept_state(ssl.get());
    return ssl;
  }
  SSL_set_connect_state(ssl.get());
  const std::string_view protocols = protocols_of(offered);
  SSL_set_alpn_protos(ssl.get(), bytes_of(protocols), static_cast<unsigned>(protocols.size()));
  if (expected_.empty()) return ssl;
  if (is_number(expected_)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl.get()), expected_.c_str());
    return ssl;
  }
  SSL_set_tlsext_host_name(ssl.get(), expected_.c_str());
  SSL_set_hostflags(ssl.get(), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  SSL_set1_host(ssl.get(), expected_.c_str());
  return ssl;
}

}  // namespace hone::mesh
