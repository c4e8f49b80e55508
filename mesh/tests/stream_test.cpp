// One request's life.
#include <gtest/gtest.h>

#include <string>

#include "stream_fixture.hpp"

namespace hone::mesh::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ByMove;
using ::testing::Invoke;
using ::testing::Return;

TEST_F(Streams, PassARequestAndItsResponseOn) {
  forward();
  begin();
  MessageSink& response = connect();
  EXPECT_EQ(up_, "[GET shop/a?b x-forwarded-for=10.0.0.9 x-forwarded-proto=http].");
  respond(response, 200);
  EXPECT_EQ(down_, "[200]ok.");
  EXPECT_EQ(metrics_.responses.read(2), 1u);
  EXPECT_EQ(cluster_metrics_.responses.read(2), 1u);
  EXPECT_EQ(spec_.totals->requests, 0u);
}

TEST_F(Streams, PassTrailersAndHeadsBeforeTheHeadOn) {
  forward();
  begin("POST", "/", false);
  MessageSink& response = connect();
  Headers trailers;
  trailers.add(arena_, {"x-up", "1", HeaderId::kOther});
  stream_->on_body(Slice{{}, "body"});
  stream_->on_end(trailers);
  EXPECT_TRUE(up_.ends_with("]body x-up.")) << up_;
  Head early;
  early.status = 103;
  response.on_head(early);
  Head head;
  head.status = 200;
  response.on_head(head);
  Headers down;
  down.add(arena_, {"x-down", "1", HeaderId::kOther});
  response.on_end(down);
  EXPECT_EQ(down_, "go[103][200] x-down.");
}

TEST_F(Streams, RewriteWhatTheRouteSays) {
  struct {
    const char* prefix;
    const char* rewrite;
    const char* path;
    const char* meaning;
  } const cases[] = {{"/a", "/b", "/a/c?q", "/b/c?q"}, {"/a", "/", "/a/c", "/c"},     {"/a", "/", "/a", "/"},
                     {"/a/", "/", "/a/c", "/c"},       {"/a/", "/b", "/a/c", "/b/c"}, {"/", "/v2", "/c", "/v2/c"},
                     {"/a", "/b", "/a?q", "/b?q"}};
  for (const auto& one : cases) {
    up_.clear();
    down_.clear();
    listener_.hosts = {};
    Forward& rule = forward();
    routes_.back().match.path.text = one.prefix;
    rule.prefix_rewrite = one.rewrite;
    rule.host_rewrite = "inner";
    begin("GET", one.path);
    respond(connect(), 200);
    EXPECT_EQ(up_.substr(0, up_.find(" x-")), std::string("[GET inner") + one.meaning);
  }
}

TEST_F(Streams, AnswerByThemselves) {
  Route reply;
  reply.match.path.text = "/";
  reply.action = DirectReply{.status = 203, .body = "hi"};
  routes_.push_back(std::move(reply));
  begin();
  EXPECT_EQ(down_, "[203 content-type=text/plain]hi.");
}

TEST_F(Streams, RedirectWithTheRestOfThePath) {
  Route route;
  route.match.path.text = "/a";
  route.action = Redirect{.status = 308, .scheme = "https", .host = "", .path = {}, .prefix = "/new"};
  routes_.push_back(std::move(route));
  begin("GET", "/a/b?c");
  EXPECT_EQ(down_, "[308 location=https://shop/new/b?c].");
}

TEST_F(Streams, SayThatThereIsNoRoute) {
  Route route;
  route.match.path.text = "/other";
  route.action = DirectReply{};
  routes_.push_back(std::move(route));
  begin();
  EXPECT_EQ(down_, "[404].");
}

TEST_F(Streams, TryAgainElsewhereWhereNoConnectionComesAbout) {
  forward();
  begin();
  EXPECT_CALL(*pools_[1], acquire);
  waiters_.back()->failed(PoolFailure::kRefused);
  EXPECT_EQ(down_, "") << "it waits before it tries again";
  EXPECT_EQ(spec_.totals->retries, 1u);
  loop_.pass(milliseconds(60));
  EXPECT_EQ(spec_.totals->requests, 1u);
  stream_->on_reset(Reset::kClosed);
  EXPECT_EQ(spec_.totals->retries, 0u);
  EXPECT_EQ(spec_.totals->requests, 0u);
}

TEST_F(Streams, EndWhereNoTryIsLeft) {
  forward();
  begin();
  waiters_.back()->failed(PoolFailure::kRefused);
  loop_.pass(milliseconds(60));
  waiters_.back()->failed(PoolFailure::kTimeout);
  EXPECT_EQ(down_, "[503].");
  EXPECT_EQ(spec_.totals->retries, 0u);
  EXPECT_EQ(cluster_metrics_.retries.read(), 1u);
}

