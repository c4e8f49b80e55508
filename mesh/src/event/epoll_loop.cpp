#include "event/epoll_loop.hpp"

#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace hone::mesh {
namespace {

constexpr Duration kForever = Duration::max();

Descriptor opened(int number, const char* what) {
  if (number < 0) throw std::system_error(errno, std::generic_category(), what);
  return Descriptor(number);
}

std::uint32_t events_of(Ready interest) {
  return (interest.readable ? static_cast<std::uint32_t>(EPOLLIN) : 0u) |
         (interest.writable ? static_cast<std::uint32_t>(EPOLLOUT) : 0u);
}

}  // namespace

EpollLoop::EpollLoop()
    : epoll_(opened(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      wakes_(opened(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "eventfd")),
      now_(std::chrono::steady_clock::now()),
      timers_(now_),
      wakes_watch_(wakes_.get(), Delegate<void(Ready)>::of<&EpollLoop::take_wakes>(*this)) {
  watch(wakes_watch_, {.readable = true});
}

void EpollLoop::watch(Watch& watch, Ready interest) {
  const Ready before = watch.interest();
  const bool is_same = before.readable == interest.readable && before.writable == interest.writable;
  if (watch.is_watched() && is_same) return;
  epoll_event event{};
  event.events = events_of(interest);
  event.data.ptr = &watch;
  // Errors are ignored: the descriptor is ours and open, and a full table of the kernel shows as a connection that
  // times out.
  ::epoll_ctl(epoll_.get(), watch.is_watched() ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, watch.descriptor(), &event);
  watch.note(true, interest);
}

void EpollLoop::forget(Watch& watch) {
  if (!watch.is_watched()) return;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, watch.descriptor(), nullptr);
  watch.note(false, {});
  // Events of the watch for this turn go, too: the watch may end before they are handled.
  for (std::size_t at = next_; at < count_; ++at) {
    if (events_[at].data.ptr == &watch) events_[at].data.ptr = nullptr;
  }
}

int EpollLoop::timeout_ms(Duration longest) const {
  if (!tasks_.is_empty()) return 0;
  const Moment next = timers_.next();
  Duration wait = next == kNever ? kForever : std::max(next - now_, Duration(0));
  wait = std::min(wait, longest);
  if (wait == kForever) return -1;
  const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(wait);
  return static_cast<int>(std::min<std::int64_t>(rounded.count(), 3'600'000));
}

void EpollLoop::turn(Duration longest) {
  const bool has_news = source_ != nullptr && source_->take();
  const int timeout = has_news ? 0 : timeout_ms(longest);
  const int count = ::epoll_wait(epoll_.get(), events_.data(), static_cast<int>(events_.size()), timeout);
  meter().begin_turn();
  now_ = std::chrono::steady_clock::now();
  next_ = 0;
  count_ = count > 0 ? static_cast<std::size_t>(count) : 0;
  if (has_news) source_->deliver();
  while (next_ < count_) {
    const epoll_event& event = events_[next_++];
    if (event.data.ptr == nullptr) continue;
    const bool has_failed = (event.events & (EPOLLERR | EPOLLHUP)) != 0;
    const Ready ready{(event.events & EPOLLIN) != 0 || has_failed, (event.events & EPOLLOUT) != 0};
    static_cast<const Watch*>(event.data.ptr)->handle(ready);
  }
  timers_.advance(now_);
  tasks_.run_all();
  meter().end_turn();
}

void EpollLoop::run() {
  while (!is_stopped_) turn(kForever);
}

void EpollLoop::wake() {
  const std::uint64_t one = 1;
  // A counter that is full wakes as well.
  [[maybe_unused]] const ssize_t written = ::write(wakes_.get(), &one, sizeof one);
}

void EpollLoop::take_wakes(Ready) {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t taken = ::read(wakes_.get(), &count, sizeof count);
  if (woken_) woken_();
}

}  // namespace hone::mesh
