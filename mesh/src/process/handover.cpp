#include "process/handover.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/text.hpp"

namespace hone::mesh {
namespace {

// The most bytes in the text of one message: a word, a name, and an address, which may be a path.
constexpr std::size_t kMostText = 4096;
// The longest time for which the other side may read nothing.
constexpr timeval kLongestSend{.tv_sec = 5, .tv_usec = 0};

}  // namespace

std::pair<Descriptor, Descriptor> HandoverChannel::pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::system_error(errno, std::generic_category(), "socketpair");
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

bool HandoverChannel::send(const std::string& word, const std::string& name, const std::string& address,
                           std::span<const int> sockets, bool may_wait) {
  std::string text = word;
  text.append(1, '\0').append(name).append(1, '\0').append(address);
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &kLongestSend, sizeof kLongestSend);
  iovec piece{const_cast<char*>(text.data()), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostSockets * sizeof(int))> beside{};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (!sockets.empty()) {
    message.msg_control = beside.data();
    message.msg_controllen = CMSG_SPACE(sockets.size_bytes());
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sockets.size_bytes());
    std::memcpy(CMSG_DATA(head), sockets.data(), sockets.size_bytes());
  }
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL | (may_wait ? 0 : MSG_DONTWAIT));
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(text.size());
}

bool HandoverChannel::is_closed() const {
  pollfd look{.fd = socket_.get(), .events = 0, .revents = 0};
  return ::poll(&look, 1, 0) > 0 && (look.revents & POLLHUP) != 0;
}

HandoverChannel::Got HandoverChannel::receive(HandoverMessage& into, int wait_ms) {
  pollfd wait{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&wait, 1, wait_ms) <= 0) return Got::kNothing;
  std::array<char, kMostText> text;
  iovec piece{text.data(), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostSockets * sizeof(int))> beside{};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = beside.data();
  message.msg_controllen = beside.size();
  const ssize_t size = ::recvmsg(socket_.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return Got::kNothing;
  into = {};
  for (cmsghdr* head = size < 0 ? nullptr : CMSG_FIRSTHDR(&message); head != nullptr;
       head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = 0; at + sizeof(int) <= head->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(head) + at, sizeof number);
      into.sockets.emplace_back(number);
    }
  }
  const bool is_whole = size > 0 && (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0;
  std::string_view rest(text.data(), is_whole ? static_cast<std::size_t>(size) : 0);
  if (rest.empty()) return Got::kEnd;
  into.word = take_until(rest, '\0');
  into.name = take_until(rest, '\0');
  into.address = rest;
  return Got::kMessage;
}

}  // namespace hone::mesh
