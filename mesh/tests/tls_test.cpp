// TLS against OpenSSL over memory: the protocol, the trust of each side, the bytes, and the end of connections.
#include <gtest/gtest.h>

#include <fstream>

#include "mocks.hpp"
#include "net/handshake.hpp"
#include "net/tls.hpp"
#include "tls_peer.hpp"
#include "wire/http1/server.hpp"

namespace hone::mesh::testing {
namespace {

using Progress = TlsTransport::Progress;
using std::chrono::seconds;

std::string server_name(SSL* ssl) {
  const Openssl<X509> shown(SSL_get1_peer_certificate(ssl));
  char name[64] = "";
  if (shown) X509_NAME_get_text_by_NID(X509_get_subject_name(shown.get()), NID_commonName, name, sizeof name);
  return name;
}

// Reads all that is there, in pieces of this size.
std::string read_all(Transport& transport, std::size_t piece = 16384) {
  std::string all;
  std::string bytes(piece, '\0');
  for (;;) {
    const Transfer read = transport.read(bytes);
    if (read.bytes == 0) return all;
    all.append(bytes, 0, read.bytes);
  }
}

Transfer write(Transport& transport, std::string_view bytes) {
  const iovec piece{const_cast<char*>(bytes.data()), bytes.size()};
  return transport.write({&piece, 1});
}

// Both sides, of which one is ours.
class Secured : public ::testing::Test {
 protected:
  Secured() : client_context_(SSL_CTX_new(TLS_client_method())), server_context_(SSL_CTX_new(TLS_server_method())) {}

  // Our side is the server, with certificates for these names.
  void serve(std::initializer_list<std::string> names) {
    server_ = std::make_shared<TlsContext>(TlsSide::kServer, TlsVersion::k12, Alpn::kEither);
    for (const std::string& name : names) add(*server_, authority_.issue(name));
  }
  static void add(TlsContext& context, const Certificate& certificate) {
    ASSERT_EQ(context.add_certificates(certificate.pem), "");
    ASSERT_EQ(context.add_key(certificate.key), "");
  }
  void accept() {
    wire_ = {};
    transport_ = std::make_unique<TlsTransport>(server_, buffers_, std::make_unique<FakeTransport>(wire_));
    peer_ = std::make_unique<TlsPeer>(client_context_.get(), wire_, true);
  }

  // The peer shows this certificate as a client, and keeps its session.
  void show_as_client(const Certificate& certificate) {
    show_in(client_context_.get(), certificate);
    SSL_CTX_set_session_cache_mode(client_context_.get(), SSL_SESS_CACHE_CLIENT);
    SSL_CTX_set_app_data(client_context_.get(), this);
    SSL_CTX_sess_set_new_cb(client_context_.get(), [](SSL* ssl, SSL_SESSION* session) {
      static_cast<Secured*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)))->last_session_.reset(session);
      return 1;
    });
  }
  static void show_in(SSL_CTX* context, const Certificate& certificate) {
    const Openssl<BIO> pem(BIO_new_mem_buf(certificate.pem.data(), static_cast<int>(certificate.pem.size())));
    const Openssl<BIO> key(BIO_new_mem_buf(certificate.key.data(), static_cast<int>(certificate.key.size())));
    const Openssl<X509> read(PEM_read_bio_X509(pem.get(), nullptr, nullptr, nullptr));
    const Openssl<EVP_PKEY> private_key(PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr));
    SSL_CTX_use_cert_and_key(context, read.get(), private_key.get(), nullptr, 1);
  }

  // Our side is a client that expects a name, and the peer shows a certificate.
  void trust(const std::string& name) {
    client_ = std::make_shared<TlsContext>(TlsSide::kClient, TlsVersion::k12, Alpn::kNone);
    ASSERT_EQ(client_->trust(authority_.pem()), "");
    client_->expect(name);
  }
  void show(const Certificate& certificate) { show_in(server_context_.get(), certificate); }
  void connect(Alpn offered = Alpn::kNone) {
    wire_ = {};
    transport_ =
        std::make_unique<TlsTransport>(client_, buffers_, std::make_unique<FakeTransport>(wire_), offered, session_);
    peer_ = std::make_unique<TlsPeer>(server_context_.get(), wire_, false);
  }

  // Returns how the handshake ended.
  Progress shake() {
    for (int turns = 0; turns < 10; ++turns) {
      const Progress progress = transport_->shake_hands();
      peer_->turn();
      if (progress == Progress::kDone || progress == Progress::kFailed) return progress;
    }
    return Progress::kWantsRead;
  }

  Authority authority_;
  Openssl<SSL_CTX> client_context_;
  Openssl<SSL_CTX> server_context_;
  Openssl<SSL_SESSION> last_session_;
  BufferPool buffers_;
  Wire wire_;
  std::shared_ptr<TlsContext> server_;
  std::shared_ptr<TlsContext> client_;
  std::shared_ptr<TlsSession> session_ = std::make_shared<TlsSession>();
  std::unique_ptr<TlsTransport> transport_;
  std::unique_ptr<TlsPeer> peer_;
};

