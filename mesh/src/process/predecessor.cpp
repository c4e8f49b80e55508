#include "process/predecessor.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/text.hpp"

namespace hone::mesh {
namespace {

// The longest time that the older process may take for one message.
constexpr int kLongestSilence_ms = 10'000;

}  // namespace

std::unique_ptr<Predecessor> Predecessor::find() {
  const char* const said = std::getenv(kHandoverVariable);
  if (said == nullptr) return nullptr;
  const auto channel = static_cast<int>(number(said).value_or(0));
  // Processes that this one starts do not get the variable.
  ::unsetenv(kHandoverVariable);
  struct stat found{};
  const bool is_socket = channel > 2 && ::fstat(channel, &found) == 0 && S_ISSOCK(found.st_mode);
  if (!is_socket || ::fcntl(channel, F_SETFD, FD_CLOEXEC) != 0) {
    throw std::system_error(EBADF, std::generic_category(), std::string(kHandoverVariable) + " names no socket");
  }
  return std::make_unique<Predecessor>(Descriptor(channel));
}

Predecessor::~Predecessor() {
  if (watch_) loop_->forget(*watch_);
}

std::vector<HandoverMessage> Predecessor::take() {
  std::vector<HandoverMessage> all;
  // Messages that the older process has sent are there even if it reads nothing any more.
  channel_.send("take");
  HandoverMessage message;
  while (channel_.receive(message, kLongestSilence_ms) == HandoverChannel::Got::kMessage && message.word != "all") {
    all.push_back(std::move(message));
  }
  return all;
}

void Predecessor::say_ready(Loop& loop, Delegate<void()> over) {
  loop_ = &loop;
  over_ = over;
  watch_.emplace(channel_.descriptor(), Delegate<void(Ready)>::of<&Predecessor::on_message>(*this));
  loop.watch(*watch_, {.readable = true});
  // Where nobody reads this message, the watch reports the end of the channel.
  channel_.send("ready");
}

void Predecessor::on_message(Ready) {
  HandoverMessage message;
  if (channel_.receive(message) == HandoverChannel::Got::kNothing) return;
  loop_->forget(*watch_);
  watch_.reset();
  over_();
}

}  // namespace hone::mesh
