#include "net/tls.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace hone::mesh {
namespace {

// The most bytes of a file. All authorities of the world have 250 KB.
constexpr std::size_t kMostPemBytes = 4 * 1024 * 1024;

constexpr char kNameCertificate[] = "name a file with a certificate in PEM, and those of its chain behind it";
constexpr char kNameKey[] = "name the file with the key of this certificate in PEM, without a password";
constexpr char kNameAuthorities[] = "name a file with certificates of authorities in PEM";
constexpr char kNameRevoked[] = "name a file with lists of what is revoked (CRLs) in PEM, one of each authority";

std::string_view word_of(PemPart part) {
  switch (part) {
    case PemPart::kCertificate:
      return "certificate";
    case PemPart::kKey:
      return "key";
    default:
      return "authorities";
  }
}

// Calls a function for each source of a specification, with the part that it needs of a secret.
template <class Spec, class Call>
void for_each_source(Spec& spec, Call call) {
  for (auto& one : spec.shown) {
    call(one.certificate, PemPart::kCertificate);
    call(one.key, PemPart::kKey);
  }
  if (spec.authorities) call(*spec.authorities, PemPart::kAuthorities);
  for (auto& [domain, source] : spec.bundles) call(source, PemPart::kAuthorities);
  if (spec.revoked) call(*spec.revoked, PemPart::kRevoked);
}

// Reading is one attempt to make a context.
struct Reading {
  std::map<std::string, FileStamp> files = {};
  std::vector<TlsProblem> problems = {};

  // Hands a source's text to a function, and notes the problem that the function returns.
  template <class Take>
  void take(const PemSource& source, const char* remedy, Take take) {
    const std::optional<std::string> text = text_of(source, remedy);
    if (!text) return;
    const std::string problem = take(*text);
    if (!problem.empty()) problems.push_back({source, problem, remedy});
  }

 private:
  std::optional<std::string> text_of(const PemSource& source, const char* remedy) {
    if (source.text != nullptr) return *source.text;
    // The stamp is taken before the read: a file that takes its place meanwhile is another one.
    files.insert_or_assign(source.path, FileStamp::of(source.path));
    struct stat file{};
    // Reading from a pipe or a device could take for ever.
    if (::stat(source.path.c_str(), &file) == 0 && !S_ISREG(file.st_mode)) {
      problems.push_back({source, "it is no file", remedy});
      return std::nullopt;
    }
    errno = 0;
    std::ifstream stream(source.path, std::ios::binary);
    std::string text(kMostPemBytes + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (stream.eof() && !text.empty()) return text;
    const bool is_long = text.size() > kMostPemBytes;
    const std::string problem = is_long ? "more than 4 MiB" : errno == 0 ? "nothing to read" : std::strerror(errno);
    problems.push_back({source, problem, remedy});
    return std::nullopt;
  }
};

std::shared_ptr<const TlsContext> made_of(const TlsSpec& spec, Reading& reading) {
  const auto context = std::make_shared<TlsContext>(spec.side, spec.least, spec.alpn);
  context->expect(spec.name);
  context->expect(spec.peers);
  for (const TlsSpec::Shown& one : spec.shown) {
    const std::size_t problems = reading.problems.size();
    reading.take(one.certificate, kNameCertificate,
                 [&](const std::string& text) { return context->add_certificates(text); });
    if (reading.problems.size() > problems) continue;
    reading.take(one.key, kNameKey, [&](const std::string& text) { return context->add_key(text); });
  }
  if (spec.authorities) {
    reading.take(*spec.authorities, kNameAuthorities, [&](const std::string& text) { return context->trust(text); });
  }
  for (const auto& [domain, source] : spec.bundles) {
    reading.take(source, kNameAuthorities, [&](const std::string& text) { return context->trust(text, domain); });
  }
  if (spec.side == TlsSide::kClient && !spec.authorities && spec.bundles.empty()) {
    const std::string problem = context->trust_system();
    if (!problem.empty()) {
      PemSource all;
      all.where = spec.where;
      all.line = spec.line;
      reading.problems.push_back({all, problem, "write ca: and a file with the endpoints' authorities"});
    }
  }
  if (spec.revoked) {
    reading.take(*spec.revoked, kNameRevoked, [&](const std::string& text) { return context->revoke(text); });
  }
  return context;
}

}  // namespace

std::string TlsProblem::what() const {
  return source.path.empty() ? problem : "\"" + source.path + "\": " + problem;
}

std::string TlsProblem::text() const {
  const std::string secret = source.secret.empty() ? "" : "secret " + source.secret + ": ";
  return secret + what() + "; " + remedy;
}

bool Tls::has_secrets() const {
  bool is_found = false;
  for_each_source(spec_, [&](const PemSource& source, PemPart) { is_found |= !source.secret.empty(); });
  return is_found;
}

std::vector<TlsProblem> Tls::read(const Secrets& secrets) {
  Reading reading;
  TlsSpec next = secrets || !has_secrets() ? spec_ : resolved_;
  for_each_source(next, [&](PemSource& source, PemPart part) {
    if (source.is_there()) return;
    if (std::optional<PemSource> found = secrets ? secrets(source.secret, part) : std::nullopt) {
      source.path = std::move(found->path);
      source.text = std::move(found->text);
    } else if (part != PemPart::kRevoked) {
      reading.problems.push_back({source, "it has no " + std::string(word_of(part)), "give it one"});
    }
  });
  // A secret may have lists of revoked certificates, and need not.
  if (next.revoked && !next.revoked->is_there()) next.revoked.reset();
  if (!reading.problems.empty()) return std::move(reading.problems);
  std::shared_ptr<const TlsContext> made = made_of(next, reading);
  if (!reading.problems.empty()) return std::move(reading.problems);
  resolved_ = std::move(next);
  files_ = std::move(reading.files);
  const std::lock_guard lock(mutex_);
  context_ = std::move(made);
  return {};
}

void Tls::take(const Tls& other) {
  if (&other == this) return;
  std::shared_ptr<const TlsContext> next = other.context();
  const std::lock_guard lock(mutex_);
  spec_ = other.spec_;
  // Without its secrets, the other one has no context yet.
  if (next == nullptr) return;
  resolved_ = other.resolved_;
  files_ = other.files_;
  // Sessions are for a context: a context with the same fingerprint may stay.
  const bool is_same = context_ != nullptr && context_->fingerprint() == next->fingerprint();
  if (!is_same) context_ = std::move(next);
}

bool Tls::wants_like(const Tls& other) const {
  if (&other == this) return true;
  const std::scoped_lock lock(mutex_, other.mutex_);
  return spec_.side == other.spec_.side && spec_.least == other.spec_.least && spec_.alpn == other.spec_.alpn &&
         spec_.name == other.spec_.name && spec_.peers == other.spec_.peers;
}

}  // namespace hone::mesh