TEST_F(Secured, BytesGoBothWaysInBothVersions) {
  serve({"shop.test"});
  const std::string large(200'000, 'x');
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    accept();
    SSL_set_max_proto_version(peer_->ssl(), version);
    ASSERT_EQ(shake(), Progress::kDone);
    EXPECT_EQ(SSL_version(peer_->ssl()), version);
    peer_->say("ask");
    EXPECT_EQ(read_all(*transport_), "ask");
    for (std::size_t written = 0; written < large.size();) {
      const Transfer wrote = write(*transport_, std::string_view(large).substr(written));
      ASSERT_EQ(wrote.error, 0);
      written += wrote.bytes;
    }
    peer_->turn();
    EXPECT_EQ(peer_->received, large);
  }
}

TEST_F(Secured, OlderVersionsAreRefused) {
  serve({"shop.test"});
  accept();
  SSL_set_security_level(peer_->ssl(), 0);
  SSL_set_min_proto_version(peer_->ssl(), TLS1_VERSION);
  SSL_set_max_proto_version(peer_->ssl(), TLS1_1_VERSION);
  EXPECT_EQ(shake(), Progress::kFailed);
  EXPECT_EQ(transport_->failure(), "unsupported protocol");
}

TEST_F(Secured, ACertificateIsChosenByTheNameThatIsAskedFor) {
  serve({"first.test", "shop.test", "*.wild.test"});
  const std::pair<const char*, const char*> cases[] = {{"shop.test", "shop.test"},
                                                       {"SHOP.test", "shop.test"},
                                                       {"a.wild.test", "*.wild.test"},
                                                       {"other.test", "first.test"},
                                                       {"a.b.wild.test", "first.test"}};
  for (const auto& [asked, shown] : cases) {
    accept();
    SSL_set_tlsext_host_name(peer_->ssl(), asked);
    ASSERT_EQ(shake(), Progress::kDone) << asked;
    EXPECT_EQ(server_name(peer_->ssl()), shown) << asked;
  }
}

TEST_F(Secured, KeysOfTwoKindsServeOneName) {
  serve({"shop.test"});
  add(*server_, authority_.issue("shop.test", 3600, Authority::Kind::kRsa));
  for (const auto& [algorithms, kind] :
       {std::pair("RSA-PSS+SHA256", EVP_PKEY_RSA), std::pair("ECDSA+SHA256", EVP_PKEY_EC)}) {
    accept();
    SSL_set_tlsext_host_name(peer_->ssl(), "shop.test");
    SSL_set1_sigalgs_list(peer_->ssl(), algorithms);
    ASSERT_EQ(shake(), Progress::kDone) << algorithms;
    const Openssl<X509> shown(SSL_get1_peer_certificate(peer_->ssl()));
    EXPECT_EQ(EVP_PKEY_get_base_id(X509_get0_pubkey(shown.get())), kind);
  }
}

