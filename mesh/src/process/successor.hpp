// The newer process, as seen by the process that has started it: it is on trial, and any failure ends it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "config/snapshot.hpp"
#include "event/loop.hpp"
#include "process/handover.hpp"

namespace hone::mesh {

// HandedOver is an item for a newer process: the sockets of a listener, or of the operator's pages, as the word says.
struct HandedOver {
  std::string word;
  std::string name;
  std::string address;
  // At most HandoverChannel::kMostSockets, which go with one message: further sockets stand in further items.
  std::vector<int> sockets;
};

// Successor belongs to the main thread. Its owner destroys it by a task of the loop once `over` or `failed` was called.
class Successor {
 public:
  struct Events {
    // The newer process serves.
    Delegate<void()> ready;
    // Its trial is over: everything belongs to the newer process.
    Delegate<void()> over;
    // The newer process has ended, or has been ended, for this reason.
    Delegate<void(const std::string&)> failed;
  };

  // Starts a program, and hands `handed` over to it. Throws std::system_error where that is not possible.
  Successor(Loop& loop, std::vector<std::string> command, std::vector<HandedOver> handed, RestartSpec times,
            Events events);
  // Ends a process that is still on trial.
  ~Successor();
  Successor(const Successor&) = delete;
  Successor& operator=(const Successor&) = delete;

  pid_t id() const { return id_; }
  bool is_ready() const { return is_ready_; }
  // Tells the newer process to end together with this one, and leaves it alone.
  void end_with_us();

 private:
  void on_message(Ready);
  void take(const HandoverMessage& message);
  // Sends the items that still wait, as far as there is room. Returns false where some are left.
  bool hand_over(bool may_wait);
  void on_time();
  // Stops listening to the newer process.
  void stop_hearing();
  void on_gone();
  void fail(const std::string& why);
  // Ends the process, where it has not ended by itself, and returns how it ended.
  std::string end();

  Loop& loop_;
  const RestartSpec times_;
  const Events events_;
  // The items that are not sent yet, the last one first.
  std::vector<HandedOver> handed_;
  std::optional<HandoverChannel> channel_;
  std::optional<Watch> watch_;
  Timer timer_;
  // Looks whether a process that has left the channel has ended.
  Timer gone_;
  Moment gone_at_;
  pid_t id_ = -1;
  bool is_ready_ = false;
  bool is_on_trial_ = true;
};

}  // namespace hone::mesh
