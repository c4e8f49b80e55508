// Counts that each worker keeps for itself, where others can add them up.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

namespace hone::mesh {

// PerWorker has a T for each worker that has needed one.
template <class T>
class PerWorker {
 public:
  explicit PerWorker(std::size_t workers = 1) : of_workers_(workers) {}
  PerWorker(const PerWorker&) = delete;
  PerWorker& operator=(const PerWorker&) = delete;
  ~PerWorker() {
    for (const auto& one : of_workers_) delete one.load(std::memory_order_relaxed);
  }

  std::size_t workers() const { return of_workers_.size(); }
  // Returns the T of a worker, and makes it where it is not there yet. Only that worker may call this.
  T& of(std::size_t worker) {
    T* one = of_workers_[worker].load(std::memory_order_relaxed);
    if (one == nullptr) of_workers_[worker].store(one = new T(), std::memory_order_release);
    return *one;
  }
  // Returns the sum of the results of `read` for each T. Any thread may call this.
  template <class Read>
  auto sum(Read read) const {
    decltype(read(std::declval<const T&>())) total{};
    for (const auto& one : of_workers_) {
      if (const T* const there = one.load(std::memory_order_acquire)) total += read(*there);
    }
    return total;
  }

 private:
  std::vector<std::atomic<T*>> of_workers_;
};

}  // namespace hone::mesh