TEST_F(Secured, WhatIsSpokenIsAgreed) {
  serve({"shop.test"});
  const std::pair<std::string, Alpn> cases[] = {{"\x02h2\x08http/1.1", Alpn::kHttp2},
                                                {"\x08http/1.1\x02h2", Alpn::kHttp2},
                                                {"\x08http/1.1", Alpn::kHttp1},
                                                {"", Alpn::kNone}};
  for (const auto& [offered, agreed] : cases) {
    accept();
    SSL_set_alpn_protos(peer_->ssl(), reinterpret_cast<const unsigned char*>(offered.data()),
                        static_cast<unsigned>(offered.size()));
    ASSERT_EQ(shake(), Progress::kDone);
    EXPECT_EQ(transport_->agreed(), agreed);
  }
  accept();
  SSL_set_alpn_protos(peer_->ssl(), reinterpret_cast<const unsigned char*>("\x03imap"), 4);
  EXPECT_EQ(shake(), Progress::kFailed);
}

TEST_F(Secured, ClientsHaveToShowACertificateWhereOneIsWanted) {
  serve({"shop.test"});
  ASSERT_EQ(server_->trust(authority_.pem()), "");
  SSL_CTX_set_max_proto_version(client_context_.get(), TLS1_2_VERSION);
  accept();
  EXPECT_EQ(shake(), Progress::kFailed);
  EXPECT_EQ(transport_->failure(), "peer did not return a certificate");
  const Authority stranger("stranger");
  for (const Authority* authority : {&stranger, static_cast<const Authority*>(&authority_)}) {
    const Certificate shown = authority->issue("client.test");
    const Openssl<BIO> pem(BIO_new_mem_buf(shown.pem.data(), -1));
    const Openssl<BIO> key(BIO_new_mem_buf(shown.key.data(), -1));
    const Openssl<X509> certificate(PEM_read_bio_X509(pem.get(), nullptr, nullptr, nullptr));
    const Openssl<EVP_PKEY> private_key(PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr));
    accept();
    SSL_use_cert_and_key(peer_->ssl(), certificate.get(), private_key.get(), nullptr, 1);
    EXPECT_EQ(shake(), authority == &stranger ? Progress::kFailed : Progress::kDone);
  }
}

TEST_F(Secured, AServerIsTrustedForItsNameAlone) {
  const Authority stranger("stranger");
  struct Shown {
    const char* expected;
    Certificate shown;
    std::string_view failure;
  };
  const Shown cases[] = {
      {"shop.test", authority_.issue("shop.test"), ""},
      {"a.wild.test", authority_.issue("*.wild.test"), ""},
      {"10.0.0.1", authority_.issue("10.0.0.1"), ""},
      {"shop.test", authority_.issue("other.test"), "hostname mismatch"},
      {"10.0.0.1", authority_.issue("10.0.0.2"), "IP address mismatch"},
      {"shop.test", authority_.issue("shop.test", -3600), "certificate has expired"},
      {"shop.test", stranger.issue("shop.test"), "unable to get local issuer certificate"},
  };
  for (const Shown& one : cases) {
    trust(one.expected);
    show(one.shown);
    connect();
    EXPECT_EQ(shake(), one.failure.empty() ? Progress::kDone : Progress::kFailed) << one.failure;
    EXPECT_EQ(transport_->failure(), one.failure);
  }
}

TEST_F(Secured, AClientTakesUpItsSession) {
  trust("shop.test");
  show(authority_.issue("shop.test"));
  SSL_CTX_set_session_id_context(server_context_.get(), reinterpret_cast<const unsigned char*>("x"), 1);
  for (const bool is_resumed : {false, true, true}) {
    connect();
    ASSERT_EQ(shake(), Progress::kDone);
    EXPECT_EQ(transport_->is_resumed(), is_resumed);
    peer_->turn();
    EXPECT_EQ(read_all(*transport_), "");
  }
}

TEST_F(Secured, AServerTakesUpSessionsOfAllItsWorkers) {
  serve({"shop.test"});
  accept();
  SSL_CTX_set_session_cache_mode(client_context_.get(), SSL_SESS_CACHE_CLIENT);
  ASSERT_EQ(shake(), Progress::kDone);
  const Openssl<SSL_SESSION> session(SSL_get1_session(peer_->ssl()));
  EXPECT_EQ(SSL_SESSION_has_ticket(session.get()), 1);
  peer_->finish();
  accept();
  SSL_set_session(peer_->ssl(), session.get());
  ASSERT_EQ(shake(), Progress::kDone);
  EXPECT_EQ(SSL_session_reused(peer_->ssl()), 1);
}

