// The older process, as seen by the process that it has started.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "event/loop.hpp"
#include "process/handover.hpp"

namespace hone::mesh {

// Predecessor belongs to the main thread.
class Predecessor {
 public:
  // Returns nullptr where no process hands anything over. Throws std::system_error where kHandoverVariable names no
  // socket.
  static std::unique_ptr<Predecessor> find();
  explicit Predecessor(Descriptor channel) : channel_(std::move(channel)) {}
  ~Predecessor();
  Predecessor(const Predecessor&) = delete;
  Predecessor& operator=(const Predecessor&) = delete;

  // Returns the messages of the older process about its listeners and, without a name, its operator's pages. Messages
  // that it does not send in time, or because it ends meanwhile, are missing.
  std::vector<HandoverMessage> take();
  // True if the older process has ended, or will read nothing any more.
  bool is_gone() const { return channel_.is_closed(); }
  // Tells the older process that this one serves. `over` is called once, when the older one is gone or leaves
  // everything to this one.
  void say_ready(Loop& loop, Delegate<void()> over);

 private:
  void on_message(Ready);

  HandoverChannel channel_;
  Loop* loop_ = nullptr;
  std::optional<Watch> watch_;
  Delegate<void()> over_;
};

}  // namespace hone::mesh
