// A request that passes filters, and waits for some of them.
#include <memory>

#include "filter/chain.hpp"
#include "stream_fixture.hpp"

namespace hone::mesh::testing {
namespace {

using std::chrono::milliseconds;
using ::testing::Return;

// A filter that waits for a timer, as others will wait for the answer of a server.
class Waits final : public Filter {
 public:
  explicit Waits(Verdict step) : step_(step) {}

  Events events() const override { return {.request = true}; }
  Verdict on_request(Passage& passage) const override {
    auto wait = std::make_shared<Wait>(passage, step_);
    passage.parts.loop.set(wait->timer, passage.parts.loop.now() + milliseconds(10));
    passage.waits.push_back(std::move(wait));
    return Verdict::kWait;
  }

 private:
  struct Wait {
    Wait(Passage& waiting, Verdict step)
        : passage(waiting), then(step), timer(Delegate<void()>::of<&Wait::on_time>(*this)) {}
    void on_time() {
      passage.answer.status = 403;
      passage.go_on(then);
    }
    Passage& passage;
    Verdict then;
    Timer timer;
  };

  const Verdict step_;
};

std::shared_ptr<NiceMock<MockFilter>> mock_filter(Verdict step) {
  auto filter = std::make_shared<NiceMock<MockFilter>>();
  ON_CALL(*filter, events).WillByDefault(Return(Events{.request = true, .response = true}));
  ON_CALL(*filter, on_request).WillByDefault([step](Passage& passage) {
    passage.request.headers.add(passage.arena, {"x-filter", "1", HeaderId::kOther});
    passage.answer.status = 403;
    passage.detail = "mock";
    return step;
  });
  ON_CALL(*filter, on_response).WillByDefault([](Passage& passage, Head& head) {
    head.headers.add(passage.arena, {"x-passed", "1", HeaderId::kOther});
  });
  return filter;
}

std::shared_ptr<const Chain> chain(std::vector<std::shared_ptr<const Filter>> filters) {
  return std::make_shared<const Chain>(std::move(filters));
}

TEST_F(Streams, PassFiltersOnBothWays) {
  forward();
  routes_.back().filters = chain({mock_filter(Verdict::kNext)});
  begin();
  MessageSink& response = connect();
  EXPECT_TRUE(up_.starts_with("[GET shop/a?b x-filter=1 ")) << up_;
  Head early;
  early.status = 103;
  response.on_head(early);
  respond(response, 200);
  EXPECT_EQ(down_, "[103][200 x-passed=1]ok.");
}

TEST_F(Streams, EndAtAFilterThatAnswers) {
  forward();
  const auto behind = mock_filter(Verdict::kNext);
  EXPECT_CALL(*behind, on_request).Times(0);
  routes_.back().filters = chain({mock_filter(Verdict::kAnswer), behind});
  begin();
  EXPECT_EQ(down_, "[403 x-passed=1 x-passed=1].");
  EXPECT_TRUE(waiters_.empty());
  EXPECT_EQ(metrics_.responses.read(4), 1u);
}

TEST_F(Streams, PassFiltersWhereThereIsNoRouteToo) {
  listener_.filters = chain({mock_filter(Verdict::kNext)});
  begin();
  EXPECT_EQ(down_, "[404 x-passed=1].");
}

TEST_F(Streams, WaitForFiltersWithTheBodyThatComesMeanwhile) {
  forward();
  routes_.back().filters = chain({std::make_shared<Waits>(Verdict::kNext), std::make_shared<Waits>(Verdict::kNext)});
  begin("POST", "/", false);
  stream_->on_body(Slice{{}, "first "});
  loop_.pass(milliseconds(11));
  const std::string rest(kHighWater, 'x');
  stream_->on_body(Slice{{}, rest});
  EXPECT_EQ(down_, "hold") << "as much waits as may";
  stream_->on_end({});
  EXPECT_TRUE(waiters_.empty());
  loop_.pass(milliseconds(11));
  MessageSink& response = connect();
  EXPECT_TRUE(up_.ends_with("]first " + rest + ".")) << up_.substr(0, 100);
  respond(response, 200);
  EXPECT_EQ(down_, "hold[200]ok.");
}

TEST_F(Streams, EndAtAFilterThatHasWaited) {
  forward();
  routes_.back().filters = chain({std::make_shared<Waits>(Verdict::kAnswer)});
  begin();
  loop_.pass(milliseconds(11));
  EXPECT_EQ(down_, "[403].");
}

TEST_F(Streams, GiveUpWhatFiltersWaitForWithTheRequest) {
  forward();
  routes_.back().filters = chain({std::make_shared<Waits>(Verdict::kNext)});
  begin();
  stream_->on_reset(Reset::kClosed);
  // The timer is there until the turn ends, and may come before.
  loop_.fake.pass(milliseconds(11));
  loop_.end_turn();
  loop_.pass(milliseconds(11));
  EXPECT_EQ(down_, "");
  EXPECT_TRUE(waiters_.empty());
}

}  // namespace
}  // namespace hone::mesh::testing
