// Callers of a server that echoes frames of 1 KiB: each has one call under way, and they share connections.
//
//   load --port P --connections N --callers N --milliseconds M
//
// Calls that become possible by one read are made by one write. It prints frames, CPU time and latency of what came after the first 0.1 s.

#include <sys/epoll.h>

#include "common.hpp"

namespace experiment {
namespace {

constexpr uint64_t kWarmUpNs = 100'000'000;

struct Connection {
  int socket;
  std::string in, out;
  bool waits_for_room = false;
};

class Load {
 public:
  explicit Load(const Options& options);
  void Run();

 private:
  void Watch(int operation, Connection& connection);
  void Call(Connection& connection, size_t frames);
  void Read(Connection& connection);
  void Write(Connection& connection);

  uint64_t warm_until_ns_, duration_ns_, end_ns_ = UINT64_MAX, now_ns_ = 0, frames_ = 0;
  bool is_warm_ = false;
  int poll_;
  std::vector<Connection> connections_;
  std::vector<char> buffer_ = std::vector<char>(kReadBytes);
  std::string frame_ = std::string(kFrameBytes, 'x');
  Latencies latencies_;
  Used start_{};
  uint64_t segments_ = 0, measured_from_ns_ = 0;
};

Load::Load(const Options& options)
    : duration_ns_(uint64_t(options.Number("--milliseconds", 1000)) * 1'000'000),
      poll_(Must(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")) {
  size_t count = options.Number("--connections", 1), callers = options.Number("--callers", 1);
  for (size_t i = 0; i < count; ++i) connections_.push_back({Connect(options), {}, {}});
  now_ns_ = NowNs();
  warm_until_ns_ = now_ns_ + kWarmUpNs;
  for (size_t i = 0; i < count; ++i) {
    WithoutWaiting(connections_[i].socket);
    Watch(EPOLL_CTL_ADD, connections_[i]);
    Call(connections_[i], callers / count + (i < callers % count));
  }
}

void Load::Watch(int operation, Connection& connection) {
  epoll_event event{};
  event.events = connection.waits_for_room ? uint32_t(EPOLLIN | EPOLLOUT) : uint32_t(EPOLLIN);
  event.data.ptr = &connection;
  Must(epoll_ctl(poll_, operation, connection.socket, &event), "epoll_ctl");
}

void Load::Call(Connection& connection, size_t frames) {
  FrameHead head{now_ns_, 0};
  std::memcpy(frame_.data(), &head, sizeof head);
  for (size_t i = 0; i < frames; ++i) connection.out += frame_;
  Write(connection);
}

void Load::Write(Connection& connection) {
  ssize_t sent = send(connection.socket, connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN) Fail("send");
  if (sent > 0) connection.out.erase(0, sent);
  if (connection.out.empty() != connection.waits_for_room) return;
  connection.waits_for_room = !connection.out.empty();
  Watch(EPOLL_CTL_MOD, connection);
}

void Load::Read(Connection& connection) {
  ssize_t bytes = Must(recv(connection.socket, buffer_.data(), buffer_.size(), 0), "recv");
  if (bytes == 0) {
    std::fprintf(stderr, "the server closed a connection\n");
    std::exit(1);
  }
  connection.in.append(buffer_.data(), bytes);
  size_t frames = connection.in.size() / kFrameBytes;
  now_ns_ = NowNs();
  for (size_t i = 0; i < frames; ++i) {
    FrameHead head;
    std::memcpy(&head, connection.in.data() + i * kFrameBytes, sizeof head);
    if (head.answers != 1) {
      std::fprintf(stderr, "an answer is not the one to a call\n");
      std::exit(1);
    }
    if (is_warm_) latencies_.Add(now_ns_ - head.sent_ns);
  }
  connection.in.erase(0, frames * kFrameBytes);
  frames_ += frames;
  if (frames > 0) Call(connection, frames);
}

void Load::Run() {
  std::vector<epoll_event> events(1024);
  while (now_ns_ < end_ns_) {
    int count = Must(epoll_wait(poll_, events.data(), events.size(), -1), "epoll_wait");
    for (int i = 0; i < count; ++i) {
      auto& connection = *static_cast<Connection*>(events[i].data.ptr);
      if (events[i].events & EPOLLOUT) Write(connection);
      if (events[i].events & ~EPOLLOUT) Read(connection);
    }
    if (is_warm_ || now_ns_ < warm_until_ns_) continue;
    is_warm_ = true;
    measured_from_ns_ = now_ns_;
    end_ns_ = now_ns_ + duration_ns_;
    frames_ = 0;
    for (Connection& connection : connections_) segments_ -= SegmentsOut(connection.socket);
    start_ = Used::Now();
  }
  Used used = Used::Now().Since(start_);
  for (Connection& connection : connections_) segments_ += SegmentsOut(connection.socket);
  experiment::Tell(used, {{"frames", double(frames_)},
                          {"seconds", double(now_ns_ - measured_from_ns_) / 1e9},
                          {"segments", double(segments_)},
                          {"p50_us", latencies_.QuantileUs(0.5)},
                          {"p99_us", latencies_.QuantileUs(0.99)}});
}

}  // namespace
}  // namespace experiment

int main(int argc, char** argv) {
  experiment::Options options(argc, argv);
  experiment::Load(options).Run();
}
