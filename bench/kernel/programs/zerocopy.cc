// A sender that gives the kernel pages instead of copies (MSG_ZEROCOPY), or not.
//
//   zerocopy --to tcp|udp --port P --bytes N --milliseconds M --zerocopy 0|1 [--address A]
//
// Messages lie in memory of their own, 64 of them, that is written again only once the kernel has told that it needs it no more. By UDP, one send is one message
// cut into datagrams by the kernel (UDP_SEGMENT), and nobody needs to receive it. Prints messages, CPU time, time per send, and the share of sends
// that the kernel copied after all, as it tells.

#include "common.hpp"

#include <linux/errqueue.h>
#include <netinet/udp.h>
#include <poll.h>

namespace experiment {
namespace {

constexpr uint64_t kWarmUpNs = 100'000'000;
constexpr size_t kMessages = 64;
constexpr int kDatagramBytes = 1400;

int Open(const Options& options) {
  if (options.Text("--to", "tcp") == "tcp") return Connect(options);
  int datagrams = Must(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket");
  sockaddr_in address = Address(options);
  Must(connect(datagrams, reinterpret_cast<sockaddr*>(&address), sizeof address), "connect");
  int bytes = kDatagramBytes;
  Must(setsockopt(datagrams, IPPROTO_UDP, UDP_SEGMENT, &bytes, sizeof bytes), "UDP_SEGMENT");
  return datagrams;
}

class Sender {
 public:
  explicit Sender(const Options& options)
      : socket_(Open(options)), bytes_(options.Number("--bytes", 65536)), gives_pages_(options.Number("--zerocopy", 0) != 0) {
    room_ = static_cast<char*>(std::aligned_alloc(4096, kMessages * Stride()));
    std::memset(room_, 'x', kMessages * Stride());
    int on = 1;
    if (gives_pages_) Must(setsockopt(socket_, SOL_SOCKET, SO_ZEROCOPY, &on, sizeof on), "SO_ZEROCOPY");
  }
  void Send();
  // Waits until the kernel needs none of the messages.
  void Finish() {
    for (uint32_t& parts : parts_under_way_) {
      while (parts > 0) TakeEnds();
    }
  }
  void Forget() { ended_ = copied_ = 0; }
  double CopiedShare() const { return ended_ == 0 ? 0 : double(copied_) / double(ended_); }

 private:
  size_t Stride() const { return (bytes_ + 4095) / 4096 * 4096; }
  void SendPart(const char* data, size_t bytes, size_t message);
  void TakeEnds();

  int socket_;
  size_t bytes_;
  bool gives_pages_;
  char* room_;
  size_t next_ = 0;
  // The kernel counts sends; a message may be several, and ends with its last one.
  std::vector<uint32_t> parts_under_way_ = std::vector<uint32_t>(kMessages);
  std::vector<uint8_t> message_of_send_ = std::vector<uint8_t>(1 << 16);
  uint32_t sends_ = 0;
  uint64_t ended_ = 0, copied_ = 0;
};

void Sender::Send() {
  size_t message = next_++ % kMessages;
  while (parts_under_way_[message] > 0) TakeEnds();
  char* data = room_ + message * Stride();
  std::memcpy(data, &next_, sizeof next_);
  for (size_t sent = 0; sent < bytes_;) {
    ssize_t part = send(socket_, data + sent, bytes_ - sent, MSG_NOSIGNAL | (gives_pages_ ? MSG_ZEROCOPY : 0));
    if (part < 0 && errno == ENOBUFS && gives_pages_) {  // More pages are lent than a process may lend.
      TakeEnds();
      continue;
    }
    sent += Must(part, "send");
    if (!gives_pages_) continue;
    message_of_send_[sends_++ % message_of_send_.size()] = message;
    ++parts_under_way_[message];
  }
}

// Waits until the kernel tells of sends that have ended, and takes all that it tells.
void Sender::TakeEnds() {
  for (bool has_some = false;;) {
    char control[128];
    msghdr message{};
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    if (recvmsg(socket_, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) {
      if (errno != EAGAIN) Fail("error queue");
      if (has_some) return;
      pollfd end{socket_, 0, 0};  // An error is told without being asked for.
      Must(poll(&end, 1, -1), "poll");
      continue;
    }
    auto* told = reinterpret_cast<sock_extended_err*>(CMSG_DATA(CMSG_FIRSTHDR(&message)));
    if (told->ee_origin != SO_EE_ORIGIN_ZEROCOPY) Fail("the peer");
    for (uint32_t send = told->ee_info; send != told->ee_data + 1; ++send) {
      --parts_under_way_[message_of_send_[send % message_of_send_.size()]];
      ++ended_;
      copied_ += told->ee_code == SO_EE_CODE_ZEROCOPY_COPIED;
    }
    has_some = true;
  }
}

}  // namespace
}  // namespace experiment

int main(int argc, char** argv) {
  using namespace experiment;
  Options options(argc, argv);
  Sender sender(options);
  Latencies latencies;
  uint64_t messages = 0, now = NowNs(), warm_until = now + kWarmUpNs, end = UINT64_MAX, began = 0;
  Used start{};
  do {
    uint64_t before = now;
    sender.Send();
    now = NowNs();
    latencies.Add(now - before);
    ++messages;
    if (end < UINT64_MAX || now < warm_until) continue;
    latencies = {};
    messages = 0;
    sender.Forget();
    began = now;
    end = now + options.Number("--milliseconds", 1000) * 1'000'000;
    start = Used::Now();
  } while (now < end);
  sender.Finish();
  Tell(Used::Now().Since(start), {{"frames", double(messages)},
                                  {"seconds", double(now - began) / 1e9},
                                  {"copied_share", sender.CopiedShare()},
                                  {"p50_us", latencies.QuantileUs(0.5)},
                                  {"p99_us", latencies.QuantileUs(0.99)}});
}
