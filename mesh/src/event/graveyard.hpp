// Objects that have ended, kept until no handler can be inside them.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "event/loop.hpp"

namespace hone::mesh {

// Graveyard destroys the objects that it has taken, by a task at the end of the turn.
template <class T>
class Graveyard {
 public:
  explicit Graveyard(Loop& loop) : loop_(loop), bury_(Delegate<void()>::of<&Graveyard::bury>(*this)) {}

  void take(std::unique_ptr<T> ended) {
    dead_.push_back(std::move(ended));
    loop_.at_turn_end(bury_);
  }
  // Takes an object out of those that live.
  void take_from(std::vector<std::unique_ptr<T>>& living, const T& ended) {
    const auto found = std::find_if(living.begin(), living.end(), [&](auto& one) { return one.get() == &ended; });
    take(std::move(*found));
    living.erase(found);
  }

 private:
  void bury() { dead_.clear(); }

  Loop& loop_;
  std::vector<std::unique_ptr<T>> dead_;
  Task bury_;
};

}  // namespace hone::mesh
