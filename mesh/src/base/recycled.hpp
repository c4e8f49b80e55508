// Memory of objects that come and go with every request: kept for the next ones of their kind.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace hone::mesh {

// Recycled is a base of classes whose objects are made and destroyed by one thread, many in a turn: more than the
// allocator keeps at hand. Under the address sanitizer nothing is kept, so that it sees uses of memory that is gone.
template <class Object>
class Recycled {
 public:
  static void* operator new(std::size_t size) {
    Free& free = free_of_thread();
    if (free.first == nullptr) return ::operator new(size);
    --free.count;
    return std::exchange(free.first, free.first->next);
  }
  static void operator delete(void* memory) {
    Free& free = free_of_thread();
    if (free.count == kMostFree) return ::operator delete(memory);
    ++free.count;
    free.first = ::new (memory) Link{free.first};
  }

 protected:
  ~Recycled() = default;

 private:
#if defined(__SANITIZE_ADDRESS__)
#define HONE_MESH_KEEPS_NOTHING
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HONE_MESH_KEEPS_NOTHING
#endif
#endif
#ifdef HONE_MESH_KEEPS_NOTHING
  static constexpr std::size_t kMostFree = 0;
#else
  static constexpr std::size_t kMostFree = 1024;
#endif

  struct Link {
    Link* next;
  };
  struct Free {
    Free() { static_assert(sizeof(Object) >= sizeof(Link) && alignof(Object) <= alignof(std::max_align_t)); }
    ~Free() {
      while (first != nullptr) ::operator delete(std::exchange(first, first->next));
    }
    Link* first = nullptr;
    std::size_t count = 0;
  };
  static Free& free_of_thread() {
    thread_local Free free;
    return free;
  }
};

}  // namespace hone::mesh
