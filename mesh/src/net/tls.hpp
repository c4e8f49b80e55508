// What a listener or a cluster speaks TLS with, and where it comes from: certificates come and go while it stays.
//
// Rotation changes nothing but what the next handshakes are made with. Connections that are open stay, and so do pools
// of them; tickets of before are taken up no more, so that whoever is trusted no longer has to show a certificate.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "net/tls_context.hpp"

namespace hone::mesh {

// PemSource is where certificates or a key are: in a file, in a secret of a control plane's, or here.
struct PemSource {
  std::string path;
  std::string secret;
  std::shared_ptr<const std::string> text;
  // Where the configuration says so, for what is wrong with it.
  std::string where;
  int line = 0;

  // True but for secrets that have not been told yet.
  bool is_there() const { return text != nullptr || !path.empty(); }
};

// PemPart is what a secret is asked for.
enum class PemPart : std::uint8_t { kCertificate, kKey, kAuthorities, kRevoked };
// Secrets returns the file or the text that a part of a secret is; nothing where the secret has no such part.
using Secrets = std::function<std::optional<PemSource>(const std::string& name, PemPart part)>;

// TlsSpec is what TLS is made of.
struct TlsSpec {
  struct Shown {
    PemSource certificate;
    PemSource key;
  };

  TlsSide side = TlsSide::kServer;
  TlsVersion least = TlsVersion::k12;
  Alpn alpn = Alpn::kNone;
  // Servers show the one that has the name which they are asked for, or the first.
  std::vector<Shown> shown;
  // Whose certificates are good. Clients trust the system's where there is none; servers ask for none then.
  std::optional<PemSource> authorities;
  // Instead: by the trust domain of the SPIFFE id that the other side has.
  std::map<std::string, PemSource> bundles;
  // Lists of certificates that are good no more (CRLs), one of each authority.
  std::optional<PemSource> revoked;
  // The name that a server's certificate has to be for; empty where it may be for any.
  std::string name;
  // Who the other side may be; empty where it may be anybody.
  std::vector<IdentityMatch> peers;
  // Where the configuration says so.
  std::string where;
  int line = 0;
};

// TlsProblem is why something cannot be used.
struct TlsProblem {
  PemSource source;
  std::string problem;
  std::string remedy;

  // For people, with the file, and with the secret and the remedy too.
  std::string what() const;
  std::string text() const;
};

// Tls belongs to the main thread, but for context() and wants_like().
class Tls {
 public:
  explicit Tls(TlsSpec spec) : spec_(std::move(spec)) {}
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;

  const TlsSpec& spec() const { return spec_; }
  // True if parts of it are told by a control plane.
  bool has_secrets() const;
  // Reads files and secrets, and has the next handshakes made with them. Returns what is wrong: then all stays as it
  // was.
  std::vector<TlsProblem> read(const Secrets& secrets = {});
  // Goes on with what another one was made of.
  void take(const Tls& other);
  // Returns the files that were read, as they were then.
  const std::map<std::string, FileStamp>& files() const { return files_; }
  // Forgets that files are others than those that were read.
  void note_files(std::map<std::string, FileStamp> files) { files_ = std::move(files); }

  // Called by any thread. Nullptr before the first read.
  std::shared_ptr<const TlsContext> context() const {
    const std::lock_guard lock(mutex_);
    return context_;
  }
  // Called by any thread. True if both want the same of the other side, so that connections by either may go on by the
  // other.
  bool wants_like(const Tls& other) const;

 private:
  TlsSpec spec_;
  // The spec with files and texts in the place of secrets.
  TlsSpec resolved_;
  std::map<std::string, FileStamp> files_;
  mutable std::mutex mutex_;
  std::shared_ptr<const TlsContext> context_;
};

}  // namespace hone::mesh