TEST_F(Secured, RecordsThatCameTogetherAreToldOf) {
  serve({"shop.test"});
  accept();
  ASSERT_EQ(shake(), Progress::kDone);
  for (const char* bytes : {"one", "two", "three"}) peer_->put(bytes);
  peer_->send();
  char few[4];
  EXPECT_EQ(transport_->read(few).bytes, 4u);
  EXPECT_TRUE(transport_->has_more());
  EXPECT_EQ(read_all(*transport_, 4), "wothree");
  EXPECT_FALSE(transport_->has_more());
}

TEST_F(Secured, AnEndThatWasNotSaidIsNone) {
  serve({"shop.test"});
  for (const bool is_said : {true, false}) {
    accept();
    ASSERT_EQ(shake(), Progress::kDone);
    peer_->put("last");
    if (is_said) SSL_shutdown(peer_->ssl());
    peer_->send();
    wire_.is_ended = true;
    std::string bytes(100, '\0');
    EXPECT_EQ(transport_->read(bytes).bytes, 4u);
    EXPECT_EQ(transport_->has_more(), is_said) << "an end that came with bytes is told of";
    const Transfer end = transport_->read(bytes);
    EXPECT_EQ(end.is_end(), is_said);
    EXPECT_EQ(end.error, is_said ? 0 : ECONNRESET);
  }
}

TEST_F(Secured, AnEndIsSaidAndTheOtherWayStaysOpen) {
  serve({"shop.test"});
  accept();
  ASSERT_EQ(shake(), Progress::kDone);
  transport_->shut_writes();
  peer_->turn();
  EXPECT_TRUE(peer_->has_finished());
  EXPECT_TRUE(wire_.is_shut);
  peer_->say("more");
  EXPECT_EQ(read_all(*transport_), "more");
}

TEST_F(Secured, ManyPiecesAreOneRecordAndOneWrite) {
  serve({"shop.test"});
  accept();
  ASSERT_EQ(shake(), Progress::kDone);
  wire_.written.clear();
  wire_.writes = 0;
  std::string text = "abcdefghij";
  std::vector<iovec> pieces;
  for (char& letter : text) pieces.push_back({&letter, 1});
  EXPECT_EQ(transport_->write(pieces).bytes, 10u);
  EXPECT_EQ(wire_.writes, 1u);
  EXPECT_LT(wire_.written.size(), 10u + 50u) << "each record has 22 bytes beside its own";
  peer_->turn();
  EXPECT_EQ(peer_->received, text);
}

