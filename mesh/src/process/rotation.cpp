#include "process/rotation.hpp"

#include <cstdio>
#include <vector>

namespace hone::mesh {
namespace {

constexpr Duration kEvery = std::chrono::seconds(5);

}  // namespace

Rotation::Rotation(Loop& loop, const Served& served)
    : loop_(loop), served_(served), timer_(Delegate<void()>::of<&Rotation::look>(*this)) {
  loop_.set(timer_, loop_.now() + kEvery);
}

void Rotation::look() {
  std::set<const Tls*> seen;
  // Many listeners and clusters have the same files.
  Stamps stamps;
  for (const auto& [name, one] : served_.listeners()) look_at("listener " + name, one.spec->tls.get(), seen, stamps);
  for (const auto& [number, one] : served_.clusters()) {
    if (one.spec->tls != nullptr) look_at("cluster " + one.spec->name, one.spec->tls.get(), seen, stamps);
  }
  loop_.set(timer_, loop_.now() + kEvery);
}

void Rotation::look_at(const std::string& whose, Tls* tls, std::set<const Tls*>& seen, Stamps& stamps) {
  if (tls == nullptr || !seen.insert(tls).second) return;
  Stamps now;
  for (const auto& [path, read_then] : tls->files()) {
    const auto [found, is_new] = stamps.try_emplace(path);
    if (is_new) found->second = FileStamp::of(path);
    now.insert(*found);
  }
  if (now == tls->files()) return;
  const std::vector<TlsProblem> problems = tls->read();
  if (problems.empty()) {
    ++taken_;
    std::fprintf(stderr, "hone-mesh: certificates of %s are in force as they are in their files now\n", whose.c_str());
    return;
  }
  ++refused_;
  for (const TlsProblem& one : problems) {
    std::fprintf(stderr, "hone-mesh: certificates of %s stay as they were: %s\n", whose.c_str(), one.text().c_str());
  }
  // A problem is reported once.
  tls->note_files(std::move(now));
}

}  // namespace hone::mesh
