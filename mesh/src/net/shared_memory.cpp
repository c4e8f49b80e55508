#include "net/shared_memory.hpp"

#include <unistd.h>

#include <algorithm>

#include "net/shared_transport.hpp"

namespace hone::mesh {

SharedMemory::SharedMemory(EpollLoop& loop, std::size_t workers, SharedMemoryMetrics& metrics)
    : loop_(loop),
      workers_(workers),
      metrics_(metrics),
      bell_(pairs_.descriptor(), Delegate<void(Ready)>::of<&SharedMemory::on_bell>(*this)) {
  if (pairs_.is_open()) loop_.watch(bell_, {.readable = true});
  loop_.look_at(*this);
}

SharedMemory::~SharedMemory() {
  loop_.forget(bell_);
}

void SharedMemory::change(const SharedMemorySpec& spec) {
  if (spec == spec_) return;
  spec_ = spec;
  options_.ring_bytes = spec.ring_bytes;
  options_.allow = [users = spec.users](uid_t user) {
    return user == 0 || user == ::geteuid() || std::find(users.begin(), users.end(), user) != users.end();
  };
  largest_ring_ = std::max(largest_ring_, spec.ring_bytes);
  server_.change(options_, std::max<std::size_t>(spec.connections / workers_, 1));
}

std::unique_ptr<Transport> SharedMemory::answer(Descriptor accepted) {
  const std::uint64_t key = ++last_key_;
  const shm::Server& server = is_held_back_ ? without_memory_ : server_;
  return std::make_unique<SharedTransport>(*this, server.answer(std::move(accepted), pairs_, key), key);
}

std::unique_ptr<shm::Connecting> SharedMemory::connect(const Address& address) {
  return std::make_unique<shm::Connecting>(address.path(), options_, pairs_, ++last_key_);
}

std::unique_ptr<Transport> SharedMemory::connected(shm::Connecting& connecting) {
  shm::Connection connection = connecting.take();
  if (!connection.is_open()) return nullptr;
  return std::make_unique<SharedTransport>(*this, std::move(connection), connecting.key());
}

std::unique_ptr<Transport> SharedMemory::ordinary(Descriptor socket) {
  return std::make_unique<SharedTransport>(*this, shm::Connection(std::move(socket)), ++last_key_);
}

bool SharedMemory::look(bool has_rung) {
  pairs_.take(news_, has_rung);
  news_.insert(news_.end(), put_off_.begin(), put_off_.end());
  put_off_.clear();
  return !news_.empty();
}

void SharedMemory::deliver() {
  // The handlers may begin and end connections.
  for (const shm::News& news : news_) {
    const auto found = transports_.find(news.key);
    if (found != transports_.end()) found->second->tell({.readable = news.may_read, .writable = news.may_write});
  }
}

// Takes the news that came while the loop slept, or the end of a process.
void SharedMemory::on_bell(Ready) {
  if (look(true)) deliver();
}

}  // namespace hone::mesh