TEST_F(Secured, BytesAreWrittenWhenTheKernelHasTakenThem) {
  serve({"shop.test"});
  accept();
  ASSERT_EQ(shake(), Progress::kDone);
  const std::string large(150'000, 'y');
  std::string_view left = large;
  wire_.room = 0;
  EXPECT_TRUE(write(*transport_, left).would_block());
  int writes = 0;
  while (!left.empty() && ++writes < 1000) {
    wire_.room = 1000;
    const Transfer wrote = write(*transport_, left);
    ASSERT_TRUE(wrote.error == 0 || wrote.would_block());
    left.remove_prefix(wrote.bytes);
    peer_->turn();
    ASSERT_GE(peer_->received.size(), large.size() - left.size()) << "nothing is told before it is out";
  }
  EXPECT_EQ(peer_->received, large);
}

TEST_F(Secured, APeerThatOnlyChangesKeysIsGivenUp) {
  serve({"shop.test"});
  accept();
  ASSERT_EQ(shake(), Progress::kDone);
  std::string bytes(100, '\0');
  int changes = 0;
  for (; changes < 1000; ++changes) {
    SSL_key_update(peer_->ssl(), SSL_KEY_UPDATE_REQUESTED);
    SSL_do_handshake(peer_->ssl());
    peer_->send();
    Transfer read = transport_->read(bytes);
    while (transport_->has_more()) read = transport_->read(bytes);
    if (read.error == ECONNRESET) break;
    peer_->turn();
  }
  EXPECT_LT(changes, 100);
}

TEST_F(Secured, WhatIsWrongWithAFileIsToldWithoutItsText) {
  TlsContext context(TlsSide::kServer, TlsVersion::k12, Alpn::kNone);
  const Certificate one = authority_.issue("one.test");
  const Certificate other = authority_.issue("other.test");
  EXPECT_EQ(context.add_certificates("secret"), "there is no certificate in it");
  EXPECT_EQ(context.add_certificates(one.key), "there is no certificate in it");
  EXPECT_NE(context.add_certificates(one.pem + "-----BEGIN CERTIFICATE-----\nsecret\n-----END CERTIFICATE-----\n"), "");
  ASSERT_EQ(context.add_certificates(one.pem), "");
  EXPECT_EQ(context.add_key("secret"), "there is no private key in it");
  EXPECT_EQ(context.add_key(one.pem), "there is no private key in it");
  EXPECT_EQ(context.add_key(other.key), "the key in it is not that of the certificate");
  EXPECT_EQ(context.add_key("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"), "the key in it has a password");
  EXPECT_EQ(context.add_key(one.key), "");
  EXPECT_EQ(context.trust("secret"), "there is no certificate in it");
}

TEST_F(Secured, APeerIsWhoItsCertificateSays) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"spiffe://shop.test/cart", "spiffe://shop.test/cart"},
      {"client.test", "client.test"},
      {"10.0.0.1", ""},
      {"spiffe://shop.test/a,URI=spiffe://shop.test/boss", ""}};
  for (const auto& [name, identity] : cases) {
    serve({"shop.test"});
    ASSERT_EQ(server_->trust(authority_.pem()), "");
    show_as_client(authority_.issue(name));
    accept();
    ASSERT_EQ(shake(), Progress::kDone) << name;
    EXPECT_EQ(transport_->peer(), identity);
    // A client that takes up a session is still the same.
    accept();
    SSL_set_session(peer_->ssl(), last_session_.get());
    ASSERT_EQ(shake(), Progress::kDone);
    EXPECT_EQ(transport_->peer(), identity);
  }
  serve({"shop.test"});
  accept();
  ASSERT_EQ(shake(), Progress::kDone);
  EXPECT_EQ(transport_->peer(), "");
}

TEST_F(Secured, ClientsAreWhoTheyMayBe) {
  const std::vector<std::pair<std::string, Progress>> cases = {
      {"spiffe://shop.test/cart", Progress::kDone},    {"spiffe://shop.test/pay/a", Progress::kDone},
      {"spiffe://shop.test/pay", Progress::kFailed},   {"spiffe://shop.test/cart2", Progress::kFailed},
      {"spiffe://other.test/cart", Progress::kFailed}, {"shop.test", Progress::kFailed}};
  for (const auto& [name, progress] : cases) {
    serve({"shop.test"});
    ASSERT_EQ(server_->trust(authority_.pem()), "");
    server_->expect(std::vector<IdentityMatch>{IdentityMatch("spiffe://shop.test/cart"),
                                               IdentityMatch("spiffe://shop.test/pay/*")});
    show_as_client(authority_.issue(name));
    accept();
    EXPECT_EQ(shake(), progress) << name;
    EXPECT_EQ(transport_->failure(), progress == Progress::kDone ? "" : "its certificate is another one's");
  }
}

TEST_F(Secured, AServerIsWhoItMayBeWithoutAName) {
  for (const char* const name : {"spiffe://shop.test/cart", "spiffe://shop.test/other"}) {
    client_ = std::make_shared<TlsContext>(TlsSide::kClient, TlsVersion::k12, Alpn::kNone);
    ASSERT_EQ(client_->trust(authority_.pem()), "");
    client_->expect(std::vector<IdentityMatch>{IdentityMatch("spiffe://shop.test/cart")});
    show(authority_.issue(name));
    connect();
    EXPECT_EQ(shake() == Progress::kDone, std::string(name).ends_with("cart"));
  }
}