TEST_F(Streams, TryAgainWithTheWholeBody) {
  Forward& rule = forward();
  rule.retry.on_statuses = {503};
  begin("POST", "/", false);
  MessageSink& first = connect();
  stream_->on_body(Slice{{}, "first "});
  Head head;
  head.status = 503;
  first.on_head(head);
  EXPECT_TRUE(up_.ends_with("first reset"));
  stream_->on_body(Slice{{}, "second"});
  stream_->on_end({});
  loop_.pass(milliseconds(60));
  up_.clear();
  MessageSink& second = connect();
  EXPECT_TRUE(up_.ends_with("]first second.")) << up_;
  respond(second, 200);
  EXPECT_TRUE(down_.ends_with("[200]ok.")) << down_;
}

// Calls of gRPC whose route tries again after UNAVAILABLE, and the number of such tries.
class Calls : public Streams {
 protected:
  std::uint64_t tries_again_after(const char* code) {
    forward().retry.on_codes.add(14);
    listener_.hosts.add({"*"}, RouteList(std::move(routes_)));
    client_.emplace(Client{serving_.emplace(lent(listener_), 0), "10.0.0.9", "HTTP/2"});
    stream_ = Stream::open(around_, *client_, downstream_);
    Head head;
    head.method = "POST";
    head.path = "/shop.Shop/Buy";
    head.headers.add(arena_, HeaderId::kContentType, "application/grpc");
    stream_->on_head(head);
    stream_->on_end({});
    respond(connect(), 200, code);
    const std::uint64_t tries = spec_.totals->retries;
    stream_->on_reset(Reset::kClosed);
    return tries;
  }
  void respond(MessageSink& response, int status, const char* code) {
    Head head;
    head.status = status;
    head.headers.add(arena_, HeaderId::kGrpcStatus, code);
    response.on_head(head);
  }
};

TEST_F(Calls, AreTriedAgainByTheirCode) {
  EXPECT_EQ(tries_again_after("14"), 1U);
}

TEST_F(Calls, AreNotTriedAgainByOtherCodes) {
  EXPECT_EQ(tries_again_after("13"), 0U);
}

TEST_F(Calls, AreNotTriedAgainByWhatIsNoCode) {
  EXPECT_EQ(tries_again_after("114"), 0U);
}

TEST_F(Streams, DoNotTryAgainBehindALongBody) {
  Forward& rule = forward();
  rule.retry.on_reset = true;
  begin("POST", "/", false);
  MessageSink& response = connect();
  const std::string part(40 * 1024, 'p');
  stream_->on_body(Slice{{}, part});
  stream_->on_body(Slice{{}, part});
  response.on_reset(Reset::kClosed);
  EXPECT_TRUE(down_.ends_with("[502].")) << down_;
}

TEST_F(Streams, TryRequestsThatMayComeTwiceAgainOnAFreshConnection) {
  forward();
  begin();
  connect().on_reset(Reset::kStale);
  ASSERT_EQ(waiters_.size(), 2u);
  EXPECT_TRUE(waiters_.back()->needs_fresh);
  respond(connect(), 200);
  EXPECT_EQ(down_, "[200]ok.");
}

TEST_F(Streams, DoNotSendOthersTwice) {
  forward();
  begin("POST");
  connect().on_reset(Reset::kStale);
  EXPECT_EQ(down_, "[502].");
}

TEST_F(Streams, DoNotTryAgainOnceTheResponseHasBegun) {
  Forward& rule = forward();
  rule.retry.on_reset = true;
  begin();
  MessageSink& response = connect();
  Head head;
  head.status = 200;
  response.on_head(head);
  response.on_reset(Reset::kClosed);
  EXPECT_EQ(down_, "[200]reset");
}

TEST_F(Streams, KeepToTheirTime) {
  Forward& rule = forward();
  rule.timeout = seconds(2);
  rule.retry.on_timeout = true;
  begin();
  connect();
  loop_.pass(seconds(1));
  EXPECT_EQ(down_, "");
  loop_.pass(milliseconds(1100));
  EXPECT_TRUE(up_.ends_with("reset"));
  EXPECT_EQ(down_, "[504].") << "the time is that of all tries together";
}

TEST_F(Streams, TryAgainWhenATryTakesTooLong) {
  Forward& rule = forward();
  rule.retry.per_try_timeout = milliseconds(100);
  rule.retry.on_timeout = true;
  begin();
  connect();
  loop_.pass(milliseconds(110));
  EXPECT_TRUE(up_.ends_with("reset"));
  loop_.pass(milliseconds(60));
  respond(connect(), 200);
  EXPECT_EQ(down_, "[200]ok.");
}

TEST_F(Streams, RefuseMoreThanTheClusterTakes) {
  spec_.limits.requests = 1;
  spec_.totals->requests = 1;
  forward();
  begin();
  EXPECT_EQ(down_, "[503].");
  EXPECT_EQ(cluster_metrics_.overflows.read(), 1u);
  EXPECT_EQ(spec_.totals->requests, 1u);
}

