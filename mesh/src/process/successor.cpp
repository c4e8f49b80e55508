#include "process/successor.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <system_error>

#include "process/spawn.hpp"

namespace hone::mesh {
namespace {

// The number of the newer process's end of the channel.
constexpr int kChannel = 3;
// The longest time that a process that gives up may take to end.
constexpr Duration kLongestEnd = std::chrono::seconds(5);
constexpr Duration kBetweenLooks = std::chrono::milliseconds(10);

}  // namespace

Successor::Successor(Loop& loop, std::vector<std::string> command, std::vector<HandedOver> handed, RestartSpec times,
                     Events events)
    : loop_(loop),
      times_(times),
      events_(events),
      handed_(handed.rbegin(), handed.rend()),
      timer_(Delegate<void()>::of<&Successor::on_time>(*this)),
      gone_(Delegate<void()>::of<&Successor::on_gone>(*this)) {
  auto [ours, theirs] = HandoverChannel::pair();
  channel_.emplace(std::move(ours));
  hand_over(false);
  const std::string path = command.front();
  const int error = spawn({.words = std::move(command),
                           .variables = {kHandoverVariable + ("=" + std::to_string(kChannel))},
                           .descriptor = theirs.get(),
                           .as = kChannel},
                          id_);
  if (error != 0) throw std::system_error(error, std::generic_category(), path);
  watch_.emplace(channel_->descriptor(), Delegate<void(Ready)>::of<&Successor::on_message>(*this));
  loop_.watch(*watch_, {.readable = true});
  loop_.set(timer_, loop_.now() + times_.ready_within);
}

Successor::~Successor() {
  stop_hearing();
  if (is_on_trial_) end();
}

void Successor::end_with_us() {
  ::kill(id_, SIGTERM);
  is_on_trial_ = false;
}

std::string Successor::end() {
  // The process may have failed without having ended: two processes that serve would be one too many.
  ::kill(id_, SIGKILL);
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  is_on_trial_ = false;
  if (WIFEXITED(status)) return "it ended with status " + std::to_string(WEXITSTATUS(status));
  return "it was ended by signal " + std::to_string(WTERMSIG(status));
}

void Successor::stop_hearing() {
  timer_.cancel();
  if (watch_) loop_.forget(*watch_);
  watch_.reset();
}

void Successor::fail(const std::string& why) {
  stop_hearing();
  const std::string how = end();
  events_.failed(why.empty() ? how : why);
}

void Successor::on_message(Ready) {
  HandoverMessage message;
  switch (channel_->receive(message)) {
    case HandoverChannel::Got::kNothing:
      return;
    case HandoverChannel::Got::kEnd:
      stop_hearing();
      gone_at_ = loop_.now();
      return on_gone();
    case HandoverChannel::Got::kMessage:
      return take(message);
  }
}

// A process that does not serve yet gets some time to end by itself, since its own status says more than a signal of
// ours.
void Successor::on_gone() {
  siginfo_t found{};
  const bool has_ended =
      ::waitid(P_PID, static_cast<id_t>(id_), &found, WEXITED | WNOHANG | WNOWAIT) == 0 && found.si_pid == id_;
  if (has_ended || is_ready_ || loop_.now() - gone_at_ > kLongestEnd) return fail("");
  loop_.set(gone_, loop_.now() + kBetweenLooks);
}

void Successor::take(const HandoverMessage& message) {
  if (message.word == "take") {
    if (!hand_over(true) || !channel_->send("all")) fail("it does not take what it is handed");
    return;
  }
  if (message.word != "ready" || is_ready_) return;
  is_ready_ = true;
  loop_.set(timer_, loop_.now() + times_.trial);
  events_.ready();
}

bool Successor::hand_over(bool may_wait) {
  while (!handed_.empty()) {
    const HandedOver& one = handed_.back();
    if (!channel_->send(one.word, one.name, one.address, one.sockets, may_wait)) return false;
    handed_.pop_back();
  }
  return true;
}

void Successor::on_time() {
  if (!is_ready_) return fail("it was not ready in time");
  // If the process is gone, it has been gone for less than a turn.
  if (!channel_->send("yours")) return fail("");
  is_on_trial_ = false;
  stop_hearing();
  events_.over();
}

}  // namespace hone::mesh
