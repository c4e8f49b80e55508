// Objects that several other objects of one thread hold.
#pragma once

#include <cstdint>
#include <utility>

namespace hone::mesh {

// Held is a pointer whose object lives as long as one of its holders does. All of them belong to one thread, so that
// counting them costs nothing that threads share.
template <class T>
class Held {
 public:
  Held() = default;
  template <class... Arguments>
  static Held make(Arguments&&... arguments) {
    return Held(new Box{T(std::forward<Arguments>(arguments)...)});
  }
  Held(const Held& other) : box_(other.box_) {
    if (box_ != nullptr) ++box_->holders;
  }
  Held(Held&& other) noexcept : box_(std::exchange(other.box_, nullptr)) {}
  Held& operator=(Held other) noexcept {
    std::swap(box_, other.box_);
    return *this;
  }
  ~Held() {
    if (box_ != nullptr && --box_->holders == 0) delete box_;
  }

  T& operator*() const { return box_->object; }
  T* operator->() const { return &box_->object; }
  T* get() const { return box_ == nullptr ? nullptr : &box_->object; }
  explicit operator bool() const { return box_ != nullptr; }

 private:
  struct Box {
    T object;
    std::uint32_t holders = 1;
  };
  explicit Held(Box* box) : box_(box) {}

  Box* box_ = nullptr;
};

}  // namespace hone::mesh
