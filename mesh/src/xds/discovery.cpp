#include "xds/discovery.hpp"

#include "envoy/fields.hpp"
#include "envoy/fill.hpp"

namespace hone::mesh::xds {
namespace {

using envoy::Fields;
using envoy::Message;

// google.rpc.Code.INVALID_ARGUMENT.
constexpr std::int32_t kInvalid = 3;

std::shared_ptr<Message> message_named(const char* name) {
  return envoy::make_message(std::string("envoy.service.discovery.v3.").append(name));
}

void put_node(Message& request, const NodeSpec& node) {
  Message& into = envoy::message_in(request, "node");
  envoy::set_text(into, "id", node.id);
  envoy::set_text(into, "cluster", node.cluster);
  envoy::set_text(into, "user_agent_name", "hone-mesh");
  if (node.region.empty() && node.zone.empty()) return;
  Message& locality = envoy::message_in(into, "locality");
  envoy::set_text(locality, "region", node.region);
  envoy::set_text(locality, "zone", node.zone);
}

// Returns the name within the message of a resource; empty where its bytes are broken.
std::string own_name(Kind kind, const std::string& bytes) {
  const std::shared_ptr<Message> message = envoy::make_message(message_of(kind));
  return message->ParseFromString(bytes) ? envoy::text_in(*message, name_field_of(kind)) : "";
}

// Takes the resource in a google.protobuf.Any, whose name stands beside it or in it.
void take_resource(Fields any, std::string name, std::string version, Response& response) {
  std::string bytes = any.text("value").value_or("");
  any.pass_over_all();
  if (!response.kind) return;
  if (name.empty()) name = own_name(*response.kind, bytes);
  response.resources.insert_or_assign(std::move(name), Resource{std::move(bytes), std::move(version)});
}

}  // namespace

std::string_view method_of(bool is_delta) {
  return is_delta ? "/envoy.service.discovery.v3.AggregatedDiscoveryService/DeltaAggregatedResources"
                  : "/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources";
}

std::string bytes_of(const Request& request, bool is_delta) {
  const std::shared_ptr<Message> message = message_named(is_delta ? "DeltaDiscoveryRequest" : "DiscoveryRequest");
  if (request.node != nullptr) put_node(*message, *request.node);
  envoy::set_text(*message, "type_url", url_of(request.kind));
  envoy::set_text(*message, "response_nonce", request.nonce);
  if (!request.refusal.empty()) {
    Message& detail = envoy::message_in(*message, "error_detail");
    envoy::set_number(detail, "code", kInvalid);
    envoy::set_text(detail, "message", request.refusal);
  }
  for (const std::string& name : request.names) {
    envoy::add_text(*message, is_delta ? "resource_names_subscribe" : "resource_names", name);
  }
  if (!is_delta) {
    envoy::set_text(*message, "version_info", request.version);
  } else {
    for (const std::string& name : request.names_gone) {
      envoy::add_text(*message, "resource_names_unsubscribe", name);
    }
    if (request.known != nullptr) {
      for (const auto& [name, one] : *request.known) {
        envoy::add_entry(*message, "initial_resource_versions", name, one.version);
      }
    }
  }
  return message->SerializeAsString();
}

std::optional<Response> parse_response(std::string_view bytes, bool is_delta) {
  std::shared_ptr<Message> message = message_named(is_delta ? "DeltaDiscoveryResponse" : "DiscoveryResponse");
  if (!message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  envoy::Findings findings;
  Fields fields(std::move(message), "", findings);
  Response response;
  response.url = fields.text("type_url").value_or("");
  response.kind = kind_of(response.url);
  response.nonce = fields.text("nonce").value_or("");
  if (is_delta) {
    response.version = fields.text("system_version_info").value_or("");
    response.gone = fields.texts("removed_resources");
    for (Fields& one : fields.list("resources")) {
      std::string name = one.text("name").value_or("");
      std::string version = one.text("version").value_or("");
      if (auto any = one.message("resource")) {
        take_resource(*std::move(any), std::move(name), std::move(version), response);
      }
      one.pass_over_all();
    }
  } else {
    response.version = fields.text("version_info").value_or("");
    for (Fields& any : fields.list("resources")) take_resource(std::move(any), "", response.version, response);
  }
  fields.pass_over_all();
  return response;
}

std::string add_resources(const std::string& text, Store& into) {
  const envoy::Json json = envoy::json_of(text);
  if (!json.problem.empty()) return json.problem;
  std::shared_ptr<Message> message = message_named("DiscoveryResponse");
  std::string problem = envoy::parse(json.text, *message);
  if (!problem.empty()) return problem;
  envoy::Findings findings;
  Fields fields(std::move(message), "", findings);
  for (Fields& any : fields.list("resources")) {
    const std::string url = any.text("type_url").value_or("");
    const std::optional<Kind> kind = kind_of(url);
    std::string bytes = any.text("value").value_or("");
    any.pass_over_all();
    if (kind) {
      std::string name = own_name(*kind, bytes);
      into.of(*kind).insert_or_assign(std::move(name), Resource{std::move(bytes), ""});
    } else {
      problem = "a resource of the kind " + url + " is not known";
    }
  }
  fields.pass_over_all();
  return problem;
}

std::string response_of(Kind kind, const Resources& resources) {
  const std::shared_ptr<Message> message = message_named("DeltaDiscoveryResponse");
  envoy::set_text(*message, "type_url", url_of(kind));
  for (const auto& [name, one] : resources) {
    Message& into = envoy::add_message(*message, "resources");
    envoy::set_text(into, "name", name);
    envoy::set_text(into, "version", one.version);
    Message& any = envoy::message_in(into, "resource");
    envoy::set_text(any, "type_url", url_of(kind));
    envoy::set_text(any, "value", one.bytes);
  }
  return message->SerializeAsString();
}

}  // namespace hone::mesh::xds
