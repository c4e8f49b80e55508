// Responses of a control plane, as bytes and as the clusters and listeners made from them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/file.hpp"
#include "base/random.hpp"
#include "envoy/fill.hpp"
#include "tls_peer.hpp"
#include "xds/discovery.hpp"
#include "xds/making.hpp"
#include "xds/store.hpp"

namespace hone::mesh::xds {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Returns a resource made from JSON.
Resource resource_of(Kind kind, const std::string& json) {
  const std::shared_ptr<envoy::Message> message = envoy::make_message(message_of(kind));
  EXPECT_EQ(envoy::parse(json, *message), "");
  return {message->SerializeAsString(), "1"};
}

constexpr char kCluster[] = R"({"name": "back", "type": "EDS", "eds_cluster_config": {"service_name": "some"}})";

std::string assignment(const std::string& endpoint) {
  return R"({"cluster_name": "some", "endpoints": [{"lb_endpoints": [)" + endpoint + "]}]}";
}

std::string endpoint(const std::string& address, const std::string& more = "") {
  return R"({"endpoint": {"address": {"socket_address": {"address": ")" + address + R"(", "port_value": 80}}})" + more +
         "}";
}

Store store_of_one() {
  Store store;
  store.of(Kind::kClusters)["back"] = resource_of(Kind::kClusters, kCluster);
  store.of(Kind::kEndpoints)["some"] = resource_of(Kind::kEndpoints, assignment(endpoint("10.0.0.1")));
  return store;
}

TEST(Stores, AreKeptAndReadAgain) {
  const std::string path = ::testing::TempDir() + "hone-mesh-kept";
  const Store store = store_of_one();
  ASSERT_EQ(store.save(path), "");
  Store again;
  ASSERT_EQ(again.load(path), "");
  for (const Kind kind : kKinds) {
    ASSERT_EQ(again.of(kind).size(), store.of(kind).size());
    for (const auto& [name, one] : store.of(kind)) {
      EXPECT_EQ(again.of(kind).at(name).bytes, one.bytes);
      EXPECT_EQ(again.of(kind).at(name).version, one.version);
    }
  }
  // Any missing part of the file is noticed.
  const std::string whole = *text_of_file(path);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, size);
    Store part;
    EXPECT_THAT(part.load(path), HasSubstr(path)) << size;
  }
  EXPECT_THAT(Store().save("/no/such/folder/file"), HasSubstr("No such file"));
}

TEST(Discovery, SaysWhatIsAskedFor) {
  const NodeSpec node{.id = "one", .cluster = "shop", .region = "", .zone = "a"};
  const Store store = store_of_one();
  const auto read = [](const std::string& bytes, const char* kind) {
    const std::shared_ptr<envoy::Message> message =
        envoy::make_message(std::string("envoy.service.discovery.v3.").append(kind));
    EXPECT_TRUE(message->ParseFromString(bytes));
    return message->ShortDebugString();
  };
  EXPECT_EQ(
      read(bytes_of({.kind = Kind::kClusters, .node = &node, .names = {}, .known = &store.of(Kind::kClusters)}, true),
           "DeltaDiscoveryRequest"),
      "node { id: \"one\" cluster: \"shop\" locality { zone: \"a\" } user_agent_name: \"hone-mesh\" } type_url: "
      "\"type.googleapis.com/envoy.config.cluster.v3.Cluster\" initial_resource_versions { key: \"back\" value: \"1\" "
      "}");
  EXPECT_EQ(
      read(bytes_of({.kind = Kind::kRoutes, .names = {"a"}, .version = "3", .nonce = "n", .refusal = "no"}, false),
           "DiscoveryRequest"),
      "version_info: \"3\" resource_names: \"a\" type_url: "
      "\"type.googleapis.com/envoy.config.route.v3.RouteConfiguration\" response_nonce: \"n\" error_detail { code: 3 "
      "message: \"no\" }");
}

