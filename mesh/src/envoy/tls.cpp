// TLS on either side, by the transport sockets of listeners and clusters.
#include "envoy/parts.hpp"

namespace hone::mesh::envoy {
namespace {

constexpr char kTls[] = "envoy.extensions.transport_sockets.tls.v3.";

std::optional<std::string> file_of(std::optional<Fields> source) {
  if (!source) return std::nullopt;
  const auto file = source->text("filename");
  if (!file) {
    source->refuse_whole("certificates and keys are read from files: write filename");
  }
  return file;
}

YAML::Node certificates_of(Fields& common) {
  YAML::Node all(YAML::NodeType::Sequence);
  for (Fields& one : common.list("tls_certificates")) {
    YAML::Node certificate(YAML::NodeType::Map);
    put(certificate, "certificate", file_of(one.message("certificate_chain")));
    put(certificate, "key", file_of(one.message("private_key")));
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

std::optional<std::string> authorities_of(Fields& common) {
  auto context = common.message("validation_context");
  return context ? file_of(context->message("trusted_ca")) : std::nullopt;
}

// Returns the configuration of a socket of TLS; nothing for one without, or one that was refused.
std::optional<Fields> context_of(Fields& socket, std::string_view kind) {
  socket.pass_over({"name"});
  auto config = socket.any("typed_config");
  if (!config) return std::nullopt;
  if (config->kind() == std::string(kTls).append(kind)) return config;
  const bool is_plain = config->kind() == "envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer";
  is_plain ? config->pass_over_all() : config->refuse_kind("the transport socket ");
  return std::nullopt;
}

}  // namespace

YAML::Node listener_tls_of(Fields socket) {
  auto context = context_of(socket, "DownstreamTlsContext");
  auto common = context ? context->message("common_tls_context") : std::nullopt;
  if (!common) return {};
  YAML::Node tls(YAML::NodeType::Map);
  tls["certificates"] = certificates_of(*common);
  put_least(*common, tls);
  const auto authorities = authorities_of(*common);
  const bool is_required = context->truth("require_client_certificate").value_or(false);
  if (is_required) put(tls, "client_ca", authorities);
  if (is_required != authorities.has_value()) {
    context->refuse("require_client_certificate", "clients show a certificate of a trusted_ca, or none is asked for");
  }
  // HTTP/2 and HTTP/1.1 are always offered, in this order.
  if (const auto protocols = common->texts("alpn_protocols"); protocols.size() == 1) {
    common->note("alpn_protocols", "clients are offered h2 and http/1.1");
  }
  return tls;
}

YAML::Node cluster_tls_of(Fields socket) {
  auto context = context_of(socket, "UpstreamTlsContext");
  if (!context) return {};
  YAML::Node tls(YAML::NodeType::Map);
  if (const auto name = context->text("sni")) {
    tls["name"] = *name;
  } else {
    context->refuse("sni", "endpoints' certificates are verified for a name: write it here");
  }
  auto common = context->message("common_tls_context");
  if (!common) return tls;
  common->pass_over({"alpn_protocols"});
  put_least(*common, tls);
  const auto authorities = authorities_of(*common);
  put(tls, "ca", authorities);
  if (!authorities)
    common->note("validation_context", "endpoints' certificates are verified by the system's authorities");
  const YAML::Node certificates = certificates_of(*common);
  if (certificates.size() > 1) common->refuse("tls_certificates", "endpoints are shown one");
  if (certificates.size() > 0) {
    for (const char* const part : {"certificate", "key"}) tls[part] = certificates[0][part];
  }
  return tls;
}

}  // namespace hone::mesh::envoy
