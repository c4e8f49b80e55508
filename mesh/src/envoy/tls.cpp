// TLS on either side, made from the transport sockets of listeners and clusters, and from the secrets that these name.
#include <algorithm>

#include "envoy/parts.hpp"

namespace hone::mesh::envoy {
namespace {

constexpr char kTls[] = "envoy.extensions.transport_sockets.tls.v3.";

std::optional<PemSource> source_of(std::optional<Fields> source) {
  if (!source) return std::nullopt;
  // Files are always looked at again, without this setting.
  source->pass_over({"watched_directory"});
  PemSource made;
  if (const auto file = source->text("filename")) {
    made.path = *file;
    return made;
  }
  for (const char* const kind : {"inline_string", "inline_bytes"}) {
    const auto text = source->text(kind);
    if (!text) continue;
    made.text = std::make_shared<const std::string>(*text);
    return made;
  }
  source->refuse_whole("certificates and keys are read from files, or stand here: write filename or inline_string");
  return std::nullopt;
}

YAML::Node node_of(const PemSource& source) {
  if (source.text == nullptr) return YAML::Node(source.path);
  YAML::Node node(YAML::NodeType::Map);
  node["text"] = *source.text;
  return node;
}

void put_source(YAML::Node into, const char* key, const std::optional<PemSource>& source) {
  if (source) into[key] = node_of(*source);
}

YAML::Node node_of_secret(const std::string& name) {
  YAML::Node node(YAML::NodeType::Map);
  node["secret"] = name;
  return node;
}

// Puts parts of a secret under their keys. Where the secret may come later, its name is put in their place.
void put_secret(Fields config, const Resources& resources, std::initializer_list<std::pair<PemPart, const char*>> parts,
                YAML::Node into) {
  const std::string name = config.text("name").value_or("");
  if (auto source = config.message("sds_config")) file_of_source(*std::move(source));
  if (const auto found = resources.secret(name)) {
    const SecretParts secret = secret_of(Fields(*found, config.findings()));
    for (const auto& [part, key] : parts) put_source(into, key, secret.of(part));
  } else if (resources.may_come_later()) {
    for (const auto& [part, key] : parts) into[key] = node_of_secret(name);
  } else {
    config.refuse("name", "there is no secret \"" + name + "\"");
  }
}

YAML::Node certificates_of(Fields& common, const Resources& resources) {
  YAML::Node all(YAML::NodeType::Sequence);
  for (Fields& one : common.list("tls_certificates")) {
    one.pass_over({"watched_directory"});
    YAML::Node certificate(YAML::NodeType::Map);
    put_source(certificate, "certificate", source_of(one.message("certificate_chain")));
    put_source(certificate, "key", source_of(one.message("private_key")));
    all.push_back(certificate);
  }
  for (Fields& one : common.list("tls_certificate_sds_secret_configs")) {
    YAML::Node certificate(YAML::NodeType::Map);
    put_secret(std::move(one), resources, {{PemPart::kCertificate, "certificate"}, {PemPart::kKey, "key"}},
               certificate);
    all.push_back(certificate);
  }
  return all;
}

void put_least(Fields& common, YAML::Node tls) {
  auto parameters = common.message("tls_params");
  if (!parameters) return;
  const std::string least = parameters->word("tls_minimum_protocol_version").value_or("TLS_AUTO");
  if (least == "TLSv1_3") tls["least"] = "1.3";
  if (least == "TLSv1_0" || least == "TLSv1_1")
    parameters->refuse("tls_minimum_protocol_version", "the least is TLSv1_2");
  if (parameters->word("tls_maximum_protocol_version").value_or("TLSv1_3") != "TLSv1_3") {
    parameters->refuse("tls_maximum_protocol_version", "TLSv1_3 is always spoken");
  }
}

// Validation puts the conditions on the other side's certificate.
struct Validation {
  // The key under which the certificate's authorities are put.
  const char* authorities;
  YAML::Node tls;
  const Resources& resources;
  // The names of hosts that the certificate may have.
  std::vector<std::string> names = {};

  void put(Fields context);
  void put_of(Fields& common);

