// The effects of filters on a request and its response.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "filter/access.hpp"
#include "filter/chain.hpp"
#include "filter/cors.hpp"
#include "filter/fault.hpp"
#include "filter/header_change.hpp"
#include "filter/rate_limit.hpp"
#include "filter/request_id.hpp"
#include "filter/trace.hpp"
#include "mocks.hpp"

namespace hone::mesh::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::MatchesRegex;

// A request that one filter after the other may look at.
class Filters : public ::testing::Test {
 protected:
  Filters() {
    request_.method = "GET";
    request_.path = "/";
    request_.authority = "shop";
  }

  Passage& passage() {
    return passage_.emplace(Passage{request_, arena_, client_, identity_, parts_, metrics_, flags_, detail_, &spans_,
                                    Delegate<void(Verdict)>::of<&Filters::went_on>(*this)});
  }
  void went_on(Verdict verdict) { went_on_ = verdict; }
  void full() {}
  void field(std::string_view name, std::string_view value) {
    request_.headers.add(arena_, {name, value, id_of(name)});
  }
  void is(const char* identity) { identity_ = identity; }
  void from(const char* host) { client_ = ip_of(*Address::parse(std::string(host) + ":1")); }

  // Returns all fields as "name: value".
  static std::vector<std::string> fields(const Headers& headers) {
    std::vector<std::string> all;
    for (const Header& one : headers.items()) all.push_back(std::string(one.name) + ": " + std::string(one.value));
    return all;
  }
  static std::string value(const Headers& headers, std::string_view name) {
    const Header* const found = headers.find(name);
    return found == nullptr ? "none" : std::string(found->value);
  }
  // Returns the status that a filter answers by, 0 where the request goes on.
  int answer_of(const Filter& filter) {
    Passage& one = passage();
    return filter.on_request(one) == Verdict::kAnswer ? one.answer.status : 0;
  }

  NiceMock<MockLoop> loop_;
  BufferPool buffers_;
  BlockPool blocks_;
  Random random_{7};
  Arena arena_{blocks_};
  Parts parts_{loop_, buffers_, blocks_, random_};
  ListenerMetrics metrics_;
  Head request_;
  std::optional<Ip> client_;
  std::string_view identity_;
  Flags flags_;
  std::string_view detail_;
  Counter lost_;
  SpanWriter spans_{loop_, lost_, Delegate<void()>::of<&Filters::full>(*this)};
  std::optional<Verdict> went_on_;
  std::optional<Passage> passage_;
};

TEST_F(Filters, StandInChainsOnlyWhereTheyHaveSomethingToDo) {
  const auto filter = [](Events events) {
    auto made = std::make_shared<NiceMock<MockFilter>>();
    ON_CALL(*made, events).WillByDefault(::testing::Return(events));
    return made;
  };
  const auto one = filter({.request = true});
  const auto two = filter({.request = true, .response = true});
  const auto three = filter({.response = true});
  const Chain chain({one, two, three, filter({})});
  EXPECT_THAT(chain.on_request(), ElementsAre(one.get(), two.get()));
  EXPECT_THAT(chain.on_response(), ElementsAre(three.get(), two.get()));
}

