#include "config/tls.hpp"

#include <algorithm>
#include <optional>

namespace hone::mesh::config {
namespace {

// Reads a source: a path, or a map with the text, or with the secret of a control plane that has it.
PemSource read_source(const Value& value, bool may_be_secret) {
  PemSource source;
  source.where = value.where();
  source.line = value.line();
  if (!value.is_map()) {
    source.path = value.text().value_or("");
    return source;
  }
  const Section section(value, {"text", "secret"});
  if (const auto text = section.find("text")) {
    source.text = std::make_shared<const std::string>(text->text().value_or(""));
  }
  section.set("secret", source.secret, kText);
  if (section.has("text") == section.has("secret")) value.fault("there is no file", "write its path");
  if (!source.secret.empty() && !may_be_secret) {
    value.fault("secrets are told by a control plane, to what it says itself", "name a file");
  }
  return source;
}

std::vector<TlsSpec::Shown> read_shown(const Section& section, bool may_be_secret) {
  const auto certificate =
      section.need("certificate", "write certificate: and a file with the certificate and its chain");
  const auto key = section.need("key", "write key: and the file with the key of the certificate");
  if (!certificate || !key) return {};
  return {{read_source(*certificate, may_be_secret), read_source(*key, may_be_secret)}};
}

TlsVersion read_version(const Section& section) {
  TlsVersion least = TlsVersion::k12;
  section.set("least", least, [](const Value& one) {
    return one.choice<TlsVersion>({{"1.2", TlsVersion::k12}, {"1.3", TlsVersion::k13}});
  });
  return least;
}

// Reads authorities: a file for all, or a map of one for each trust domain.
void read_authorities(const Value& value, bool may_be_secret, TlsSpec& spec) {
  const auto is_source = [](const auto& entry) { return entry.first == "text" || entry.first == "secret"; };
  const auto entries = value.is_map() ? value.entries() : std::vector<std::pair<std::string, Value>>();
  if (entries.empty() || std::any_of(entries.begin(), entries.end(), is_source)) {
    spec.authorities = read_source(value, may_be_secret);
    return;
  }
  for (const auto& [domain, file] : entries) {
    if (domain.empty() || domain.find('/') != domain.npos) {
      file.fault("\"" + domain + "\" is no trust domain", "write what stands behind spiffe://, up to the path");
    }
    spec.bundles.emplace(domain, read_source(file, may_be_secret));
  }
}

// Reads the parts that both sides have: versions, authorities, and the identities that the other side may have.
void read_common(const Section& section, std::string_view authorities, bool may_be_secret, TlsSpec& spec) {
  spec.where = section.value().where();
  spec.line = section.value().line();
  spec.least = read_version(section);
  if (const auto found = section.find(authorities)) read_authorities(*found, may_be_secret, spec);
  if (const auto found = section.find("revoked")) spec.revoked = read_source(*found, may_be_secret);
  if (const auto found = section.find("identities")) spec.peers = read_identities(*found);
}

// Makes a Tls, and reads its files at once, unless it has secrets that a control plane has yet to send.
std::shared_ptr<Tls> made_of(TlsSpec spec, Faults& faults) {
  const auto tls = std::make_shared<Tls>(std::move(spec));
  if (tls->has_secrets()) return tls;
  for (const TlsProblem& one : tls->read()) {
    faults.add(one.source.line, one.source.where, one.what(), one.remedy);
  }
  return tls;
}

}  // namespace

std::vector<IdentityMatch> read_identities(const Value& value) {
  std::vector<IdentityMatch> all;
  for (const Value& one : value.list()) {
    const std::string text = one.text().value_or("");
    const std::size_t star = text.find('*');
    if (text.empty() || (star != text.npos && star + 1 != text.size())) {
      one.fault("\"" + text + "\" is no identity", "write spiffe://shop.example/cart, say, or one with a * at its end");
    }
    all.emplace_back(text);
  }
  if (all.empty()) value.fault("there is no identity", "write at least one, or take it out");
  return all;
}

std::shared_ptr<Tls> read_listener_tls(const Value& value, Alpn alpn, bool may_be_secret) {
  TlsSpec spec;
  spec.alpn = alpn;
  const Section section(value, {"certificates", "client_ca", "identities", "revoked", "least"});
  if (const auto list = section.need("certificates", "write certificates: with certificate: and key: below it")) {
    if (list->list().empty()) list->fault("there is no certificate", "write certificate: and key: below it");
    for (const Value& one : list->list()) {
      for (TlsSpec::Shown& shown : read_shown(Section(one, {"certificate", "key"}), may_be_secret)) {
        spec.shown.push_back(std::move(shown));
      }
    }
  }
  read_common(section, "client_ca", may_be_secret, spec);
  for (const char* const key : {"identities", "revoked"}) {
    if (section.has(key) && !section.has("client_ca")) {
      section.find(key)->fault("clients show no certificate", "write client_ca: and a file with their authorities");
    }
  }
  return made_of(std::move(spec), value.faults());
}

std::shared_ptr<Tls> read_cluster_tls(const Value& value, bool may_be_secret) {
  TlsSpec spec;
  spec.side = TlsSide::kClient;
  const Section section(value, {"name", "ca", "identities", "revoked", "certificate", "key", "least"});
  if (const auto name = section.find("name")) {
    spec.name = name->text().value_or("");
    if (spec.name.empty() || spec.name.find_first_of(":/* ") != spec.name.npos) {
      name->fault("\"" + spec.name + "\" is no name of a host",
                  "write one such as shop.example.com, or a number such as 10.0.0.1");
    }
  } else if (!section.has("identities")) {
    section.need("name", "write name: and the one that the endpoints' certificates are for, or identities:");
  }
  read_common(section, "ca", may_be_secret, spec);
  if (section.has("certificate") || section.has("key")) spec.shown = read_shown(section, may_be_secret);
  return made_of(std::move(spec), value.faults());
}

}  // namespace hone::mesh::config