TEST_F(Secured, ATrustDomainHasItsOwnAuthorities) {
  const Authority other("other");
  struct Signed {
    const Authority& signer;
    std::string name;
    bool is_good;
  };
  const std::vector<Signed> cases = {
      {authority_, "spiffe://shop.test/cart", true},   {other, "spiffe://bank.test/cart", true},
      {other, "spiffe://shop.test/cart", false},       {authority_, "spiffe://bank.test/cart", false},
      {authority_, "spiffe://third.test/cart", false}, {authority_, "shop.test", false}};
  for (const auto& [signer, name, is_good] : cases) {
    serve({"shop.test"});
    ASSERT_EQ(server_->trust(authority_.pem(), "shop.test"), "");
    ASSERT_EQ(server_->trust(other.pem(), "bank.test"), "");
    show_as_client(signer.issue(name));
    accept();
    EXPECT_EQ(shake() == Progress::kDone, is_good) << name;
  }
}

TEST_F(Secured, WhatIsRevokedIsGoodNoMore) {
  const Certificate good = authority_.issue("spiffe://shop.test/cart");
  const Certificate bad = authority_.issue("spiffe://shop.test/pay");
  for (const std::string domain : {"", "shop.test"}) {
    for (const Certificate* const one : {&good, &bad}) {
      serve({"shop.test"});
      ASSERT_EQ(server_->trust(authority_.pem(), domain), "");
      ASSERT_EQ(server_->revoke(authority_.revoke(bad)), "");
      show_as_client(*one);
      accept();
      EXPECT_EQ(shake() == Progress::kDone, one == &good);
      EXPECT_EQ(transport_->failure(), one == &good ? "" : "certificate revoked");
    }
  }
  // Authorities without a list, and with one that is over.
  serve({"shop.test"});
  ASSERT_EQ(server_->trust(authority_.pem()), "");
  ASSERT_EQ(server_->revoke(Authority("other").revoke(bad)), "");
  show_as_client(good);
  accept();
  EXPECT_EQ(shake(), Progress::kFailed);
  EXPECT_EQ(transport_->failure(), "unable to get certificate CRL");
  serve({"shop.test"});
  ASSERT_EQ(server_->trust(authority_.pem()), "");
  ASSERT_EQ(server_->revoke(authority_.revoke(bad, -60)), "");
  accept();
  EXPECT_EQ(shake(), Progress::kFailed);
  EXPECT_EQ(transport_->failure(), "CRL has expired");
  EXPECT_EQ(server_->revoke("nothing"), "there is no list (CRL) in it");
}

// Certificates in files, which others write anew.
class Rotations : public Secured {
 protected:
  void write(const std::string& name, const std::string& text) { std::ofstream(path(name), std::ios::trunc) << text; }
  static std::string path(const std::string& name) { return ::testing::TempDir() + "hone-mesh-rotation-" + name; }
  static PemSource file(const std::string& name) {
    PemSource source;
    source.path = path(name);
    return source;
  }
  void write_both(const Certificate& certificate) {
    write("pem", certificate.pem);
    write("key", certificate.key);
  }
  static TlsSpec server_spec() {
    TlsSpec spec;
    spec.shown.push_back({file("pem"), file("key")});
    return spec;
  }
  // Returns the name that a client is shown now.
  std::string shown(const mesh::Tls& tls) {
    wire_ = {};
    transport_ = std::make_unique<TlsTransport>(tls.context(), buffers_, std::make_unique<FakeTransport>(wire_));
    peer_ = std::make_unique<TlsPeer>(client_context_.get(), wire_, true);
    return shake() == Progress::kDone ? server_name(peer_->ssl()) : "none";
  }
};

