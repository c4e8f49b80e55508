// Requests that check endpoints, and the meaning of the answers.
#include <gtest/gtest.h>

#include <string>

#include "cluster/health_check.hpp"
#include "config/yaml.hpp"
#include "mocks.hpp"

namespace hone::mesh::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

// Checks of one endpoint.
class Checks : public ::testing::Test {
 protected:
  Checks() {
    spec_.name = "back";
    spec_.endpoints.push_back({*Address::parse("127.0.0.1:1"), 1});
    spec_.check = HealthRule();
    ON_CALL(exchange_, write_head).WillByDefault([this](const Head& head) {
      asked_ += std::string(head.method) + " " + std::string(head.authority) + std::string(head.path);
    });
    ON_CALL(exchange_, write_body).WillByDefault([this](Slice slice) { asked_ += slice.bytes; });
    ON_CALL(exchange_, reset).WillByDefault([this](Reset) { asked_ += " given up"; });
  }
  void start() {
    auto pool = std::make_unique<NiceMock<MockPool>>();
    ON_CALL(*pool, acquire).WillByDefault([this](Waiter& waiter) { waiter_ = &waiter; });
    check_.emplace(Parts{loop_, buffers_, blocks_, random_}, spec_, spec_.endpoints[0], std::move(pool));
    loop_.pass(spec_.check->jitter + milliseconds(1));
  }
  void next() {
    asked_.clear();
    loop_.pass(spec_.check->interval + spec_.check->jitter + milliseconds(1));
  }
  MessageSink& ask() {
    Waiter& waiter = *std::exchange(waiter_, nullptr);
    waiter.ready(exchange_);
    return waiter.sink;
  }
  void answer(int status, std::string_view body = "", std::string_view code = "") {
    MessageSink& sink = ask();
    Head head;
    head.status = status;
    sink.on_head(head);
    if (!body.empty()) sink.on_body(Slice{{}, body});
    Headers trailers;
    if (!code.empty()) trailers.add(arena_, HeaderId::kGrpcStatus, code);
    sink.on_end(trailers);
  }
  bool is_well() const { return spec_.endpoints[0].health->passes_checks; }

  ClusterSpec spec_;
  NiceMock<MockLoop> loop_;
  BufferPool buffers_;
  BlockPool blocks_;
  Arena arena_{blocks_};
  Random random_{9};
  NiceMock<MockExchange> exchange_{arena_};
  Waiter* waiter_ = nullptr;
  std::string asked_;
  std::optional<HealthCheck> check_;
};

TEST_F(Checks, CountFailuresAndSuccessesInARow) {
  spec_.check->path = "/healthz";
  start();
  for (const int status : {500, 503, 200, 404, 302}) {
    answer(status);
    EXPECT_EQ(asked_, "GET 127.0.0.1:1/healthz");
    EXPECT_TRUE(is_well());
    next();
  }
  answer(503);
  EXPECT_FALSE(is_well()) << "three in a row";
  EXPECT_EQ(spec_.health->version, 1u);
  for (const int status : {200, 500, 200}) {
    next();
    answer(status);
    EXPECT_FALSE(is_well());
  }
  next();
  answer(204);
  EXPECT_TRUE(is_well()) << "two in a row";
  EXPECT_EQ(spec_.health->version, 2u);
}

TEST_F(Checks, FailWithoutAnAnswer) {
  spec_.check->failures = 3;
  start();
  std::exchange(waiter_, nullptr)->failed(PoolFailure::kRefused);
  next();
  ask().on_reset(Reset::kClosed);
  next();
  ask();
  loop_.pass(milliseconds(1001));
  EXPECT_EQ(asked_, "GET 127.0.0.1:1/ given up");
  EXPECT_FALSE(is_well());
}

TEST_F(Checks, AskAgainWhereAConnectionWasClosedMeanwhile) {
  spec_.check->failures = 1;
  start();
  ask().on_reset(Reset::kStale);
  EXPECT_TRUE(waiter_->needs_fresh);
  answer(200);
  EXPECT_TRUE(is_well());
  next();
  EXPECT_FALSE(waiter_->needs_fresh);
  ask().on_reset(Reset::kStale);
  ask().on_reset(Reset::kStale);
  EXPECT_FALSE(is_well());
}

TEST_F(Checks, AskByGrpc) {
  spec_.check->kind = HealthRule::Kind::kGrpc;
  spec_.check->service = "shop";
  spec_.check->failures = spec_.check->successes = 1;
  start();
  const std::string serving("\0\0\0\0\x02\x08\x01", 7);
  answer(200, serving, "0");
  EXPECT_EQ(asked_, std::string("POST 127.0.0.1:1/grpc.health.v1.Health/Check\0\0\0\0\x06\x0a\x04shop", 55));
  EXPECT_TRUE(is_well());
  const struct {
    int status;
    std::string body;
    const char* code;
  } bad[] = {{200, std::string("\0\0\0\0\x02\x08\x02", 7), "0"},
             {200, serving, "5"},
             {200, "", "0"},
             {503, serving, "0"},
             {200, serving, ""},
             {200, serving + serving, "0"},
             {200, std::string("\1\0\0\0\x02\x08\x01", 7), "0"}};
  for (const auto& one : bad) {
    next();
    answer(one.status, one.body, one.code);
    EXPECT_FALSE(is_well());
    next();
    answer(200, serving, "0");
    EXPECT_TRUE(is_well());
  }
}

