// Certificates that others write anew: their files are looked at, and read where they are others.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "event/loop.hpp"
#include "serve/served.hpp"

namespace hone::mesh {

// Rotation belongs to the main thread. Files are looked at by their names, so that links may be set anew, as a cluster
// of containers does with its secrets. Of a pair that does not fit, since one half is written and the other is not yet,
// nothing is taken before both are there.
class Rotation {
 public:
  Rotation(Loop& loop, const Served& served);
  Rotation(const Rotation&) = delete;
  Rotation& operator=(const Rotation&) = delete;

  // Listeners and clusters whose certificates were taken, and files that could not be.
  std::uint64_t taken() const { return taken_; }
  std::uint64_t refused() const { return refused_; }

 private:
  using Stamps = std::map<std::string, FileStamp>;

  void look();
  void look_at(const std::string& whose, Tls* tls, std::set<const Tls*>& seen, Stamps& stamps);

  Loop& loop_;
  const Served& served_;
  Timer timer_;
  std::uint64_t taken_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace hone::mesh
