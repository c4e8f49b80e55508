// The older process, as the one that it has started sees it.
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
  // Returns nullptr where nobody hands anything over. Throws std::system_error where what says so is wrong.
  static std::unique_ptr<Predecessor> find();
  explicit Predecessor(Descriptor channel) : channel_(std::move(channel)) {}
  ~Predecessor();
  Predecessor(const Predecessor&) = delete;
  Predecessor& operator=(const Predecessor&) = delete;

  // Returns what the older process has: its listeners, and its operator's pages where there is no name. What it does
  // not say in time, or since it ends meanwhile, is not among them.
  std::vector<HandoverMessage> take();
  // Returns whether it has ended, or will hear nothing any more.
  bool is_gone() const { return channel_.is_closed(); }
  // Tells it that this process serves. `over` is called once, when the older one is gone or leaves everything here.
  void say_ready(Loop& loop, Delegate<void()> over);

 private:
  void on_message(Ready);

  HandoverChannel channel_;
  Loop* loop_ = nullptr;
  std::optional<Watch> watch_;
  Delegate<void()> over_;
};

}  // namespace hone::mesh