TEST_F(Filters, NameRequests) {
  const RequestId keeping({.keep = true, .respond = true});
  std::set<std::string> ids;
  for (int round = 0; round < 1000; ++round) {
    request_.headers = {};
    EXPECT_EQ(keeping.on_request(passage()), Verdict::kNext);
    ids.insert(value(request_.headers, "x-request-id"));
  }
  EXPECT_EQ(ids.size(), 1000u);
  for (const std::string& id : ids) {
    ASSERT_THAT(id, MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
  }
  Head response;
  keeping.on_response(*passage_, response);
  EXPECT_EQ(value(response.headers, "x-request-id"), value(request_.headers, "x-request-id"));
}

TEST_F(Filters, KeepNamesThatAreSoundWhereTheyMay) {
  const std::string long_id(129, 'a');
  const struct {
    bool keep;
    std::string_view id;
    bool is_kept;
  } cases[] = {{true, "abc/1", true},     {false, "abc/1", false},
               {true, "", false},         {true, "a b", false},
               {true, "a\x7f", false},    {true, long_id, false},
               {true, "\xc3\xa4", false}, {true, std::string_view(long_id).substr(1), true}};
  for (const auto& one : cases) {
    request_.headers = {};
    field("x-request-id", one.id);
    field("x-request-id", "second");
    RequestId({.keep = one.keep}).on_request(passage());
    EXPECT_EQ(value(request_.headers, "x-request-id") == one.id, one.is_kept) << one.id;
    EXPECT_EQ(request_.headers.size(), one.is_kept ? 2u : 1u);
  }
}

TEST_F(Filters, LimitTheRateAndSayWhenToComeBack) {
  const RateLimit limit({.requests = 2, .per = seconds(10), .burst = 3});
  for (int count = 0; count < 3; ++count) EXPECT_EQ(answer_of(limit), 0);
  EXPECT_EQ(answer_of(limit), 429);
  EXPECT_THAT(fields(passage_->answer.headers), ElementsAre("retry-after: 5"));
  EXPECT_EQ(metrics_.rate_limited.read(), 1u);
  loop_.pass(milliseconds(4999));
  EXPECT_EQ(answer_of(limit), 429);
  EXPECT_THAT(fields(passage_->answer.headers), ElementsAre("retry-after: 1"));
  loop_.pass(milliseconds(1));
  EXPECT_EQ(answer_of(limit), 0);
  EXPECT_EQ(answer_of(limit), 429);
  // However long the pause, no more than the burst waits.
  loop_.pass(seconds(1000));
  for (int count = 0; count < 3; ++count) EXPECT_EQ(answer_of(limit), 0);
  EXPECT_EQ(answer_of(limit), 429);
  std::string letters;
  flags_.append_to(letters);
  EXPECT_EQ(letters, "RL");
}

TEST_F(Filters, CountInShadowModeWhatALimitWouldRefuse) {
  const RateLimit limit({.requests = 1, .per = seconds(1), .burst = 1, .is_shadow = true});
  for (int count = 0; count < 3; ++count) EXPECT_EQ(answer_of(limit), 0);
  EXPECT_EQ(metrics_.rate_limit_shadow.read(), 2u);
  EXPECT_EQ(metrics_.rate_limited.read(), 0u);
}

TEST(Buckets, GiveNoTokenTwiceWhicheverWorkerAsks) {
  constexpr int kThreads = 4;
  constexpr std::uint32_t kTokens = 1000;
  Bucket bucket(kTokens, seconds(1000), kTokens);
  const Moment now{seconds(5000)};
  std::atomic<std::uint32_t> taken{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (std::uint32_t count = 0; count < kTokens; ++count) {
        if (bucket.take(now) == Duration(0)) ++taken;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, kTokens);
}

AccessRule rule(PathMatch::Kind kind, std::string path, std::vector<std::string> methods = {},
                std::vector<const char*> clients = {}) {
  AccessRule made;
  made.name = "rule";
  made.match.path.kind = kind;
  made.match.path.text = std::move(path);
  made.match.methods = std::move(methods);
  for (const char* client : clients) made.clients.push_back(*Network::parse(client));
  return made;
}

TEST_F(Filters, AllowAndDenyByPathMethodAndClient) {
  AccessRules rules;
  rules.deny.push_back(rule(PathMatch::Kind::kPrefix, "/admin", {"POST", "DELETE"}));
  rules.allow.push_back(rule(PathMatch::Kind::kPrefix, "/admin", {}, {"10.0.0.0/8", "2001:db8::/33"}));
  rules.allow.push_back(rule(PathMatch::Kind::kExact, "/open"));
  const Access access(std::move(rules));
  const struct {
    const char* method;
    const char* path;
    const char* client;
    int status;
  } cases[] = {
      {"GET", "/admin/a", "10.255.0.1", 0},      {"GET", "/admin/a", "11.0.0.1", 403},
      {"GET", "/admin", "[2001:db8:1::1]", 0},   {"GET", "/admin", "[2001:db8:8000::1]", 403},
      {"GET", "/admin", "[::ffff:10.1.1.1]", 0}, {"GET", "/admin", nullptr, 403},
      {"DELETE", "/admin/a", "10.0.0.1", 403},   {"GET", "/open?a", nullptr, 0},
      {"DELETE", "/open", "1.2.3.4", 0},         {"GET", "/other", "10.0.0.1", 403},
  };
  for (const auto& one : cases) {
    request_.method = one.method;
    request_.path = one.path;
    client_.reset();
    if (one.client != nullptr) from(one.client);
    EXPECT_EQ(answer_of(access), one.status) << one.method << one.path;
  }
  EXPECT_EQ(metrics_.access_refused.read(), 5u);
  EXPECT_EQ(detail_, "not-allowed");
}

TEST_F(Filters, AllowAndDenyByIdentity) {
  AccessRules rules;
  rules.deny.push_back(rule(PathMatch::Kind::kPrefix, "/"));
  rules.deny[0].identities = {IdentityMatch("spiffe://shop.test/old")};
  rules.allow.push_back(rule(PathMatch::Kind::kPrefix, "/pay"));
  rules.allow[0].identities = {IdentityMatch("spiffe://shop.test/*")};
  rules.allow.push_back(rule(PathMatch::Kind::kPrefix, "/any"));
  rules.allow[1].identities = {IdentityMatch("*")};
  rules.allow.push_back(rule(PathMatch::Kind::kPrefix, "/near", {}, {"10.0.0.0/8"}));
  rules.allow[2].identities = {IdentityMatch("cart.test")};
  const Access access(std::move(rules));
  from("10.0.0.1");
  const struct {
    const char* path;
    const char* identity;
    int status;
  } cases[] = {{"/pay", "spiffe://shop.test/cart", 0},
               {"/pay", "spiffe://shop.test/old", 403},
               {"/pay", "spiffe://shop.test.evil/a", 403},
               {"/pay", "", 403},
               {"/any", "cart.test", 0},
               {"/any", "", 403},
               {"/near", "cart.test", 0},
               {"/near", "cart.test2", 403}};
  for (const auto& one : cases) {
    request_.path = one.path;
    is(one.identity);
    EXPECT_EQ(answer_of(access), one.status) << one.path << " " << one.identity;
  }
  from("11.0.0.1");
  request_.path = "/near";
  is("cart.test");
  EXPECT_EQ(answer_of(access), 403);
}

TEST_F(Filters, SeePathsAsServersMayReadThem) {
  AccessRules deny;
  deny.deny.push_back(rule(PathMatch::Kind::kPrefix, "/admin"));
  const Access denying(std::move(deny));
  AccessRules allow;
  allow.allow.push_back(rule(PathMatch::Kind::kPrefix, "/open"));
  const Access allowing(std::move(allow));
  for (const char* path : {"/admin", "/%61dmin/x", "//admin", "/%2fadmin?a", "/x%2f..%2fadmin", "/x/..%2fadmin",
                           "/admin;v=1", "/admin;v=1/x", "/;a/admin", "/%5cadmin", "/x%5c..%5cadmin"}) {
    request_.path = path;
    EXPECT_EQ(answer_of(denying), 403) << path;
  }
  EXPECT_EQ(detail_, "rule");
  for (const char* path : {"/admins", "/a%64mins", "/x;/admin", "/;admin", "/x%3b/admin", "/%2561dmin"}) {
    request_.path = path;
    EXPECT_EQ(answer_of(denying), 0) << path;
  }
  for (const char* path : {"/open/x", "/open//x", "/open/%61", "/open/a;b"}) {
    request_.path = path;
    EXPECT_EQ(answer_of(allowing), 0) << path;
  }
  for (const char* path : {"/open%2f..%2fadmin", "/open/..%2fadmin", "/%6fpen", "/open%5c..%5cadmin", "*"}) {
    request_.path = path;
    EXPECT_EQ(answer_of(allowing), 403) << path;
  }
}

TEST_F(Filters, CountInShadowModeWhatRulesWouldRefuse) {
  AccessRules rules;
  rules.deny.push_back(rule(PathMatch::Kind::kPrefix, "/"));
  rules.is_shadow = true;
  EXPECT_EQ(answer_of(Access(std::move(rules))), 0);
  EXPECT_EQ(metrics_.access_shadow.read(), 1u);
  EXPECT_EQ(metrics_.access_refused.read(), 0u);
}

TEST(Networks, AreReadAndHoldTheirMachines) {
  for (const char* text : {"", "10.0.0.0/33", "10.0.0.1/8", "::1/129", "::1/64", "10.0.0.0/", "a", "10.0.0.0/+8",
                           "10.0.0/8", "10.0.0.0/8/8", "1.2.3.4:80"}) {
    EXPECT_FALSE(Network::parse(text)) << text;
  }
  const Ip local = *ip_of(*Address::parse("127.0.0.1:80"));
  for (const char* text : {"0.0.0.0/0", "127.0.0.1", "127.0.0.0/8", "127.0.0.1/32", "126.0.0.0/7", "::/0"}) {
    EXPECT_TRUE(Network::parse(text)->contains(local)) << text;
  }
  for (const char* text : {"128.0.0.0/1", "127.0.0.2", "127.0.0.0/32", "::1"}) {
    EXPECT_FALSE(Network::parse(text)->contains(local)) << text;
  }
  EXPECT_FALSE(ip_of(*Address::parse("unix:/a")));
}

CorsRule cors_rule() {
  CorsRule rule;
  rule.origins.push_back({TextMatch::Kind::kExact, "https://a.example", nullptr});
  rule.origins.push_back({TextMatch::Kind::kSuffix, ".b.example", nullptr});
  rule.origins.push_back({TextMatch::Kind::kRegex, "", std::make_unique<const re2::RE2>("https://c[0-9]\\.example")});
  rule.methods = "GET, PUT";
  rule.headers = "x-token";
  rule.max_age_s = "600";
  rule.has_credentials = true;
  return rule;
}

TEST_F(Filters, AnswerPreflightsOfOriginsThatMayRead) {
  const Cors cors(cors_rule());
  request_.method = "OPTIONS";
  field("origin", "https://x.b.example");
  EXPECT_EQ(answer_of(cors), 0) << "no preflight";
  field("access-control-request-method", "PUT");
  EXPECT_EQ(answer_of(cors), 200);
  Head response;
  response.headers = passage_->answer.headers;
  cors.on_response(*passage_, response);
  EXPECT_THAT(
      fields(response.headers),
      ElementsAre("access-control-allow-methods: GET, PUT", "access-control-allow-headers: x-token",
                  "access-control-max-age: 600", "vary: origin", "access-control-allow-origin: https://x.b.example",
                  "access-control-allow-credentials: true"));
}

TEST_F(Filters, LetPagesReadByTheirOrigin) {
  const Cors cors(cors_rule());
  const struct {
    const char* origin;
    bool may_read;
  } cases[] = {{"https://a.example", true},       {"https://a.example:444", false},   {"http://a.example", false},
               {"https://a.example.evil", false}, {"https://x.b.example", true},      {"https://evilb.example", false},
               {"https://c1.example", true},      {"https://c1.example.evil", false}, {"null", false},
               {"https://c1xexample", false}};
  for (const auto& one : cases) {
    request_.headers = {};
    field("origin", one.origin);
    EXPECT_EQ(answer_of(cors), 0);
    // Where a filter behind this one takes the field out, it is known still.
    request_.headers = {};
    Head response;
    response.headers.add(arena_, {"access-control-allow-origin", "the endpoint's", HeaderId::kOther});
    response.headers.add(arena_, {"vary", "accept, Origin", HeaderId::kOther});
    cors.on_response(*passage_, response);
    EXPECT_EQ(value(response.headers, "access-control-allow-origin"), one.may_read ? one.origin : "the endpoint's");
    EXPECT_EQ(value(response.headers, "access-control-allow-credentials"), one.may_read ? "true" : "none");
    EXPECT_EQ(value(response.headers, "vary"), "accept, Origin");
  }
}

TEST_F(Filters, LetPagesOfAllOriginsReadWithoutCredentials) {
  CorsRule rule;
  rule.expose = "x-total";
  const Cors cors(std::move(rule));
  field("origin", "null");
  EXPECT_EQ(answer_of(cors), 0);
  Head response;
  response.headers.add(arena_, {"access-control-allow-credentials", "true", HeaderId::kOther});
  cors.on_response(*passage_, response);
  EXPECT_THAT(fields(response.headers),
              ElementsAre("access-control-allow-origin: *", "access-control-expose-headers: x-total"));
}

TEST_F(Filters, FailAShareOfRequests) {
  const Fault fault({.abort_share = 250'000, .abort_status = 418});
  int failed = 0;
  for (int count = 0; count < 10'000; ++count) failed += answer_of(fault) == 418 ? 1 : 0;
  // The numbers are those of the seed.
  EXPECT_NEAR(failed, 2500, 150);
  EXPECT_EQ(metrics_.faults_aborted.read(), static_cast<std::uint64_t>(failed));
}

TEST_F(Filters, HoldRequestsUpAndNoMoreThanMayWait) {
  const Fault fault({.abort_share = 1'000'000, .delay_share = 1'000'000, .delay = milliseconds(20), .most_waiting = 1});
  EXPECT_EQ(fault.on_request(passage()), Verdict::kWait);
  Passage other = *passage_;
  other.waits.clear();
  EXPECT_EQ(fault.on_request(other), Verdict::kAnswer) << "it does not wait, and fails at once";
  loop_.pass(milliseconds(19));
  EXPECT_FALSE(went_on_);
  loop_.pass(milliseconds(2));
  EXPECT_EQ(went_on_, Verdict::kAnswer);
  EXPECT_EQ(passage_->answer.status, 503);
  EXPECT_EQ(fault.on_request(other), Verdict::kWait) << "the first does not wait any more";
  other.waits.clear();
  went_on_.reset();
  loop_.pass(milliseconds(50));
  EXPECT_FALSE(went_on_) << "who is gone is not called";
  EXPECT_EQ(fault.on_request(other), Verdict::kWait);
  EXPECT_EQ(metrics_.faults_delayed.read(), 3u);
}

TEST_F(Filters, ChangeFieldsOfRequestsAndResponses) {
  FieldChanges request;
  request.remove = {"x-gone", "user-agent"};
  request.set = {{"x-set", "new"}, {"x-new", "1"}};
  request.add = {{"x-set", "more"}, {"x-gone", "again"}};
  FieldChanges response;
  response.remove = {"server"};
  const HeaderChange change(std::move(request), std::move(response));
  for (const char* name : {"x-gone", "x-set", "user-agent", "x-gone", "x-set"}) field(name, "old");
  EXPECT_EQ(answer_of(change), 0);
  EXPECT_THAT(fields(request_.headers), ElementsAre("x-set: new", "x-new: 1", "x-set: more", "x-gone: again"));
  Head head;
  head.headers.add(arena_, HeaderId::kServer, "old");
  change.on_response(*passage_, head);
  EXPECT_TRUE(head.headers.is_empty());
  EXPECT_FALSE(HeaderChange({}, {}).events().request || HeaderChange({}, {}).events().response);
}

constexpr char kParent[] = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

TEST_F(Filters, GoOnWithTraces) {
  const Trace trace({.share = 0, .keep = true});
  field("traceparent", kParent);
  field("tracestate", "a=b");
  EXPECT_EQ(answer_of(trace), 0);
  const std::string own = value(request_.headers, "traceparent");
  EXPECT_THAT(own, MatchesRegex("00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01"));
  EXPECT_EQ(own.find("b7ad6b7169203331"), own.npos) << "the span is its own";
  EXPECT_EQ(value(request_.headers, "tracestate"), "a=b");
  trace.on_done(*passage_, LogRecord{.method = "GET"});
  spans_.flush();
  std::string text;
  ASSERT_TRUE(spans_.ring().pop(text));
  EXPECT_NE(text.find("\"parentSpanId\":\"b7ad6b7169203331\""), text.npos) << text;
  EXPECT_NE(text.find("\"spanId\":\"" + own.substr(36, 16) + "\""), text.npos) << text;
}

TEST_F(Filters, BeginTracesAndWriteAShareOfThemDown) {
  const struct {
    TraceRule rule;
    const char* sent;
  } cases[] = {
      {{.share = 1'000'000, .keep = false}, kParent}, {{.share = 1'000'000}, "00-no"}, {{.share = 1'000'000}, ""}};
  for (const auto& [rule, sent] : cases) {
    request_.headers = {};
    field("traceparent", sent);
    field("tracestate", "a=b");
    EXPECT_EQ(answer_of(Trace(rule)), 0);
    EXPECT_THAT(value(request_.headers, "traceparent"), MatchesRegex("00-[0-9a-f]{32}-[0-9a-f]{16}-01"));
    EXPECT_EQ(value(request_.headers, "traceparent").find("0af7651916cd43dd"), std::string::npos);
    EXPECT_EQ(value(request_.headers, "tracestate"), "none");
  }
  const Trace half({.share = 500'000});
  int sampled = 0;
  for (int count = 0; count < 1000; ++count) {
    request_.headers = {};
    half.on_request(passage());
    EXPECT_EQ(passage_->span.own.is_sampled, value(request_.headers, "traceparent").ends_with("-01"));
    half.on_done(*passage_, LogRecord{});
    sampled += passage_->span.own.is_sampled ? 1 : 0;
  }
  EXPECT_NEAR(sampled, 500, 60);
  spans_.flush();
  std::string text;
  std::string all;
  while (spans_.ring().pop(text)) all += text;
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 0);
  int written = 0;
  for (std::size_t at = all.find("{\"traceId\""); at != all.npos; at = all.find("{\"traceId\"", at + 1)) ++written;
  EXPECT_EQ(written, sampled);
}

}  // namespace
}  // namespace hone::mesh::testing