TEST_F(Checks, GiveUpWithTheirOwner) {
  start();
  ask();
  check_.reset();
  EXPECT_EQ(asked_, "GET 127.0.0.1:1/ given up");
  loop_.pass(minutes(1));
}

TEST(GrpcHealth, IsReadWithFieldsOfLaterVersions) {
  EXPECT_EQ(parse_grpc_health(std::string("\0\0\0\0\0", 5)), 0u);
  EXPECT_EQ(parse_grpc_health(std::string("\0\0\0\0\x07\x12\x03"
                                          "abc\x08\x01",
                                          12)),
            1u);
  for (const std::string& broken : {std::string("\0\0\0\0\x02\x12\x7f", 7), std::string("\0\0\0\0\x01\x08", 6),
                                    std::string("\0\0\0\0\x03\x08\xff\xff", 8), std::string("\0\0\0\1\0", 5)}) {
    EXPECT_EQ(parse_grpc_health(broken), std::nullopt);
  }
}

TEST(HealthConfigurations, AreRead) {
  const std::string text = R"(listeners: [{name: in, address: 127.0.0.1:1, routes: [{to: one}]}]
clusters:
  - name: one
    endpoints: [127.0.0.1:1]
    check: {path: /healthz, host: shop, statuses: {from: 200, to: 399}, interval: 2s, timeout: 300ms, failures: 2, successes: 1}
    outlier: {gateway_failures: 0, local_failures: 7, success_rate: {endpoints: 3, requests: 50, deviations: 2.5}, interval: 1s, time: 5s, longest: 1m, most: 50}
    panic: 0
)";
  const auto read = config::read_yaml(text, "m.yaml");
  ASSERT_NE(read.snapshot, nullptr) << read.faults.front();
  const ClusterSpec& spec = read.snapshot->clusters[0];
  EXPECT_EQ(spec.check->path, "/healthz");
  EXPECT_EQ(spec.check->most_status, 399);
  EXPECT_EQ(spec.check->jitter, milliseconds(200)) << "a tenth of the interval";
  EXPECT_EQ(spec.outlier->gateway_failures, 0u);
  EXPECT_EQ(spec.outlier->success_rate->deviations, 2.5);
  EXPECT_EQ(spec.outlier->longest, minutes(1));
  EXPECT_EQ(spec.panic_percent, 0u);
  const std::pair<const char*, std::string> cases[] = {
      {"check: {protocol: udp}", ".check.protocol: \"udp\" is not known; write one of: http, tcp, grpc"},
      {"check: {protocol: tcp, path: /}", ".check.path: this is for checks of HTTP; take it out"},
      {"check: {service: a}", ".check.service: this is for checks of gRPC; take it out"},
      {"check: {protocol: grpc}", ".check: gRPC does not go over HTTP/1; write protocol: http2 for the cluster, or "},
      {"check: {path: healthz}", ".check.path: \"healthz\" is no path; begin with a slash"},
      {"check: {host: a b}", ".check.host: \"a b\" is no host; "},
      {"check: {statuses: {from: 300}}", ".check.statuses: no status is between these; "},
      {"check: {jitter: 11m}", ".check.jitter: jitter has at most 10 minutes; write less"},
      {"check: {failures: 0}", ".check.failures: \"0\" is not possible; "},
      {"outlier: {most: 101}", ".outlier.most: \"101\" is not possible; "},
      {"outlier: {success_rate: {deviations: -1}}", ".outlier.success_rate.deviations: \"-1\" is not possible; "},
      {"outlier: {success_rate: off}", ".outlier.success_rate: this is no map; "},
      {"panic: all", ".panic: \"all\" is not possible; write a whole number from 0 to 100"},
  };
  for (const auto& [line, said] : cases) {
    const auto wrong = config::read_yaml(
        "listeners: [{name: in, address: 127.0.0.1:1, routes: [{to: one}]}]\nclusters:\n  - name: one\n"
        "    endpoints: [127.0.0.1:1]\n    " +
            std::string(line) + "\n",
        "m.yaml");
    ASSERT_FALSE(wrong.faults.empty()) << line;
    EXPECT_EQ(wrong.faults.front().substr(0, said.size() + 21), "m.yaml:5: clusters[0]" + said);
  }
}

}  // namespace
}  // namespace hone::mesh::testing