TEST(Discovery, ReadsWhateverComes) {
  const std::string good = response_of(Kind::kEndpoints, store_of_one().of(Kind::kEndpoints));
  const auto whole = parse_response(good, true);
  ASSERT_TRUE(whole && whole->kind == Kind::kEndpoints);
  EXPECT_TRUE(whole->resources.contains("some"));
  Random random(7);
  for (int count = 0; count < 5000; ++count) {
    std::string bad = good;
    for (std::uint32_t changes = 1 + random.below(4); changes > 0; --changes) {
      bad[random.below(static_cast<std::uint32_t>(bad.size()))] = static_cast<char>(random.below(256));
    }
    bad.resize(random.below(static_cast<std::uint32_t>(bad.size() + 1)));
    for (const bool is_delta : {true, false}) {
      const auto response = parse_response(bad, is_delta);
      if (!response || response->kind != Kind::kEndpoints) continue;
      Store store;
      store.of(Kind::kEndpoints) = response->resources;
      for (const auto& [name, one] : response->resources) {
        ClusterSpec spec;
        std::vector<std::string> faults;
        set_endpoints(store, name, spec, faults);
      }
    }
  }
}

TEST(Makings, AreClustersWithTheEndpointsThatTheyName) {
  Store store = store_of_one();
  config::Names names;
  Made<ClusterSpec> made = make_cluster_spec(store, "back", names);
  EXPECT_THAT(made.faults, IsEmpty());
  EXPECT_THAT(made.needs[Kind::kEndpoints], ElementsAre("some"));
  ASSERT_TRUE(made.spec);
  const auto faults_of = [&](const std::string& json) {
    store.of(Kind::kEndpoints)["some"] = resource_of(Kind::kEndpoints, json);
    std::vector<std::string> faults;
    set_endpoints(store, "some", *made.spec, faults);
    return faults;
  };
  EXPECT_THAT(faults_of(assignment(endpoint("10.0.0.1", R"(, "load_balancing_weight": 7)") + "," +
                                   endpoint("10.0.0.2", R"(, "health_status": "DRAINING")"))),
              IsEmpty());
  ASSERT_EQ(made.spec->endpoints.size(), 1u) << "one is left out";
  EXPECT_EQ(made.spec->endpoints[0].address.text(), "10.0.0.1:80");
  EXPECT_EQ(made.spec->endpoints[0].weight, 7u);
  EXPECT_THAT(faults_of(assignment("")), IsEmpty());
  EXPECT_THAT(made.spec->endpoints, IsEmpty());
  EXPECT_THAT(faults_of(assignment(endpoint("shop.example"))),
              ElementsAre("endpoints.some: \"shop.example:80\" is no address"));
  EXPECT_THAT(faults_of(assignment(endpoint("10.0.0.1", R"(, "load_balancing_weight": 2000000)"))),
              ElementsAre("endpoints.some: a weight is not between 1 and 1000000"));
  EXPECT_THAT(faults_of(R"({"cluster_name": "some", "policy": {"overprovisioning_factor": 200}})"),
              ElementsAre("endpoints.some.policy.overprovisioning_factor: is always 140"));
  store.of(Kind::kClusters)["other"] = store.of(Kind::kClusters)["back"];
  EXPECT_THAT(make_cluster_spec(store, "other", names).faults, ElementsAre("clusters.other: it calls itself back"));
  store.of(Kind::kClusters)["back"].bytes = "\xff";
  EXPECT_THAT(make_cluster_spec(store, "back", names).faults, ElementsAre("clusters.back: its bytes are broken"));
}

constexpr char kSecure[] = R"({"name": "back", "type": "EDS", "eds_cluster_config": {"service_name": "some"},
  "transport_socket": {"name": "tls", "typed_config": {
    "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext", "sni": "shop.test",
    "common_tls_context": {
      "tls_certificate_sds_secret_configs": [{"name": "own", "sds_config": {"ads": {}}}],
      "combined_validation_context": {
        "default_validation_context": {"match_typed_subject_alt_names": [
          {"san_type": "URI", "matcher": {"exact": "spiffe://shop.test/back"}}]},
        "validation_context_sds_secret_config": {"name": "root", "sds_config": {"ads": {}}}}}}}})";

std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos;) text.replace(at, 1, "\\n");
  return text;
}