TEST_F(Streams, HoldTheSideThatIsFaster) {
  forward();
  begin("POST", "/", false);
  MessageSink& response = connect();
  EXPECT_CALL(upstream_, waiting).WillRepeatedly(Return(kHighWater + 1));
  down_.clear();
  stream_->on_body(Slice{{}, "b"});
  EXPECT_EQ(down_, "hold");
  response.on_room();
  EXPECT_EQ(down_, "holdgo");
  Head head;
  head.status = 200;
  response.on_head(head);
  EXPECT_CALL(downstream_, waiting).WillRepeatedly(Return(kHighWater + 1));
  up_.clear();
  response.on_body(Slice{{}, "b"});
  EXPECT_EQ(up_, "hold");
  stream_->on_room();
  EXPECT_EQ(up_, "holdgo");
  stream_->on_reset(Reset::kClosed);
}

TEST_F(Streams, GiveUpWhenTheClientIsGone) {
  forward();
  begin();
  connect();
  stream_->on_reset(Reset::kClosed);
  EXPECT_TRUE(up_.ends_with("reset"));
  EXPECT_EQ(metrics_.requests_abandoned.read(), 1u);
  EXPECT_EQ(spec_.totals->requests, 0u);
}

TEST_F(Streams, TryRequestsElsewhereThatWereNotSeen) {
  forward();
  begin("POST");
  EXPECT_CALL(*pools_[1], acquire).WillOnce([this](Waiter& waiter) { waiters_.push_back(&waiter); });
  connect().on_reset(Reset::kUnseen);
  loop_.pass(milliseconds(60));
  respond(connect(), 200);
  EXPECT_EQ(down_, "[200]ok.");
}

TEST_F(Streams, TellCallersOfGrpcOfFailuresAsTheyKnowThem) {
  forward().timeout = seconds(100);
  listener_.hosts.add({"*"}, RouteList(std::move(routes_)));
  client_.emplace(Client{serving_.emplace(lent(listener_), 0), "10.0.0.9", "HTTP/2"});
  stream_ = Stream::open(around_, *client_, downstream_);
  Head head;
  head.method = "POST";
  head.path = "/shop.Shop/Buy";
  head.body.kind = Body::Kind::kStreamed;
  head.headers.add(arena_, HeaderId::kContentType, "application/grpc+proto");
  head.headers.add(arena_, HeaderId::kGrpcTimeout, "2S");
  stream_->on_head(head);
  connect();
  down_.clear();
  loop_.pass(seconds(3));
  EXPECT_EQ(down_, "[200 content-type=application/grpc grpc-status=4 grpc-message=Gateway Timeout].")
      << "the call's own deadline counts";
}

TEST_F(Streams, EndACallOfGrpcThatFailsInItsMiddleWithItsCode) {
  forward();
  listener_.hosts.add({"*"}, RouteList(std::move(routes_)));
  client_.emplace(Client{serving_.emplace(lent(listener_), 0), "10.0.0.9", "HTTP/2"});
  stream_ = Stream::open(around_, *client_, downstream_);
  Head head;
  head.method = "POST";
  head.path = "/shop.Shop/Watch";
  head.headers.add(arena_, HeaderId::kContentType, "application/grpc");
  stream_->on_head(head);
  stream_->on_end({});
  MessageSink& response = connect();
  Head answer;
  answer.status = 200;
  response.on_head(answer);
  response.on_reset(Reset::kClosed);
  EXPECT_EQ(down_, "[200] grpc-status grpc-message.");
}

TEST_F(Streams, SayWhereAClientComesFrom) {
  struct {
    Forwarded mode;
    const char* before;
    const char* after;
  } const cases[] = {{Forwarded::kAppend, "1.1.1.1", "1.1.1.1, 10.0.0.9"},
                     {Forwarded::kReplace, "1.1.1.1", "10.0.0.9"},
                     {Forwarded::kKeep, "1.1.1.1", "1.1.1.1"}};
  for (const auto& one : cases) {
    up_.clear();
    listener_.hosts = {};
    listener_.forwarded = one.mode;
    forward();
    listener_.hosts.add({"*"}, RouteList(std::move(routes_)));
    routes_.clear();
    client_.emplace(Client{serving_.emplace(lent(listener_), 0), "10.0.0.9", "HTTP/1.1"});
    stream_ = Stream::open(around_, *client_, downstream_);
    Head head;
    head.method = "GET";
    head.path = "/";
    head.headers.add(arena_, HeaderId::kForwardedFor, one.before);
    stream_->on_head(head);
    stream_->on_end({});
    respond(connect(), 200);
    EXPECT_NE(up_.find(std::string("x-forwarded-for=") + one.after), up_.npos) << up_;
    EXPECT_EQ(up_.find("x-forwarded-for", up_.find("x-forwarded-for") + 1), up_.npos) << up_;
  }
}

}  // namespace
}  // namespace hone::mesh::testing