 private:
  void put_subject(Fields matcher);
  void put_bundles(Fields validator);
};

void Validation::put_subject(Fields matcher) {
  const std::string type = matcher.word("san_type").value_or("");
  auto text = matcher.message("matcher");
  if (!text) return;
  const auto identity = type == "URI" ? identity_in(*text) : std::nullopt;
  const auto exact = text->text("exact");
  if (identity) {
    tls["identities"].push_back(*identity);
  } else if (type == "DNS" && exact) {
    names.push_back(*exact);
  } else {
    matcher.refuse_whole(
        "URIs are matched by exact, without a star at the end, or prefix, and names of hosts by exact");
    text->pass_over_all();
  }
}

void Validation::put_bundles(Fields validator) {
  validator.pass_over({"name"});
  auto config = validator.any("typed_config");
  if (!config) return;
  if (config->kind() != std::string(kTls) + "SPIFFECertValidatorConfig") return config->refuse_kind("the validator ");
  if (tls[authorities]) return config->refuse_whole("there is a trusted_ca beside it: leave one of them");
  for (Fields& domain : config->list("trust_domains")) {
    const std::string name = domain.text("name").value_or("");
    if (const auto bundle = source_of(domain.message("trust_bundle"))) tls[authorities][name] = node_of(*bundle);
  }
}

void Validation::put(Fields context) {
  context.pass_over({"watched_directory"});
  put_source(tls, authorities, source_of(context.message("trusted_ca")));
  put_source(tls, "revoked", source_of(context.message("crl")));
  for (Fields& matcher : context.list("match_typed_subject_alt_names")) put_subject(std::move(matcher));
  if (auto validator = context.message("custom_validator_config")) put_bundles(*std::move(validator));
}

void Validation::put_of(Fields& common) {
  const auto put_named = [&](Fields config) {
    put_secret(std::move(config), resources, {{PemPart::kAuthorities, authorities}, {PemPart::kRevoked, "revoked"}},
               tls);
  };
  if (auto context = common.message("validation_context")) put(*std::move(context));
  if (auto secret = common.message("validation_context_sds_secret_config")) put_named(*std::move(secret));
  if (auto both = common.message("combined_validation_context")) {
    if (auto context = both->message("default_validation_context")) put(*std::move(context));
    if (auto secret = both->message("validation_context_sds_secret_config")) put_named(*std::move(secret));
  }
}

// Returns the TLS configuration of a socket; nothing for a socket without TLS, or one that was refused.
std::optional<Fields> context_of(Fields& socket, std::string_view kind) {
  socket.pass_over({"name"});
  auto config = socket.any("typed_config");
  if (!config) return std::nullopt;
  if (config->kind() == std::string(kTls).append(kind)) return config;
  const bool is_plain = config->kind() == "envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer";
  is_plain ? config->pass_over_all() : config->refuse_kind("the transport socket ");
  return std::nullopt;
}

// Puts the name for which endpoints' certificates are verified. Only identities can take its place.
void put_name(Fields& context, const std::vector<std::string>& names, YAML::Node tls) {
  const auto asked = context.text("sni");
  if (names.size() > 1 || (names.size() == 1 && asked && *asked != names.front())) {
    context.refuse("common_tls_context", "endpoints have one name, and it is that of sni");
  }
  if (asked || !names.empty()) {
    tls["name"] = asked ? *asked : names.front();
  } else if (!tls["identities"]) {
    context.refuse("sni", "endpoints' certificates are verified for a name: write it here, or match URIs");
  }
}

}  // namespace

const std::optional<PemSource>& SecretParts::of(PemPart part) const {
  switch (part) {
    case PemPart::kCertificate:
      return certificate;
    case PemPart::kKey:
      return key;
    case PemPart::kAuthorities:
      return authorities;
    default:
      return revoked;
  }
}

SecretParts secret_of(Fields secret) {
  SecretParts parts;
  secret.pass_over({"name"});
  if (auto tls = secret.message("tls_certificate")) {
    tls->pass_over({"watched_directory"});
    parts.certificate = source_of(tls->message("certificate_chain"));
    parts.key = source_of(tls->message("private_key"));
  }
  if (auto context = secret.message("validation_context")) {
    context->pass_over({"watched_directory"});
    parts.authorities = source_of(context->message("trusted_ca"));
    parts.revoked = source_of(context->message("crl"));
  }
  return parts;
}

YAML::Node listener_tls_of(Fields socket, const Resources& resources) {
  auto context = context_of(socket, "DownstreamTlsContext");
  auto common = context ? context->message("common_tls_context") : std::nullopt;
  if (!common) return {};
  YAML::Node tls(YAML::NodeType::Map);
  tls["certificates"] = certificates_of(*common, resources);
  put_least(*common, tls);
  YAML::Node wanted(YAML::NodeType::Map);
  Validation validation{"client_ca", wanted, resources};
  validation.put_of(*common);
  if (!validation.names.empty()) {
    common->refuse("validation_context", "clients are known by URIs: write san_type: URI");
  }
  const bool is_required = context->truth("require_client_certificate").value_or(false);
  if (is_required) {
    for (const auto& entry : wanted) tls[entry.first.as<std::string>()] = entry.second;
  }
  if (is_required != wanted["client_ca"].IsDefined()) {
    context->refuse("require_client_certificate", "clients show a certificate of a trusted_ca, or none is asked for");
  }
  // HTTP/2 and HTTP/1.1 are always offered, in this order.
  if (const auto protocols = common->texts("alpn_protocols"); protocols.size() == 1) {
    common->note("alpn_protocols", "clients are offered h2 and http/1.1");
  }
  return tls;
}

YAML::Node cluster_tls_of(Fields socket, const Resources& resources) {
  auto context = context_of(socket, "UpstreamTlsContext");
  if (!context) return {};
  YAML::Node tls(YAML::NodeType::Map);
  auto common = context->message("common_tls_context");
  Validation validation{"ca", tls, resources};
  if (common) validation.put_of(*common);
  put_name(*context, validation.names, tls);
  if (!common) return tls;
  common->pass_over({"alpn_protocols"});
  put_least(*common, tls);
  if (!tls["ca"])
    common->note("validation_context", "endpoints' certificates are verified by the system's authorities");
  const YAML::Node certificates = certificates_of(*common, resources);
  if (certificates.size() > 1) common->refuse("tls_certificates", "endpoints are shown one");
  if (certificates.size() > 0) {
    for (const char* const part : {"certificate", "key"}) tls[part] = certificates[0][part];
  }
  return tls;
}

}  // namespace hone::mesh::envoy
