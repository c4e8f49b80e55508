// Files of memory that are shared: made so that neither their size nor their memory is missing later, and checked where
// the other side has made them.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>

#include "descriptor.hpp"

namespace hone::shm::detail {

inline constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

// Makes a file whose size never changes, and takes all of its memory. None where the system has none; errno tells.
inline Descriptor create_memory(std::size_t bytes) {
  Descriptor file(::memfd_create("hone-shm", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) return {};
  const Transfer taken = transferred([&] { return ::fallocate(file.get(), 0, 0, static_cast<off_t>(bytes)); });
  if (taken.error == 0 && ::fcntl(file.get(), F_ADD_SEALS, kSeals) == 0) return file;
  const int error = taken.error != 0 ? taken.error : errno;
  file.reset();
  errno = error;
  return {};
}

// Whether a file is memory of so many bytes, and will always be.
inline bool is_sealed(int file, std::size_t bytes) {
  // Seals first: only memory has them, and a file of another kind may answer whenever its maker likes.
  const int seals = ::fcntl(file, F_GET_SEALS);
  if (seals < 0 || (seals & kSeals) != kSeals) return false;
  struct stat about;
  return ::fstat(file, &about) == 0 && about.st_size == static_cast<off_t>(bytes);
}

}  // namespace hone::shm::detail
