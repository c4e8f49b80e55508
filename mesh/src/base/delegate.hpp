// A callback that is two words: an object and one of its member functions. It allocates nothing and owns nothing.
#pragma once

#include <utility>

namespace hone::mesh {

template <class Signature>
class Delegate;

// Delegate calls a member function of an object that outlives it.
template <class Result, class... Arguments>
class Delegate<Result(Arguments...)> {
 public:
  Delegate() = default;

  // Makes a delegate of a member function: `Delegate<void()>::of<&Server::accept>(server)`.
  template <auto Member, class Object>
  static Delegate of(Object& object) {
    Delegate made;
    made.object_ = &object;
    made.call_ = [](void* target, Arguments... arguments) -> Result {
      return (static_cast<Object*>(target)->*Member)(std::forward<Arguments>(arguments)...);
    };
    return made;
  }

  Result operator()(Arguments... arguments) const { return call_(object_, std::forward<Arguments>(arguments)...); }
  explicit operator bool() const { return call_ != nullptr; }

 private:
  void* object_ = nullptr;
  Result (*call_)(void*, Arguments...) = nullptr;
};

}  // namespace hone::mesh
