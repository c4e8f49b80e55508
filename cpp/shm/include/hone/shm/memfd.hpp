// Files of shared memory: they are made so that their size never changes and their memory is there, and they are
// checked where the other side has made them.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>

#include "descriptor.hpp"

namespace hone::shm::detail {

inline constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

// Makes a file whose size never changes, and takes all of its memory. Returns none where the system has no memory;
// errno has the reason.
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

// True if a file is memory of `bytes` bytes, and will always be.
inline bool is_sealed(int file, std::size_t bytes) {
  // Seals first: only memory has them, and another kind of file may answer whenever its maker likes.
  const int seals = ::fcntl(file, F_GET_SEALS);
  if (seals < 0 || (seals & kSeals) != kSeals) return false;
  struct stat about;
  return ::fstat(file, &about) == 0 && about.st_size == static_cast<off_t>(bytes);
}

}  // namespace hone::shm::detail
