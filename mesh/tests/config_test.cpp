// Configurations, and the messages for their writers.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "config/yaml.hpp"
#include "mocks.hpp"
#include "observe/access_log.hpp"
#include "observe/metrics.hpp"
#include "tls_peer.hpp"

namespace hone::mesh::testing {
namespace {

using config::read_yaml;

constexpr char kWhole[] = R"(workers: 2
admin: 127.0.0.1:9901
access_log: {path: "-", format: json}
drain_timeout: 5s
listeners:
  - name: in
    address: 0.0.0.0:8080
    forwarded: replace
    limits: {connections: 10, fields: 50}
    timeouts: {head: 1s, idle: 2m, stall: 500ms}
    routes:
      - match: {prefix: /a}
        to: [{cluster: one, weight: 9}, {cluster: two, weight: 1}]
        rewrite: {prefix: /b, host: inner}
        timeout: none
        retry: {attempts: 3, on: [reset, timeout], statuses: [503], per_try_timeout: 1s, backoff: 10ms}
      - to: two
clusters:
  - name: one
    endpoints: ["127.0.0.1:1", {address: "unix:/tmp/x", weight: 3}]
    balance: round-robin
    connect_timeout: 100ms
    limits: {connections: 5, requests: 6, retries: 7}
  - {name: two, endpoints: ["[::1]:2"]}
)";

// Writes a file that lives as long as the test, and returns its path.
std::string written(const std::string& name, const std::string& text) {
  const std::string path = ::testing::TempDir() + "config_test_" + std::to_string(::getpid()) + name;
  std::ofstream(path) << text;
  return path;
}

TEST(Configurations, OfTlsReadTheirFiles) {
  const Authority authority;
  const Certificate one = authority.issue("one.test");
  const std::string certificate = written("one.pem", one.pem);
  const std::string key = written("one.key", one.key);
  const std::string ca = written("ca.pem", authority.pem());
  const auto read = [](const std::string& listener, const std::string& cluster) {
    return read_yaml("listeners:\n- name: a\n  address: 127.0.0.1:1\n  routes: [{to: b}]\n  tls: {" + listener +
                         "}\nclusters:\n- {name: b, endpoints: [127.0.0.1:2], protocol: auto" + cluster + "}\n",
                     "m.yaml");
  };
  const std::string good = "certificates: [{certificate: " + certificate + ", key: " + key + "}]";
  EXPECT_EQ(
      read(good + ", client_ca: {a.test: " + ca + "}", ", tls: {identities: spiffe://a/b, ca: " + ca + "}").faults,
      std::vector<std::string>());
  const auto whole = read(good + ", client_ca: " + ca + ", least: 1.3", ", tls: {name: one.test, ca: " + ca + "}");
  ASSERT_NE(whole.snapshot, nullptr) << whole.faults.front();
  EXPECT_EQ(whole.snapshot->listeners[0].tls->spec().side, TlsSide::kServer);
  EXPECT_EQ(whole.snapshot->clusters[0].tls->spec().side, TlsSide::kClient);
  EXPECT_EQ(whole.snapshot->clusters[0].protocol, Protocol::kAuto);

  const std::string tls = ", tls: {name: one.test, ca: " + ca + "}";
  const std::pair<std::string, std::string> cases[] = {
      {read("certificates: []", tls).faults.at(0), "m.yaml:5: listeners[0].tls.certificates: there is no certificate"},
      {read("certificates: [{certificate: " + key + ", key: " + key + "}]", tls).faults.at(0),
       "m.yaml:5: listeners[0].tls.certificates[0].certificate: \"" + key + "\": there is no certificate in it"},
      {read("certificates: [{certificate: " + certificate + ", key: " + ca + "}]", tls).faults.at(0),
       "m.yaml:5: listeners[0].tls.certificates[0].key: \"" + ca + "\": there is no private key in it"},
      {read("certificates: [{certificate: /no/such, key: " + key + "}]", tls).faults.at(0),
       "\"/no/such\": No such file or directory; name a file"},
      {read("certificates: [{certificate: /dev/zero, key: " + key + "}]", tls).faults.at(0),
       "\"/dev/zero\": it is no file"},
      {read(good + ", identities: [spiffe://a/b]", tls).faults.at(0), "clients show no certificate; write client_ca:"},
      {read(good + ", client_ca: " + ca + ", identities: [spiffe://*/b]", tls).faults.at(0),
       "identities[0]: \"spiffe://*/b\" is no identity"},
      {read(good + ", client_ca: {shop.test: /no/such}", tls).faults.at(0),
       "client_ca.shop.test: \"/no/such\": No such"},
      {read(good + ", client_ca: {secret: root}", tls).faults.at(0), "secrets are told by a control plane"},
      {read(good + ", client_ca: " + ca + ", revoked: " + ca, tls).faults.at(0), "there is no list (CRL) in it"},
      {read(good + ", least: 1.1", tls).faults.at(0), "write one of: 1.2, 1.3"},
      {read(good, "").faults.at(0), "m.yaml:7: clusters[0]: auto is agreed by TLS, and there is none"},
      {read(good, ", tls: {ca: " + ca + "}").faults.at(0), "m.yaml:7: clusters[0].tls: the key \"name\" is missing"},
      {read(good, ", tls: {name: \"*.test\", ca: " + ca + "}").faults.at(0), "\"*.test\" is no name of a host"},
      {read(good, ", tls: {name: one.test, ca: " + ca + ", key: " + key + "}").faults.at(0),
       "the key \"certificate\" is missing"},
  };
  for (const auto& [fault, expected] : cases) EXPECT_NE(fault.find(expected), fault.npos) << fault;
  for (const std::string& path : {certificate, key, ca}) std::remove(path.c_str());
}

TEST(Configurations, OfTcpNameTheirCluster) {
  const auto read = [](const std::string& listener) {
    return read_yaml("listeners:\n- {name: a, address: 127.0.0.1:1, " + listener +
                         "}\nclusters: [{name: b, endpoints: [127.0.0.1:2]}]\n",
                     "m.yaml");
  };
  const auto whole = read("tcp: b, timeouts: {tunnel: 2m}");
  ASSERT_NE(whole.snapshot, nullptr) << whole.faults.front();
  EXPECT_EQ(whole.snapshot->listeners[0].tcp, 0u);
  EXPECT_EQ(whole.snapshot->listeners[0].limits.tunnel, std::chrono::minutes(2));
  EXPECT_EQ(read("tcp: c").faults.at(0), "m.yaml:2: listeners[0].tcp: there is no cluster \"c\"; write one of: b");
  EXPECT_EQ(read("tcp: b, routes: [{to: b}]").faults.at(0),
            "m.yaml:2: listeners[0].routes: this is for listeners of HTTP; take it or tcp: out");
}

TEST(Configurations, OfMemoryAndAgentsAreChecked) {
  const auto read = [](const std::string& more, const std::string& listener = "") {
    return read_yaml(more + "\nlisteners: [{name: a, address: \"shm:/a\", routes: [{to: b}]" + listener +
                         "}]\nclusters: [{name: b, endpoints: [\"shm:///b\"]}]\n",
                     "m.yaml");
  };
  const auto whole = read("shared_memory: {ring_kb: 64, connections: 2, users: [7]}\nagent: {every: 5s}");
  ASSERT_NE(whole.snapshot, nullptr) << whole.faults.front();
  EXPECT_EQ(whole.snapshot->shared_memory, (SharedMemorySpec{64 << 10, 2, {7}}));
  EXPECT_EQ(whole.snapshot->agent->every, std::chrono::seconds(5));
  EXPECT_EQ(whole.snapshot->clusters[0].endpoints[0].address.text(), "shm:/b");
  const std::pair<std::string, std::string> cases[] = {
      {read("shared_memory: {ring_kb: 100}").faults.at(0), "100 is no power of two"},
      {read("agent: {address: tcp:1.2.3.4:5}").faults.at(0), "write unixgram:PATH or udp:ADDRESS:PORT"},
      {read("agent: {every: 10ms}").faults.at(0), "every is less than a second"},
      {read("admin: shm:/c").faults.at(0), "write unix: for shm:"},
      {read("", ", tls: {certificates: [{certificate: /c, key: /k}]}").faults.back(), "memory is not encrypted"},
  };
  for (const auto& [fault, expected] : cases) EXPECT_NE(fault.find(expected), fault.npos) << fault;
}

TEST(Configurations, AreReadWhole) {
  config::Names names;
  const auto read = read_yaml(kWhole, "m.yaml", names);
  ASSERT_NE(read.snapshot, nullptr) << read.faults.front();
  const Snapshot& snapshot = *read.snapshot;
  EXPECT_EQ(snapshot.workers, 2u);
  EXPECT_EQ(snapshot.admin->text(), "127.0.0.1:9901");
  EXPECT_EQ(snapshot.access_log->format, LogFormat::kJson);
  EXPECT_EQ(snapshot.drain_timeout, std::chrono::seconds(5));
  const ListenerSpec& listener = snapshot.listeners.at(0);
  EXPECT_EQ(listener.forwarded, Forwarded::kReplace);
  EXPECT_EQ(listener.connections, 10u);
  EXPECT_EQ(listener.limits.fields, 50u);
  EXPECT_EQ(listener.limits.idle, std::chrono::minutes(2));
  Head head;
  head.path = "/a";
  const auto& rule = std::get<Forward>(listener.hosts.find(head)->action);
  EXPECT_EQ(rule.shares[1].cluster, 1u);
  EXPECT_EQ(rule.total_weight, 10u);
  EXPECT_EQ(rule.prefix_rewrite, "/b");
  EXPECT_EQ(rule.timeout, Duration(0));
  EXPECT_EQ(rule.retry.attempts, 3u);
  EXPECT_TRUE(rule.retry.on_reset && rule.retry.on_timeout && !rule.retry.on_connect_failure);
  EXPECT_EQ(rule.retry.on_statuses, std::vector{503});
  EXPECT_EQ(snapshot.clusters[0].endpoints[1].weight, 3u);
  EXPECT_EQ(snapshot.clusters[0].endpoints[1].address.path(), "/tmp/x");
  EXPECT_EQ(snapshot.clusters[0].limits.retries, 7u);
  EXPECT_EQ(names.routes.name_of(0), "in: prefix /a, line 12");
  EXPECT_EQ(names.routes.name_of(1), "in: prefix /, line 17");
  EXPECT_EQ(listener.hosts.find(head)->number, 1u);
}

TEST(Configurations, SayWhereWhatIsWrongAndWhatWouldBeRight) {
  // Each change of the whole configuration, and the message about it.
  const struct {
    const char* from;
    const char* to;
    const char* said;
  } cases[] = {
      {"workers: 2", "worker: 2", "m.yaml:1: there is no key \"worker\"; did you mean workers?"},
      {"workers: 2", "colour: 2",
       "m.yaml:1: there is no key \"colour\"; known here: workers, admin, access_log, tracing, agent, "
       "control_plane, drain_timeout, restart, overload, shared_memory, listeners, clusters"},
      {"workers: 2", "workers: two", "m.yaml:1: workers: \"two\" is not possible; write a whole number from 1 to 1024"},
      {"workers: 2", "workers: 2\nworkers: 3", "m.yaml:2: the key \"workers\" comes twice; leave one of them"},
      {"127.0.0.1:9901", "localhost",
       "m.yaml:2: admin: \"localhost\" is no address; write numbers with a port, such as 127.0.0.1:8080 or [::1]:8080, "
       "unix:/path, or shm:/path; names are not looked up"},
      {"format: json", "format: xml", "m.yaml:3: access_log.format: \"xml\" is not known; write one of: text, json"},
      {"drain_timeout: 5s", "drain_timeout: 5", "m.yaml:4: drain_timeout: \"5\" has no unit; write 5s or 5ms"},
      {"head: 1s", "head: 1h",
       "m.yaml:10: listeners[0].timeouts.head: \"1h\" is no duration; write a number with its unit, such as 250ms, 10s "
       "or 5m"},
      {"name: in", "name: \"a b\"",
       "m.yaml:6: listeners[0].name: \"a b\" is no name; write up to 64 letters, digits, -, _ and ."},
      {"{prefix: /a}", "{prefix: a}",
       "m.yaml:12: listeners[0].routes[0].match.prefix: \"a\" is no path; begin with a slash, without a query"},
      {"{prefix: /a}", "{path: /a}",
       "m.yaml:14: listeners[0].routes[0].rewrite: only a prefix can be rewritten by prefix; match by prefix:, or take "
       "it out"},
      {"{prefix: /a}", "{regex: \"(\"}",
       "m.yaml:12: listeners[0].routes[0].match.regex: \"(\" is no regular expression: missing ): (; write it in RE2's "
       "syntax"},
      {"cluster: one", "cluster: none",
       "m.yaml:13: listeners[0].routes[0].to[0].cluster: there is no cluster \"none\"; write one of: one, two"},
      {"to: two", "redirect: {status: 200}",
       "m.yaml:17: listeners[0].routes[1].redirect.status: \"200\" is not known; write one of: 301, 302, 303, 307, "
       "308"},
      {"to: two", "timeout: 1s",
       "m.yaml:17: listeners[0].routes[1]: a route does one thing; write one of to:, redirect: and reply:"},
      {"name: two, ", "name: one, ",
       "m.yaml:24: clusters[1].name: \"one\" is the name of another one; give each its own name"},
      {", endpoints: [\"[::1]:2\"]", "",
       "m.yaml:24: clusters[1]: the key \"endpoints\" is missing; write endpoints: [127.0.0.1:8080], say"},
      {"listeners:", "listeners: [", "m.yaml:6: this is no YAML: "},
  };
  for (const auto& one : cases) {
    std::string text = kWhole;
    text.replace(text.find(one.from), std::string(one.from).size(), one.to);
    const auto read = read_yaml(text, "m.yaml");
    EXPECT_EQ(read.snapshot, nullptr) << one.to;
    ASSERT_FALSE(read.faults.empty()) << one.to;
    EXPECT_EQ(read.faults.front().substr(0, std::string(one.said).size()), one.said);
  }
}

TEST(Configurations, NameAllFaultsAtOnce) {
  const auto read = read_yaml("listeners:\n  - {name: a, address: x, routes: [{to: b}]}\n  - {name: a}\n", "m.yaml");
  EXPECT_EQ(read.faults.size(), 5u);
}

TEST(Configurations, ThatAreNoneAreRefused) {
  for (const char* text : {"", "- a", "text", "\t", "a: &x [*x]", "{", "listeners: {}\n", "? [a]\n: b"}) {
    EXPECT_FALSE(read_yaml(text, "m.yaml").faults.empty()) << text;
  }
}

TEST(AccessLogs, HaveOneLineForEachRequest) {
  LogRecord record{.method = "GET", .path = "/a\"b", .protocol = "HTTP/1.1", .authority = "shop", .peer = "10.0.0.9"};
  record.status = 503;
  record.flags.add(Flag::kConnectFailure);
  record.flags.add(Flag::kRetriesExhausted);
  record.bytes_out = 7;
  record.took = std::chrono::milliseconds(12);
  record.user_agent = "line\nend";
  const std::chrono::system_clock::time_point began{std::chrono::milliseconds(1'700'000'000'042)};
  std::string text;
  append_line(text, LogFormat::kText, record, began);
  EXPECT_EQ(text,
            "[2023-11-14T22:13:20.042Z] \"GET /a\\\"b HTTP/1.1\" 503 UF,URX 0 7 12 \"10.0.0.9\" \"line\\u000aend\" "
            "\"-\" \"shop\" \"-\" \"-\" \"-\"\n");
  text.clear();
  append_line(text, LogFormat::kJson, record, began);
  EXPECT_EQ(text,
            "{\"time\":\"2023-11-14T22:13:20.042Z\",\"method\":\"GET\",\"path\":\"/a\\\"b\",\"protocol\":\"HTTP/1.1\","
            "\"status\":503,\"flags\":\"UF,URX\",\"bytes_in\":0,\"bytes_out\":7,\"ms\":12,\"tries\":0,\"peer\":"
            "\"10.0.0.9\",\"user_agent\":\"line\\u000aend\",\"authority\":\"shop\"}\n");
}

TEST(AccessLogs, CountLinesThatFindNoRoom) {
  struct Told {
    void full() { ++count; }
    int count = 0;
  } told;
  NiceMock<MockLoop> loop;
  Counter lost;
  LogWriter writer(loop, lost, Delegate<void()>::of<&Told::full>(told));
  const LogRecord record{.method = "GET"};
  for (int line = 0; line < 10; ++line) {
    writer.write(record);
    loop.pass(std::chrono::milliseconds(501));
  }
  EXPECT_EQ(told.count, 10);
  EXPECT_EQ(lost.read(), 2u) << "eight buffers wait";
  std::string buffer;
  int buffers = 0;
  while (writer.ring().pop(buffer)) ++buffers;
  EXPECT_EQ(buffers, 8);
}

TEST(ControlPlanes, AreReadFromTheFile) {
  const auto read = [](const std::string& plane, const std::string& more = "protocol: http2") {
    return read_yaml(
        "control_plane: " + plane + "\nclusters: [{name: planes, endpoints: [127.0.0.1:1], " + more + "}]\n", "m.yaml");
  };
  const auto whole = read("{to: planes, by: state, node: {id: a, cluster: b, region: c, zone: d}, keep: /tmp/k}");
  ASSERT_NE(whole.snapshot, nullptr) << whole.faults.front();
  EXPECT_FALSE(whole.snapshot->control_plane->is_delta);
  EXPECT_EQ(whole.snapshot->control_plane->keep, "/tmp/k");
  EXPECT_EQ(whole.snapshot->control_plane->node.region, "c");
  EXPECT_TRUE(whole.snapshot->listeners.empty()) << "a control plane may say all of them";
  EXPECT_EQ(read("{to: planes, node: {id: a}}", "protocol: http1").faults.at(0),
            "m.yaml:1: control_plane.to: gRPC does not go over HTTP/1; give the cluster protocol: http2");
  EXPECT_EQ(read("{to: planes}").faults.at(0),
            "m.yaml:1: control_plane: the key \"node\" is missing; write node: {id: mesh-1}, say");
  EXPECT_EQ(read("{to: planes, by: push, node: {id: a}}").faults.at(0),
            "m.yaml:1: control_plane.by: \"push\" is not known; write one of: delta, state");
}

TEST(Metrics, AddUpAllWorkers) {
  const auto listener = std::make_shared<PerWorker<ListenerMetrics>>(3);
  ListenerMetrics& one = listener->of(0);
  ListenerMetrics& two = listener->of(2);
  one.responses.add(200);
  two.responses.add(204);
  two.responses.add(503);
  two.seconds.observe(std::chrono::milliseconds(3));
  one.seconds.observe(std::chrono::seconds(60));
  const std::string text = prometheus_text({.listeners = {{"in", listener}},
                                            .clusters = {{"back", std::make_shared<PerWorker<ClusterMetrics>>(3)}},
                                            .gauges = {{3, 2, 1}},
                                            .spans_lost = 4,
                                            .reloads_taken = 2});
  for (const char* line :
       {"hone_mesh_responses_total{listener=\"in\",class=\"2xx\"} 2\n", "{listener=\"in\",class=\"5xx\"} 1\n",
        "hone_mesh_request_seconds_bucket{listener=\"in\",le=\"0.0025\"} 0\n",
        "hone_mesh_request_seconds_bucket{listener=\"in\",le=\"0.005\"} 1\n",
        "hone_mesh_request_seconds_bucket{listener=\"in\",le=\"+Inf\"} 2\n",
        "hone_mesh_request_seconds_sum{listener=\"in\"} 60.003\n",
        "hone_mesh_request_seconds_count{listener=\"in\"} 2\n",
        "hone_mesh_upstream_retries_total{cluster=\"back\"} 0\n", "hone_mesh_endpoints{cluster=\"back\"} 3\n",
        "hone_mesh_endpoints_up{cluster=\"back\"} 2\n", "hone_mesh_spans_lost_total 4\n",
        "hone_mesh_reloads_taken_total 2\n", "hone_mesh_ejections_total{cluster=\"back\"} 1\n"}) {
    EXPECT_NE(text.find(line), text.npos) << line << text;
  }
}

}  // namespace
}  // namespace hone::mesh::testing