std::string secret_of(const std::string& name, const testing::Certificate& one) {
  return R"({"name": ")" + name + R"(", "tls_certificate": {"certificate_chain": {"inline_string": ")" +
         escaped(one.pem) + R"("}, "private_key": {"inline_string": ")" + escaped(one.key) + R"("}}})";
}

TEST(Makings, WaitForSecretsAndGoOnWithOthers) {
  const testing::Authority authority;
  const std::string root = R"({"name": "root", "validation_context": {"trusted_ca": {"inline_string": ")" +
                           escaped(authority.pem()) + R"("}}})";
  Store store = store_of_one();
  store.of(Kind::kClusters)["back"] = resource_of(Kind::kClusters, kSecure);
  config::Names names;
  Made<ClusterSpec> made = make_cluster_spec(store, "back", names);
  ASSERT_THAT(made.faults, IsEmpty());
  ASSERT_TRUE(made.spec);
  EXPECT_THAT(made.needs[Kind::kSecrets], ElementsAre("own", "root"));
  Tls& tls = *made.spec->tls;
  EXPECT_EQ(tls.context(), nullptr);
  EXPECT_EQ(tls.spec().peers, std::vector<IdentityMatch>{IdentityMatch("spiffe://shop.test/back")});
  std::vector<std::string> faults;
  store.of(Kind::kSecrets)["own"] = resource_of(Kind::kSecrets, secret_of("own", authority.issue("one.test")));
  set_secrets(store, tls, faults);
  EXPECT_THAT(faults, IsEmpty());
  EXPECT_EQ(tls.context(), nullptr) << "root is missing";
  store.of(Kind::kSecrets)["root"] = resource_of(Kind::kSecrets, root);
  set_secrets(store, tls, faults);
  EXPECT_THAT(faults, IsEmpty());
  const auto first = tls.context();
  ASSERT_NE(first, nullptr);

  testing::Certificate wrong = authority.issue("other.test");
  wrong.key = authority.issue("third.test").key;
  store.of(Kind::kSecrets)["own"] = resource_of(Kind::kSecrets, secret_of("own", wrong));
  set_secrets(store, tls, faults);
  EXPECT_THAT(faults, ElementsAre("secrets.own: the key in it is not that of the certificate"));
  EXPECT_EQ(tls.context(), first);
  faults.clear();
  store.of(Kind::kSecrets)["own"] = resource_of(
      Kind::kSecrets, R"({"name": "own", "tls_certificate": {"certificate_chain": {"filename": "/no/such.pem"}}})");
  set_secrets(store, tls, faults);
  EXPECT_THAT(faults, ElementsAre("secrets.own: it has no key"));
  faults.clear();
  store.of(Kind::kSecrets)["own"] = resource_of(Kind::kSecrets, R"({"name": "own", "generic_secret": {}})");
  set_secrets(store, tls, faults);
  EXPECT_THAT(faults, ::testing::Contains(HasSubstr("secrets.own.generic_secret: is not supported")));
  EXPECT_EQ(tls.context(), first);
  store.of(Kind::kSecrets)["own"] = resource_of(Kind::kSecrets, secret_of("own", authority.issue("other.test")));
  faults.clear();
  set_secrets(store, tls, faults);
  EXPECT_THAT(faults, IsEmpty());
  EXPECT_NE(tls.context()->fingerprint(), first->fingerprint());
}

TEST(Makings, HaveTablesOfTheEndpointsThatComeLater) {
  Store store;
  store.of(Kind::kClusters)["back"] =
      resource_of(Kind::kClusters,
                  R"({"name": "back", "type": "EDS", "lb_policy": "MAGLEV", "maglev_lb_config": {"table_size": 101}})");
  store.of(Kind::kEndpoints)["back"] = resource_of(Kind::kEndpoints, assignment(endpoint("10.0.0.1")));
  config::Names names;
  Made<ClusterSpec> made = make_cluster_spec(store, "back", names);
  ASSERT_TRUE(made.spec) << made.faults.front();
  EXPECT_EQ(made.spec->table, nullptr);
  std::vector<std::string> faults;
  set_endpoints(store, "back", *made.spec, faults);
  ASSERT_NE(made.spec->table, nullptr);
  EXPECT_EQ(made.spec->table->size(), 101u);
}

}  // namespace
}  // namespace hone::mesh::xds
