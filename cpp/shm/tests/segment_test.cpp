// Segments that are made, and segments of the other side that are refused.
#include <sys/mman.h>

#include "support.hpp"

namespace hone::shm {
namespace {

TEST(Segment, HasWhatLiesAcrossTheEndOfARingInOnePiece) {
  Descriptor file;
  const auto segment = Segment::create(kSmallestRing, file);
  ASSERT_TRUE(segment);
  const auto other = Segment::map(file.get(), kSmallestRing);
  ASSERT_TRUE(other);
  RingWriter writer = segment->writer(0);
  RingReader reader = other->reader(0);
  writer.wrote(kSmallestRing - 2);
  reader.read(kSmallestRing - 2);
  std::memcpy(writer.room()->data(), "across", 6);
  writer.wrote(6);
  const auto unread = reader.unread();
  ASSERT_EQ(unread->size(), 6U);
  EXPECT_EQ(std::memcmp(unread->data(), "across", 6), 0);
}

TEST(Segment, IsNotMadeWithACapacityThatIsNoneOfARing) {
  for (const std::size_t capacity : {std::size_t{0}, kSmallestRing / 2, kSmallestRing + 1, kLargestRing * 2}) {
    Descriptor file;
    EXPECT_FALSE(Segment::create(capacity, file));
    EXPECT_EQ(errno, EINVAL);
    EXPECT_FALSE(Segment::map(0, capacity));
    EXPECT_EQ(errno, EPROTO);
  }
}

// A file of the other side's, with a size, seals, and the first words of its header.
Descriptor file_of(std::size_t bytes, int seals, std::string_view header) {
  Descriptor file(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  EXPECT_EQ(::ftruncate(file.get(), static_cast<off_t>(bytes)), 0);
  EXPECT_EQ(::pwrite(file.get(), header.data(), header.size(), 0), static_cast<ssize_t>(header.size()));
  EXPECT_EQ(::fcntl(file.get(), F_ADD_SEALS, seals), 0);
  return file;
}

TEST(Segment, OfTheOtherSideIsRefusedWhereItMayChangeItsSizeOrHasAnotherLayout) {
  constexpr int kSealed = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  constexpr std::size_t kBytes = detail::file_bytes(kSmallestRing);
  using namespace std::string_view_literals;
  constexpr auto kHeader = "HONESHM1\0\0\1\0\0\0\0\0"sv;
  EXPECT_TRUE(Segment::map(file_of(kBytes, kSealed, kHeader).get(), kSmallestRing));
  struct Case {
    const char* name;
    Descriptor file;
  };
  const Case cases[] = {
      {"it may shrink", file_of(kBytes, F_SEAL_GROW | F_SEAL_SEAL, kHeader)},
      {"it may grow", file_of(kBytes, F_SEAL_SHRINK | F_SEAL_SEAL, kHeader)},
      {"it is longer", file_of(kBytes + 4096, kSealed, kHeader)},
      {"it is shorter", file_of(kBytes - 4096, kSealed, kHeader)},
      {"another magic", file_of(kBytes, kSealed, "HONESHM2\0\0\1\0\0\0\0\0"sv)},
      {"another capacity", file_of(kBytes, kSealed, "HONESHM1\0\0\2\0\0\0\0\0"sv)},
      {"no file of memory", Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC))},
  };
  for (const Case& is : cases) {
    EXPECT_FALSE(Segment::map(is.file.get(), kSmallestRing)) << is.name;
    EXPECT_EQ(errno, EPROTO) << is.name;
  }
}

}  // namespace
}  // namespace hone::shm
