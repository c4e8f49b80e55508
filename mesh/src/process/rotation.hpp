// The rotation of certificates: looks at their files from time to time, and reads those that others have written anew.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "event/loop.hpp"
#include "serve/served.hpp"

namespace hone::mesh {

// Rotation belongs to the main thread. It looks at files by their names, so that links may be set anew, as a cluster of
// containers does with its secrets. A certificate and a key that do not fit, since only one of them is written yet, are
// not taken before both are there.
class Rotation {
 public:
  Rotation(Loop& loop, const Served& served);
  Rotation(const Rotation&) = delete;
  Rotation& operator=(const Rotation&) = delete;

  // Return how often the certificates of a listener or a cluster were taken, and how often they were refused.
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
