// Two plain TCP programs with blocking sockets, as iperf and netperf are: one calls and waits for its answer, or sends as fast as it can.
//
//   echo serve --mode echo|stream --bytes N [options]
//   echo call --port P --mode echo|stream --bytes N --milliseconds M [options]
//
// Options of both: --family tcp|smc, --busy-poll US (SO_BUSY_POLL), --spin US (looks for data itself so long before it sleeps).
// Option of call: --pause US (between calls). Each prints messages and CPU time; call prints latency too.

#include <sys/prctl.h>

#include "common.hpp"

namespace experiment {
namespace {

constexpr uint64_t kWarmUpNs = 100'000'000;

class Peer {
 public:
  Peer(int socket, const Options& options)
      : socket_(socket), spin_ns_(options.Number("--spin", 0) * 1000), buffer_(options.Number("--bytes", 1024), 'x') {
    int busy_us = options.Number("--busy-poll", 0);
    if (busy_us > 0) Must(setsockopt(socket_, SOL_SOCKET, SO_BUSY_POLL, &busy_us, sizeof busy_us), "SO_BUSY_POLL");
  }
  // False once the peer has ended.
  bool ReadAll() {
    for (size_t have = 0; have < buffer_.size();) {
      ssize_t bytes = ReadSome(buffer_.data() + have, buffer_.size() - have);
      if (bytes <= 0) return false;
      have += bytes;
    }
    return true;
  }
  bool WriteAll() {
    for (size_t sent = 0; sent < buffer_.size();) {
      ssize_t bytes = send(socket_, buffer_.data() + sent, buffer_.size() - sent, MSG_NOSIGNAL);
      if (bytes <= 0) return false;
      sent += bytes;
    }
    return true;
  }
  // Whether the kernel knows a queue of a device to poll for this socket.
  bool HasQueue() const {
    int id = 0;
    socklen_t bytes = sizeof id;
    return getsockopt(socket_, SOL_SOCKET, SO_INCOMING_NAPI_ID, &id, &bytes) == 0 && id > 0;
  }
  uint64_t Segments() const { return SegmentsOut(socket_); }

 private:
  ssize_t ReadSome(char* to, size_t room) {
    if (spin_ns_ > 0) {
      for (uint64_t end = NowNs() + spin_ns_; NowNs() < end;) {
        ssize_t bytes = recv(socket_, to, room, MSG_DONTWAIT);
        if (bytes >= 0 || errno != EAGAIN) return bytes;
      }
    }
    return recv(socket_, to, room, 0);
  }

  int socket_;
  uint64_t spin_ns_;
  std::string buffer_;
};

void Serve(const Options& options) {
  bool answers = options.Text("--mode", "echo") == "echo";
  Peer peer(Accept(options)[0], options);
  Used start = Used::Now();
  uint64_t messages = 0;
  while (peer.ReadAll() && (!answers || peer.WriteAll())) ++messages;
  Tell(Used::Now().Since(start), {{"frames", double(messages)}});
}

void Pause(uint64_t us) {
  timespec time{0, long(us * 1000)};
  nanosleep(&time, nullptr);
}

void Call(const Options& options) {
  bool waits = options.Text("--mode", "echo") == "echo";
  uint64_t pause_us = options.Number("--pause", 0);
  prctl(PR_SET_TIMERSLACK, 1);
  Peer peer(Connect(options), options);
  Latencies latencies;
  uint64_t messages = 0, segments = 0, warm_until = NowNs() + kWarmUpNs, end = UINT64_MAX, now = 0, began = 0;
  Used start{};
  do {
    uint64_t sent = NowNs();
    if (!peer.WriteAll() || (waits && !peer.ReadAll())) Fail("the peer ended");
    now = NowNs();
    latencies.Add(now - sent);
    ++messages;
    if (pause_us > 0) Pause(pause_us);
    if (end < UINT64_MAX || now < warm_until) continue;
    latencies = {};
    messages = 0;
    began = now;
    end = now + options.Number("--milliseconds", 1000) * 1'000'000;
    segments = peer.Segments();
    start = Used::Now();
  } while (now < end);
  Tell(Used::Now().Since(start), {{"frames", double(messages)},
                                  {"seconds", double(now - began) / 1e9},
                                  {"segments", double(peer.Segments() - segments)},
                                  {"has_queue", double(peer.HasQueue())},
                                  {"p50_us", latencies.QuantileUs(0.5)},
                                  {"p99_us", latencies.QuantileUs(0.99)}});
}

}  // namespace
}  // namespace experiment

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "write: echo serve, or echo call\n");
    return 2;
  }
  experiment::Options options(argc - 1, argv + 1);
  std::strcmp(argv[1], "serve") == 0 ? experiment::Serve(options) : experiment::Call(options);
}
