// The messages between two processes, of which the newer one takes over from the older one, which has started it:
//
//     newer                    older
//                              listener, told or admin, with sockets, before the newer one is started
//     take          ->
//                   <-         the same, for those that found no room before
//                   <-         all
//     ready         ->                                  serves; the older one takes no more connections
//                   <-         yours                    the newer one is on trial no more
//
// The word told is for a listener that a control plane has sent. Both processes have the same sockets, with the
// connections that wait in their queues: so no connection is lost whichever process accepts it, and the end of one
// process takes no socket from the other. Sockets that wait in the channel are there even if the older process ends
// before the newer one has begun.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "net/descriptor.hpp"

namespace hone::mesh {

// The environment variable with the number of the newer process's end of the channel.
inline constexpr char kHandoverVariable[] = "HONE_MESH_HANDOVER";

// HandoverMessage is a word, with the name, the address and the sockets that it is about.
struct HandoverMessage {
  std::string word;
  std::string name = {};
  std::string address = {};
  std::vector<Descriptor> sockets = {};
};

// HandoverChannel is one end of a channel. The other end belongs to another process, perhaps of another version: bytes
// that are no message count as the end.
class HandoverChannel {
 public:
  explicit HandoverChannel(Descriptor socket) : socket_(std::move(socket)) {}

  // Returns both ends. Throws std::system_error.
  static std::pair<Descriptor, Descriptor> pair();

  int descriptor() const { return socket_.get(); }
  // True if nobody has the other end any more.
  bool is_closed() const;
  // The most sockets that go with one message.
  static constexpr std::size_t kMostSockets = 253;

  // Sends a message. Returns false where the other side is gone; without waiting, also where there is no room.
  bool send(const std::string& word, const std::string& name = {}, const std::string& address = {},
            std::span<const int> sockets = {}, bool may_wait = true);

  enum class Got : std::uint8_t { kMessage, kNothing, kEnd };
  // Takes a message, if there is one; waits for it for at most `wait_ms`.
  Got receive(HandoverMessage& into, int wait_ms = 0);

 private:
  Descriptor socket_;
};

}  // namespace hone::mesh
