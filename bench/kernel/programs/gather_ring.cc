// An event loop on io_uring: receives that stay armed and take buffers of a ring, one submission for all answers of a turn.

#include <liburing.h>
#include <sys/uio.h>

#include <array>

#include "gather.hpp"

namespace experiment {
namespace {

constexpr unsigned kEntries = 4096;
constexpr int kBufferGroup = 0;

// The answers that gather while others are being sent.
struct Connection {
  int socket;
  std::array<Answers, 2> answers;
  int gathers = 0;
  bool sends = false, is_touched = false;
};

class Server {
 public:
  Server(const Options& options, const std::vector<int>& sockets);
  void Run();

 private:
  void ProvideBuffers(size_t connections);
  void GiveBack(int buffer);
  void Register(const std::vector<int>& sockets);
  io_uring_sqe* NextEntry();
  void Receive(Connection& connection);
  void Send(Connection& connection);
  bool Received(Connection& connection, const io_uring_cqe& completion);
  void SendEnded(Connection& connection, const io_uring_cqe& completion);

  io_uring ring_;
  bool is_registered_;
  std::vector<Connection> connections_;
  std::vector<Connection*> touched_;
  std::vector<char> room_;
  io_uring_buf_ring* buffers_ = nullptr;
  std::vector<char> buffer_bytes_;
  unsigned buffer_count_ = 8;
  unsigned sends_ = 0;
  Served served_;
};

void MustRing(int result, const char* what) {
  errno = -result;
  if (result < 0) Fail(what);
}

Server::Server(const Options& options, const std::vector<int>& sockets)
    : is_registered_(options.Text("--by", "") == "ring-registered") {
  io_uring_params parameters{};
  parameters.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
  MustRing(io_uring_queue_init_params(kEntries, &ring_, &parameters), "io_uring_setup");
  size_t bytes = AnswerBytes(options);
  room_.resize(2 * bytes * sockets.size());
  for (size_t i = 0; i < sockets.size(); ++i) {
    char* room = &room_[2 * bytes * i];
    connections_.push_back({sockets[i], {Answers(room, bytes), Answers(room + bytes, bytes)}});
  }
  if (is_registered_) Register(sockets);
  ProvideBuffers(sockets.size());
}

// Spares the kernel the look-up of files, and of the pages of answers, for each operation.
void Server::Register(const std::vector<int>& sockets) {
  MustRing(io_uring_register_files(&ring_, sockets.data(), sockets.size()), "register files");
  iovec all{room_.data(), room_.size()};
  MustRing(io_uring_register_buffers(&ring_, &all, 1), "register buffers");
}

// Few buffers for few connections, so that they stay in the cache.
void Server::ProvideBuffers(size_t connections) {
  while (buffer_count_ < connections) buffer_count_ *= 2;
  buffer_bytes_.resize(buffer_count_ * kReadBytes);
  void* memory = std::aligned_alloc(4096, std::max<size_t>(4096, buffer_count_ * sizeof(io_uring_buf)));
  io_uring_buf_reg wanted{};
  wanted.ring_addr = reinterpret_cast<uintptr_t>(memory);
  wanted.ring_entries = buffer_count_;
  wanted.bgid = kBufferGroup;
  MustRing(io_uring_register_buf_ring(&ring_, &wanted, 0), "register buffer ring");
  buffers_ = static_cast<io_uring_buf_ring*>(memory);
  io_uring_buf_ring_init(buffers_);
  for (unsigned i = 0; i < buffer_count_; ++i) GiveBack(i);
}

void Server::GiveBack(int buffer) {
  io_uring_buf_ring_add(buffers_, &buffer_bytes_[buffer * kReadBytes], kReadBytes, buffer,
                        io_uring_buf_ring_mask(buffer_count_), 0);
  io_uring_buf_ring_advance(buffers_, 1);
}

io_uring_sqe* Server::NextEntry() {
  io_uring_sqe* entry = io_uring_get_sqe(&ring_);
  if (entry == nullptr) {
    MustRing(io_uring_submit(&ring_), "io_uring_submit");
    entry = io_uring_get_sqe(&ring_);
  }
  return entry;
}

void Server::Receive(Connection& connection) {
  io_uring_sqe* entry = NextEntry();
  int file = is_registered_ ? &connection - connections_.data() : connection.socket;
  io_uring_prep_recv_multishot(entry, file, nullptr, 0, 0);
  entry->flags |= IOSQE_BUFFER_SELECT | (is_registered_ ? IOSQE_FIXED_FILE : 0);
  entry->buf_group = kBufferGroup;
  entry->user_data = reinterpret_cast<uintptr_t>(&connection);
}

// Sends what has gathered; the lowest bit of the user data tells a send. What comes meanwhile gathers in the other room.
void Server::Send(Connection& connection) {
  Answers& answers = connection.answers[1 - connection.gathers];
  io_uring_sqe* entry = NextEntry();
  if (is_registered_) {
    io_uring_prep_write_fixed(entry, &connection - connections_.data(), answers.data(), answers.whole_bytes(), 0, 0);
    entry->flags |= IOSQE_FIXED_FILE;
  } else {
    io_uring_prep_send(entry, connection.socket, answers.data(), answers.whole_bytes(), MSG_NOSIGNAL | MSG_WAITALL);
  }
  entry->user_data = reinterpret_cast<uintptr_t>(&connection) | 1;
  connection.sends = true;
  ++sends_;
  ++served_.writes;
}

bool Server::Received(Connection& connection, const io_uring_cqe& completion) {
  bool is_armed = completion.flags & IORING_CQE_F_MORE;
  if (completion.res > 0) {
    int buffer = completion.flags >> IORING_CQE_BUFFER_SHIFT;
    ++served_.reads;
    served_.frames += connection.answers[connection.gathers].Take(&buffer_bytes_[buffer * kReadBytes], completion.res);
    GiveBack(buffer);
    if (!connection.is_touched) touched_.push_back(&connection);
    connection.is_touched = true;
  } else if (completion.res != -ENOBUFS) {
    return false;
  }
  if (!is_armed) Receive(connection);
  return true;
}

void Server::SendEnded(Connection& connection, const io_uring_cqe& completion) {
  --sends_;
  connection.sends = false;
  if (completion.res < 0) return;  // The receive tells that the peer is gone.
  Answers& answers = connection.answers[1 - connection.gathers];
  answers.Sent(completion.res);
  if (answers.whole_bytes() > 0) return Send(connection);
  if (!connection.is_touched) touched_.push_back(&connection);
  connection.is_touched = true;
}

void Server::Run() {
  for (Connection& connection : connections_) Receive(connection);
  served_.start = Used::Now();
  for (;;) {
    // Sends end at once where the peer has room, so to wait for them too costs no wait, and saves a turn for each.
    MustRing(io_uring_submit_and_wait(&ring_, sends_ + 1), "io_uring_enter");
    ++served_.waits;
    unsigned head, seen = 0;
    io_uring_cqe* completion;
    io_uring_for_each_cqe(&ring_, head, completion) {
      ++seen;
      auto& connection = *reinterpret_cast<Connection*>(completion->user_data & ~uint64_t{1});
      if (completion->user_data & 1) {
        SendEnded(connection, *completion);
      } else if (!Received(connection, *completion)) {
        return served_.Tell();
      }
    }
    io_uring_cq_advance(&ring_, seen);
    for (Connection* connection : touched_) {
      connection->is_touched = false;
      Answers& gathered = connection->answers[connection->gathers];
      if (connection->sends || gathered.whole_bytes() == 0) continue;
      gathered.MoveRest(connection->answers[1 - connection->gathers]);
      connection->gathers = 1 - connection->gathers;
      Send(*connection);
    }
    touched_.clear();
  }
}

}  // namespace

void ServeByRing(const Options& options, const std::vector<int>& sockets) {
  Server(options, sockets).Run();
}

}  // namespace experiment
