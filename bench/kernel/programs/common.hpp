// What the programs of these experiments share: options, frames, sockets of this machine, CPU time and latencies.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <vector>

namespace experiment {

// A frame begins with the time at which its caller sent it, and a count that the server raises.
constexpr size_t kFrameBytes = 1024;
struct FrameHead {
  uint64_t sent_ns;
  uint64_t answers;
};

// One read takes this much, as in package rpc.
constexpr size_t kReadBytes = 64 << 10;

[[noreturn]] inline void Fail(const char* what) {
  std::fprintf(stderr, "%s: %s\n", what, std::strerror(errno));
  std::exit(1);
}

template <class T>
T Must(T result, const char* what) {
  if (result < 0) Fail(what);
  return result;
}

// Options of the form --name value.
class Options {
 public:
  Options(int argc, char** argv) {
    for (int i = 1; i + 1 < argc; i += 2) values_[argv[i]] = argv[i + 1];
  }
  std::string Text(const std::string& name, const std::string& otherwise) const {
    auto found = values_.find(name);
    return found == values_.end() ? otherwise : found->second;
  }
  long Number(const std::string& name, long otherwise) const {
    auto found = values_.find(name);
    return found == values_.end() ? otherwise : std::atol(found->second.c_str());
  }

 private:
  std::map<std::string, std::string> values_;
};

inline uint64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return uint64_t(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

// CPU time of this process, the kernel's part of its network included.
struct Used {
  double user_us, system_us;
  static Used Now() {
    rusage used;
    Must(getrusage(RUSAGE_SELF, &used), "getrusage");
    return {used.ru_utime.tv_sec * 1e6 + used.ru_utime.tv_usec,
            used.ru_stime.tv_sec * 1e6 + used.ru_stime.tv_usec};
  }
  Used Since(const Used& start) const {
    return {user_us - start.user_us, system_us - start.system_us};
  }
};

// Latencies in 64 steps for each power of two: a quantile is at most 1.6 % too low.
class Latencies {
 public:
  void Add(uint64_t ns) {
    int shift = std::max(0, int(std::bit_width(ns)) - 7);
    ++counts_[shift * 64 + (ns >> shift)];
    ++total_;
  }
  double QuantileUs(double share) const {
    uint64_t wanted = share * total_, seen = 0;
    for (size_t at = 0; at < counts_.size(); ++at) {
      seen += counts_[at];
      if (seen > wanted) {
        size_t shift = at < 128 ? 0 : at / 64 - 1;
        return double((at - shift * 64) << shift) / 1e3;
      }
    }
    return 0;
  }

 private:
  std::vector<uint64_t> counts_ = std::vector<uint64_t>(64 * 60);
  uint64_t total_ = 0;
};

inline sockaddr_in Address(const Options& options) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(options.Number("--port", 0));
  inet_pton(AF_INET, options.Text("--address", "127.0.0.1").c_str(), &address.sin_addr);
  return address;
}

inline void WithoutDelay(int socket) {
  int on = 1;
  Must(setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
}

// AF_SMC of linux/socket.h: TCP's addresses, and shared memory where both sides have it.
constexpr int kFamilySmc = 43;

inline int NewSocket(const Options& options) {
  bool is_smc = options.Text("--family", "tcp") == "smc";
  return Must(socket(is_smc ? kFamilySmc : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
}

// Listens, tells the port on standard output, and takes the connections that were announced.
inline std::vector<int> Accept(const Options& options) {
  int listener = NewSocket(options);
  sockaddr_in address = Address(options);
  socklen_t bytes = sizeof address;
  Must(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), "bind");
  Must(listen(listener, 4096), "listen");
  Must(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &bytes), "getsockname");
  std::printf("%d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  std::vector<int> sockets(options.Number("--connections", 1));
  for (int& taken : sockets) {
    taken = Must(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC), "accept");
    WithoutDelay(taken);
  }
  close(listener);
  return sockets;
}

inline int Connect(const Options& options) {
  int connected = NewSocket(options);
  sockaddr_in address = Address(options);
  Must(connect(connected, reinterpret_cast<sockaddr*>(&address), sizeof address), "connect");
  WithoutDelay(connected);
  return connected;
}

inline void WithoutWaiting(int socket) {
  Must(fcntl(socket, F_SETFL, O_NONBLOCK), "O_NONBLOCK");
}

// Segments that TCP has sent on this socket; none where the kernel hands data over by another way.
inline uint64_t SegmentsOut(int socket) {
  tcp_info info{};
  socklen_t bytes = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &bytes) < 0) return 0;
  return info.tcpi_segs_out;
}

// One side's figures as a line of JSON. Counts are those of the time in which CPU time was counted.
inline void Tell(const Used& used, std::map<std::string, double> figures) {
  figures["user_us"] = used.user_us;
  figures["system_us"] = used.system_us;
  const char* before = "{";
  for (const auto& [name, value] : figures) {
    std::printf("%s\"%s\": %.6g", before, name.c_str(), value);
    before = ", ";
  }
  std::printf("}\n");
}

}  // namespace experiment
