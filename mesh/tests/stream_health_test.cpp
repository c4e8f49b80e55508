// Ends of requests that count for the health of their endpoint.
#include "stream_fixture.hpp"

namespace hone::mesh::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class StreamsAndHealth : public Streams {
 protected:
  StreamsAndHealth() {
    forward().retry.attempts = 0;
    std::get<Forward>(routes_.back().action).timeout = seconds(1);
  }
  // Passes the head of a response, and no more.
  MessageSink& answer(int status) {
    MessageSink& response = connect();
    Head head;
    head.status = status;
    response.on_head(head);
    return response;
  }
  void expect(std::uint64_t requests, std::uint64_t failures) {
    loop_.end_turn();
    EXPECT_EQ(spec_.endpoints[0].counts->of(0).requests.read(), requests);
    EXPECT_EQ(spec_.endpoints[0].counts->of(0).failures.read(), failures);
  }
};

TEST_F(StreamsAndHealth, CountAnswers) {
  begin();
  respond(connect(), 404);
  expect(1, 0);
}

TEST_F(StreamsAndHealth, CountFailuresThatWereAnswered) {
  begin();
  respond(connect(), 500);
  expect(1, 1);
}

TEST_F(StreamsAndHealth, CountCallsOfGrpcByTheirCode) {
  listener_.hosts.add({"*"}, RouteList(std::move(routes_)));
  client_.emplace(Client{serving_.emplace(lent(listener_), 0), "10.0.0.9", "HTTP/2"});
  stream_ = Stream::open(around_, *client_, downstream_);
  Head head;
  head.method = "POST";
  head.path = "/a/b";
  head.headers.add(arena_, HeaderId::kContentType, "application/grpc");
  stream_->on_head(head);
  stream_->on_end({});
  MessageSink& response = connect();
  Head failed;
  failed.status = 200;
  failed.headers.add(arena_, HeaderId::kGrpcStatus, "14");
  response.on_head(failed);
  response.on_end({});
  expect(1, 1);
}

TEST_F(StreamsAndHealth, CountConnectionsThatDoNotComeAbout) {
  begin();
  waiters_.back()->failed(PoolFailure::kRefused);
  expect(1, 1);
}

TEST_F(StreamsAndHealth, CountResponsesThatDoNotCome) {
  begin();
  connect();
  loop_.pass(milliseconds(1001));
  expect(1, 1);
}

TEST_F(StreamsAndHealth, CountConnectionsThatEndBeforeTheResponse) {
  begin("POST");
  connect().on_reset(Reset::kClosed);
  expect(1, 1);
}

TEST_F(StreamsAndHealth, CountResponsesThatBreakOffOnce) {
  begin();
  answer(200).on_reset(Reset::kClosed);
  expect(1, 1);
}

TEST_F(StreamsAndHealth, CountFailuresThatBreakOffOnce) {
  begin();
  answer(503).on_reset(Reset::kClosed);
  expect(1, 1);
}

TEST_F(StreamsAndHealth, DoNotBlameForSlowClients) {
  begin();
  answer(200);
  loop_.pass(milliseconds(1001));
  expect(1, 0);
}

TEST_F(StreamsAndHealth, DoNotBlameForLimitsOfTheCluster) {
  begin();
  waiters_.back()->failed(PoolFailure::kOverflow);
  expect(0, 0);
}

TEST_F(StreamsAndHealth, DoNotBlameForClientsThatGo) {
  begin();
  connect();
  stream_->on_reset(Reset::kClosed);
  expect(0, 0);
}

TEST_F(StreamsAndHealth, DoNotBlameForConnectionsThatWereKept) {
  begin("POST");
  connect().on_reset(Reset::kStale);
  expect(0, 0);
}

}  // namespace
}  // namespace hone::mesh::testing