TEST_F(Rotations, AreForTheNextHandshakes) {
  write_both(authority_.issue("one.test"));
  mesh::Tls tls(server_spec());
  ASSERT_TRUE(tls.read().empty());
  EXPECT_EQ(shown(tls), "one.test");
  const auto open = std::move(transport_);
  const auto client = std::move(peer_);
  for (const auto& [name, stamp] : tls.files()) EXPECT_EQ(stamp, FileStamp::of(name));

  Certificate next = authority_.issue("other.test");
  // Of another size, since clocks of file systems may stand still for some milliseconds.
  next.key += "\n";
  write_both(next);
  EXPECT_NE(tls.files().at(path("key")), FileStamp::of(path("key")));
  EXPECT_EQ(shown(tls), "one.test");
  ASSERT_TRUE(tls.read().empty());
  EXPECT_EQ(shown(tls), "other.test");

  // A key alone is half of a rotation: everything stays as it was.
  write("key", authority_.issue("third.test").key);
  const std::vector<TlsProblem> problems = tls.read();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].text().find("\"" + path("key") + "\": the key in it is not that of the certificate; "), 0u);
  EXPECT_EQ(shown(tls), "other.test");
  // So does the connection of before.
  write("pem", "");
  EXPECT_EQ(tls.read().size(), 1u);
  EXPECT_EQ(shown(tls), "other.test");
}

TEST_F(Rotations, ForgetSessionsOfWhoeverWasTrusted) {
  const Authority other("other");
  write("ca", authority_.pem());
  TlsSpec spec;
  spec.side = TlsSide::kClient;
  spec.name = "shop.test";
  spec.authorities = file("ca");
  mesh::Tls tls(spec);
  ASSERT_TRUE(tls.read().empty());
  show(authority_.issue("shop.test"));
  const auto connect_again = [&] {
    wire_ = {};
    transport_ = std::make_unique<TlsTransport>(tls.context(), buffers_, std::make_unique<FakeTransport>(wire_),
                                                Alpn::kNone, session_);
    peer_ = std::make_unique<TlsPeer>(server_context_.get(), wire_, false);
    const Progress progress = shake();
    if (progress == Progress::kDone) read_all(*transport_);
    return progress;
  };
  ASSERT_EQ(connect_again(), Progress::kDone);
  ASSERT_EQ(connect_again(), Progress::kDone);
  EXPECT_TRUE(transport_->is_resumed());
  // One that stays open gets another ticket when others are made with the next context already.
  const auto open = std::move(transport_);
  const auto server = std::move(peer_);
  Wire open_wire;
  std::swap(open_wire, wire_);
  write("ca", other.pem());
  ASSERT_TRUE(tls.read().empty());
  EXPECT_EQ(connect_again(), Progress::kFailed);
  std::swap(open_wire, wire_);
  SSL_new_session_ticket(server->ssl());
  server->say("more");
  EXPECT_EQ(read_all(*open), "more");
  EXPECT_EQ(connect_again(), Progress::kFailed);
}

TEST_F(Rotations, ComeFromSecretsToo) {
  const Certificate one = authority_.issue("one.test");
  TlsSpec spec;
  spec.shown.emplace_back();
  spec.shown[0].certificate.secret = spec.shown[0].key.secret = "own";
  mesh::Tls tls(spec);
  EXPECT_TRUE(tls.has_secrets());
  EXPECT_EQ(tls.context(), nullptr);
  bool has_key = false;
  const Secrets secrets = [&](const std::string& name, PemPart part) -> std::optional<PemSource> {
    EXPECT_EQ(name, "own");
    if (part == PemPart::kKey && !has_key) return std::nullopt;
    PemSource source;
    source.text = std::make_shared<const std::string>(part == PemPart::kKey ? one.key : one.pem);
    return source;
  };
  ASSERT_EQ(tls.read(secrets).size(), 1u);
  EXPECT_EQ(tls.read(secrets)[0].problem, "it has no key");
  EXPECT_EQ(tls.context(), nullptr);
  has_key = true;
  ASSERT_TRUE(tls.read(secrets).empty());
  EXPECT_EQ(shown(tls), "one.test");
  // Files are looked at again without the secrets being told again.
  EXPECT_TRUE(tls.read().empty());
  EXPECT_EQ(shown(tls), "one.test");
}

