// The TLS of a listener or a cluster, and the sources of its certificates, which come and go while the Tls stays.
//
// Rotation changes only the certificates of the next handshakes. Open connections stay, and so do pools of them.
// Earlier tickets are taken up no more, so that a peer that is no longer trusted has to show a certificate.
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

// PemSource is the place of certificates or a key: a file, a secret of a control plane, or the text itself.
struct PemSource {
  std::string path;
  std::string secret;
  std::shared_ptr<const std::string> text;
  // The place in the configuration, for reports of problems.
  std::string where;
  int line = 0;

  // True if the source is there: false for a secret that has not come yet.
  bool is_there() const { return text != nullptr || !path.empty(); }
};

// PemPart is the part that is needed of a secret.
enum class PemPart : std::uint8_t { kCertificate, kKey, kAuthorities, kRevoked };
// Secrets is a function that returns the file or the text of a part of a secret; nothing where the secret has no such
// part.
using Secrets = std::function<std::optional<PemSource>(const std::string& name, PemPart part)>;

// TlsSpec is the specification that a Tls is made from.
struct TlsSpec {
  struct Shown {
    PemSource certificate;
    PemSource key;
  };

  TlsSide side = TlsSide::kServer;
  TlsVersion least = TlsVersion::k12;
  Alpn alpn = Alpn::kNone;
  // Certificates with their keys. Servers show the one that has the name which the client asks for, or the first.
  std::vector<Shown> shown;
  // The authorities whose certificates are good. Without them, clients trust the system's authorities, and servers ask
  // for no certificate.
  std::optional<PemSource> authorities;
  // Or the authorities by the trust domain of the other side's SPIFFE id.
  std::map<std::string, PemSource> bundles;
  // Lists of certificates that are no longer good (CRLs), one of each authority.
  std::optional<PemSource> revoked;
  // The name that a server's certificate has to be for; empty where it may be for any.
  std::string name;
  // The identities that the other side may have; empty where it may have any.
  std::vector<IdentityMatch> peers;
  // The place in the configuration.
  std::string where;
  int line = 0;
};

// TlsProblem is the reason why a source cannot be used.
struct TlsProblem {
  PemSource source;
  std::string problem;
  std::string remedy;

  // Texts for people: what() has the file and the problem, text() also the secret and the remedy.
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
  // True if some of its sources are secrets of a control plane.
  bool has_secrets() const;
  // Reads files and secrets, and uses them for the next handshakes. Returns the problems: where there are any, all
  // stays as it was.
  std::vector<TlsProblem> read(const Secrets& secrets = {});
  // Takes over the specification and the certificates of another one.
  void take(const Tls& other);
  // Returns the files that were read, with their stamps at that time.
  const std::map<std::string, FileStamp>& files() const { return files_; }
  // Notes the present stamps of the files, so that a change is not reported again.
  void note_files(std::map<std::string, FileStamp> files) { files_ = std::move(files); }

  // Returns nullptr before the first read. Any thread may call this.
  std::shared_ptr<const TlsContext> context() const {
    const std::lock_guard lock(mutex_);
    return context_;
  }
  // True if both want the same of the other side, so that connections by either may go on by the other. Any thread may
  // call this.
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
