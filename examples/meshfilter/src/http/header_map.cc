#include "http/header_map.h"

#include <array>
#include <list>
#include <string>

namespace mesh {

namespace {

struct HeaderEntry {
  HeaderId id;
  std::string otherName;  // empty for a known header
  std::string value;

  std::string_view name() const {
    return id == HeaderId::kOther ? std::string_view(otherName) : headerName(id);
  }
};

/// A list keeps entries at their address, so the slots of known headers can point into it while
/// other headers come and go.
class ListHeaderMap : public HeaderMap {
 public:
  ListHeaderMap() { slots_.fill(nullptr); }

  std::optional<std::string_view> get(HeaderId id) const override {
    const HeaderEntry* entry = slot(id);
    if (entry == nullptr) return std::nullopt;
    return entry->value;
  }

  std::optional<std::string_view> get(std::string_view name) const override {
    const HeaderId id = headerIdOf(name);
    if (id != HeaderId::kOther) return get(id);
    for (const HeaderEntry& entry : entries_) {
      if (entry.id == HeaderId::kOther && entry.otherName == name) return entry.value;
    }
    return std::nullopt;
  }

  void set(HeaderId id, std::string_view value) override {
    HeaderEntry* entry = slot(id);
    if (entry == nullptr) {
      append(id, headerName(id), value);
      return;
    }
    entry->value.assign(value);
    if (repeated_) removeRepeats(id, entry);
  }

  void set(std::string_view name, std::string_view value) override {
    const HeaderId id = headerIdOf(name);
    if (id != HeaderId::kOther) {
      set(id, value);
      return;
    }
    remove(name);
    append(id, name, value);
  }

  void add(std::string_view name, std::string_view value) override {
    append(headerIdOf(name), name, value);
  }

  void remove(HeaderId id) override {
    if (slot(id) == nullptr) return;
    removeRepeats(id, nullptr);
    slots_[static_cast<size_t>(id)] = nullptr;
  }

  void remove(std::string_view name) override {
    const HeaderId id = headerIdOf(name);
    if (id != HeaderId::kOther) {
      remove(id);
      return;
    }
    entries_.remove_if([name](const HeaderEntry& entry) {
      return entry.id == HeaderId::kOther && entry.otherName == name;
    });
  }

  size_t removeIf(const NameFilter& filter) override {
    size_t removed = 0;
    for (auto it = entries_.begin(); it != entries_.end();) {
      if (isPseudoHeader(it->id) || !filter.selects(it->name())) {
        ++it;
        continue;
      }
      if (it->id != HeaderId::kOther) slots_[static_cast<size_t>(it->id)] = nullptr;
      it = entries_.erase(it);
      ++removed;
    }
    return removed;
  }

  void visit(HeaderVisitor& visitor) const override {
    for (const HeaderEntry& entry : entries_) {
      if (!visitor.onHeader(entry.name(), entry.value)) return;
    }
  }

  size_t size() const override { return entries_.size(); }

 private:
  HeaderEntry* slot(HeaderId id) const {
    return id == HeaderId::kOther ? nullptr : slots_[static_cast<size_t>(id)];
  }

  void append(HeaderId id, std::string_view name, std::string_view value) {
    HeaderEntry& entry = entries_.emplace_back();
    entry.id = id;
    entry.value.assign(value);
    if (id == HeaderId::kOther) {
      entry.otherName.assign(name);
      return;
    }
    HeaderEntry*& known = slots_[static_cast<size_t>(id)];
    if (known == nullptr) {
      known = &entry;
    } else {
      repeated_ = true;
    }
  }

  void removeRepeats(HeaderId id, const HeaderEntry* keep) {
    entries_.remove_if(
        [id, keep](const HeaderEntry& entry) { return entry.id == id && &entry != keep; });
  }

  std::list<HeaderEntry> entries_;
  std::array<HeaderEntry*, kKnownHeaders> slots_;
  bool repeated_ = false;  // some known header came twice; its slot points to the first
};

}  // namespace

std::unique_ptr<HeaderMap> makeHeaderMap() {
  return std::make_unique<ListHeaderMap>();
}

}  // namespace mesh
