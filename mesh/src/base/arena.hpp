// Memory of one stream: handed out by moving a pointer, given back all at once.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hone::mesh {

// Block is the memory that arenas take at once.
struct alignas(std::max_align_t) Block {
  Block* next;
};

// BlockPool keeps blocks of a worker between two streams. It must outlive all arenas.
class BlockPool {
 public:
  static constexpr std::size_t kBlockBytes = 4096;
  static constexpr std::size_t kRoom = kBlockBytes - sizeof(Block);
  // The most free blocks that are kept; more are given back to the system.
  static constexpr std::size_t kMostFree = 1024;

  BlockPool() = default;
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;
  ~BlockPool() {
    while (free_ != nullptr) ::operator delete(std::exchange(free_, free_->next));
  }

  // Returns the bytes that the pool has from the system.
  std::size_t held_bytes() const { return (lent_ + free_count_) * kBlockBytes; }

  Block* take() {
    ++lent_;
    if (free_ == nullptr) return static_cast<Block*>(::operator new(kBlockBytes));
    --free_count_;
    return std::exchange(free_, free_->next);
  }
  void give_back(Block* block) {
    --lent_;
    if (free_count_ == kMostFree) return ::operator delete(block);
    block->next = std::exchange(free_, block);
    ++free_count_;
  }

 private:
  Block* free_ = nullptr;
  std::size_t free_count_ = 0;
  std::size_t lent_ = 0;
};

// Arena hands out memory until it is cleared or ends. Nothing in an arena is destroyed, so only trivial objects may lie
// there.
class Arena {
 public:
  explicit Arena(BlockPool& pool) : pool_(pool) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() { clear(); }

  // Returns memory that is aligned for everything.
  void* allocate(std::size_t bytes) {
    const std::size_t rounded = (bytes + kAlign - 1) & ~(kAlign - 1);
    if (rounded > BlockPool::kRoom) return allocate_large(rounded);
    if (rounded > left_) grow();
    char* const at = next_;
    next_ += rounded;
    left_ -= rounded;
    return at;
  }

  template <class Item>
  Item* array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<Item> && alignof(Item) <= kAlign);
    return static_cast<Item*>(allocate(count * sizeof(Item)));
  }

  // Copies text, so that it lives as long as the arena.
  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* const at = array<char>(text.size());
    std::memcpy(at, text.data(), text.size());
    return {at, text.size()};
  }

  // Joins texts into one.
  template <class... Texts>
  std::string_view join(Texts... texts) {
    const std::size_t size = (std::string_view(texts).size() + ... + 0);
    char* const at = array<char>(size);
    char* end = at;
    ((end = append(end, std::string_view(texts))), ...);
    return {at, size};
  }

  // Gives everything back.
  void clear() {
    while (blocks_ != nullptr) pool_.give_back(std::exchange(blocks_, blocks_->next));
    while (large_ != nullptr) ::operator delete(std::exchange(large_, large_->next));
    next_ = nullptr;
    left_ = 0;
  }

 private:
  static constexpr std::size_t kAlign = alignof(std::max_align_t);

  static char* append(char* end, std::string_view text) {
    if (!text.empty()) std::memcpy(end, text.data(), text.size());
    return end + text.size();
  }

  // An item that is larger than a block has memory of its own.
  void* allocate_large(std::size_t bytes) {
    Block* const block = static_cast<Block*>(::operator new(sizeof(Block) + bytes));
    block->next = std::exchange(large_, block);
    return block + 1;
  }

  void grow() {
    Block* const block = pool_.take();
    block->next = std::exchange(blocks_, block);
    next_ = reinterpret_cast<char*>(block + 1);
    left_ = BlockPool::kRoom;
  }

  BlockPool& pool_;
  Block* blocks_ = nullptr;
  Block* large_ = nullptr;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace hone::mesh
