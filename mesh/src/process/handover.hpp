// The talk of two processes of which the newer one takes over from the older one that has started it:
//
//     newer                    older
//                              listener, told or admin, with sockets, before the newer one is started
//     take          ->
//                   <-         the same, what found no room before
//                   <-         all
//     ready         ->                                  serves; the older one takes no more connections
//                   <-         yours                    the newer one is on trial no more
//
// A listener that is told is one that a control plane has said. Sockets are the same in both processes, with what waits
// in their queues: so no connection is lost whoever of both accepts, and neither's end takes them from the other. Those
// that wait in the channel are there even if the older process ends before the newer one has begun.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "net/descriptor.hpp"

namespace hone::mesh {

// What tells the newer process the number of its end of the channel.
inline constexpr char kHandoverVariable[] = "HONE_MESH_HANDOVER";

// HandoverMessage is one word, and what it is about.
struct HandoverMessage {
  std::string word;
  std::string name = {};
  std::string address = {};
  std::vector<Descriptor> sockets = {};
};

// HandoverChannel is one end. The other one is another process, perhaps of another version: what is no message is
// taken for the end.
class HandoverChannel {
 public:
  explicit HandoverChannel(Descriptor socket) : socket_(std::move(socket)) {}

  // Returns both ends. Throws std::system_error.
  static std::pair<Descriptor, Descriptor> pair();

  int descriptor() const { return socket_.get(); }
  // Returns whether nobody has the other end any more.
  bool is_closed() const;
  // What goes with one message.
  static constexpr std::size_t kMostSockets = 253;

  // Sends a message. Returns false where the other side is gone; without waiting, also where there is no room.
  bool send(const std::string& word, const std::string& name = {}, const std::string& address = {},
            std::span<const int> sockets = {}, bool may_wait = true);

  enum class Got : std::uint8_t { kMessage, kNothing, kEnd };
  // Takes a message, if there is one: waits for it for at most the time that is given.
  Got receive(HandoverMessage& into, int wait_ms = 0);

 private:
  Descriptor socket_;
};

}  // namespace hone::mesh
