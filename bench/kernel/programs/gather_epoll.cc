// An event loop on epoll: one read of many calls, one write of many answers.

#include <sys/epoll.h>

#include "gather.hpp"

namespace experiment {
namespace {

struct Connection {
  int socket;
  Answers answers;
  bool waits_for_room = false;
};

void Watch(int poll, int operation, Connection& connection) {
  epoll_event event{};
  event.events = connection.waits_for_room ? uint32_t(EPOLLIN | EPOLLOUT) : uint32_t(EPOLLIN);
  event.data.ptr = &connection;
  Must(epoll_ctl(poll, operation, connection.socket, &event), "epoll_ctl");
}

// Writes what is whole; what the peer does not take waits until there is room.
void Write(int poll, Connection& connection, Served& served) {
  size_t bytes = connection.answers.whole_bytes();
  if (bytes == 0) return;
  ssize_t sent = send(connection.socket, connection.answers.data(), bytes, MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN) return;  // The next read tells that the peer is gone.
  ++served.writes;
  if (sent > 0) connection.answers.Sent(sent);
  bool waits = sent < ssize_t(bytes);
  if (waits == connection.waits_for_room) return;
  connection.waits_for_room = waits;
  Watch(poll, EPOLL_CTL_MOD, connection);
}

}  // namespace

void ServeByEpoll(const Options& options, const std::vector<int>& sockets) {
  size_t room_bytes = AnswerBytes(options);
  std::vector<char> room(room_bytes * sockets.size()), buffer(kReadBytes);
  std::vector<Connection> connections;
  connections.reserve(sockets.size());
  int poll = Must(epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
  for (size_t i = 0; i < sockets.size(); ++i) {
    WithoutWaiting(sockets[i]);
    connections.push_back({sockets[i], Answers(&room[i * room_bytes], room_bytes)});
    Watch(poll, EPOLL_CTL_ADD, connections.back());
  }
  std::vector<epoll_event> events(1024);
  Served served;
  for (;;) {
    int count = Must(epoll_wait(poll, events.data(), events.size(), -1), "epoll_wait");
    ++served.waits;
    for (int i = 0; i < count; ++i) {
      auto& connection = *static_cast<Connection*>(events[i].data.ptr);
      if (events[i].events & ~EPOLLOUT) {
        ssize_t bytes = recv(connection.socket, buffer.data(), buffer.size(), 0);
        if (bytes <= 0) return served.Tell();
        ++served.reads;
        served.frames += connection.answers.Take(buffer.data(), bytes);
      }
      Write(poll, connection, served);
    }
  }
}

}  // namespace experiment
