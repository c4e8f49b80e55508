// A server that echoes frames of 1 KiB, by epoll or by io_uring.
//
//   gather --by epoll|ring|ring-registered --connections N --callers N
//
// It prints its port, takes its connections, answers until the first of them ends, and prints what it did and its CPU time.

#include "gather.hpp"

int main(int argc, char** argv) {
  using namespace experiment;
  Options options(argc, argv);
  std::vector<int> sockets = Accept(options);
  options.Text("--by", "epoll") == "epoll" ? ServeByEpoll(options, sockets) : ServeByRing(options, sockets);
}