// Handshakes with a deadline, of which our side is the server.
class Handshakes : public Secured {
 protected:
  void begin() {
    serve({"shop.test"});
    accept();
    handshake_ = std::make_unique<Handshake>(
        loop_, std::move(transport_), loop_.now() + seconds(10),
        Handshake::Events{.done = Delegate<void(std::unique_ptr<TlsTransport>)>::of<&Handshakes::on_done>(*this),
                          .failed = Delegate<void(std::string_view)>::of<&Handshakes::on_failed>(*this)});
    handshake_->start();
  }
  void on_done(std::unique_ptr<TlsTransport> transport) { transport_ = std::move(transport); }
  void on_failed(std::string_view why) { failure_ = why; }
  void turn() {
    peer_->turn();
    loop_.turn();
  }

  NiceMock<MockLoop> loop_;
  BlockPool blocks_;
  std::unique_ptr<Handshake> handshake_;
  std::string failure_;
};

TEST_F(Handshakes, EndWithATransport) {
  begin();
  for (int turns = 0; turns < 5 && transport_ == nullptr; ++turns) turn();
  EXPECT_NE(transport_, nullptr);
  loop_.pass(seconds(20));
  EXPECT_EQ(failure_, "");
}

TEST_F(Handshakes, TakeNoLongerThanTheyMay) {
  begin();
  loop_.pass(seconds(9));
  turn();
  EXPECT_EQ(failure_, "");
  loop_.pass(seconds(2));
  EXPECT_EQ(failure_, "timeout");
  EXPECT_EQ(transport_, nullptr);
}

TEST_F(Handshakes, FailWhereThePeerSpeaksSomethingElse) {
  begin();
  wire_.incoming.push_back("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  loop_.turn();
  EXPECT_EQ(failure_, "http request");
}

TEST_F(Handshakes, FailWhereThePeerGoesAway) {
  begin();
  wire_.is_ended = true;
  loop_.turn();
  EXPECT_NE(failure_, "");
}

// Answers each request as it comes.
class Answering : public MessageSink {
 public:
  MessageSink* open(Exchange& exchange) {
    exchange_ = &exchange;
    return this;
  }
  void on_head(Head) override {}
  void on_body(Slice slice) override { bytes += slice.bytes.size(); }
  void on_end(Headers) override {
    ++requests;
    Head head;
    head.status = 204;
    exchange_->write_head(head);
    exchange_->write_end({});
  }
  void on_reset(Reset) override {}
  void on_room() override {}
  void on_ended() { has_ended = true; }
  void on_refused(const http1::Fault&) {}

  std::size_t bytes = 0;
  int requests = 0;
  bool has_ended = false;

 private:
  Exchange* exchange_ = nullptr;
};

TEST_F(Handshakes, RequestsOfOneReadAreAllSeenAndAnIdleConnectionEndsWell) {
  begin();
  for (int turns = 0; turns < 5 && transport_ == nullptr; ++turns) turn();
  ASSERT_NE(transport_, nullptr);
  Answering answering;
  const http1::ServerLimits limits;
  http1::ServerConnection connection(
      loop_, buffers_, blocks_, std::move(transport_), limits,
      {.open = Delegate<MessageSink*(Exchange&)>::of<&Answering::open>(answering),
       .refused = Delegate<void(const http1::Fault&)>::of<&Answering::on_refused>(answering),
       .greeting = {},
       .greeted = {},
       .ended = Delegate<void()>::of<&Answering::on_ended>(answering)});
  connection.start();
  // Two records whose bytes fill more than one buffer come by one read, and a request behind them.
  peer_->put("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 32000\r\n\r\n" + std::string(16'000, 'a'));
  peer_->put(std::string(16'000, 'b') + "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  peer_->put("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  peer_->send();
  for (int turns = 0; turns < 10; ++turns) loop_.turn();
  EXPECT_EQ(answering.bytes, 32'000u);
  EXPECT_EQ(answering.requests, 3);
  EXPECT_EQ(buffers_.lent(), 0u) << "an idle connection holds no buffer";
  loop_.pass(seconds(61));
  EXPECT_TRUE(answering.has_ended);
  peer_->turn();
  EXPECT_TRUE(peer_->has_finished());
}

}  // namespace
}  // namespace hone::mesh::testing
