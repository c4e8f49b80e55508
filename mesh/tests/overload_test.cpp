// How near the process is to its limits, and the requests and connections that are turned away for it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "overload/pressure.hpp"
#include "process/control_group.hpp"

namespace hone::mesh {
namespace {

TEST(Pressures, TurnAwayWhatMattersLeastFirst) {
  Pressure pressure;
  Random random(7);
  const auto share = [&](std::uint32_t now, Priority priority) {
    pressure.set(now);
    int count = 0;
    for (int tries = 0; tries < 1000; ++tries) count += pressure.sheds(priority, random) ? 1 : 0;
    return count;
  };
  for (const Priority priority : {Priority::kLow, Priority::kNormal, Priority::kHigh}) {
    EXPECT_EQ(share(0, priority), 0);
    EXPECT_EQ(share(Pressure::kFull, priority), 0);
    EXPECT_EQ(share(1000, priority), 1000);
    EXPECT_EQ(share(5000, priority), 1000);
  }
  EXPECT_NEAR(share(930, Priority::kLow), 500, 100);
  EXPECT_EQ(share(930, Priority::kNormal), 0);
  EXPECT_EQ(share(Pressure::kHighOnly, Priority::kLow), 1000);
  EXPECT_EQ(share(Pressure::kHighOnly, Priority::kNormal), 1000);
  EXPECT_EQ(share(Pressure::kHighOnly, Priority::kHigh), 0);
}

TEST(Rooms, AddWhatWasTakenSinceSomebodyLooked) {
  Pressure pressure;
  Room room(pressure, 2);
  EXPECT_EQ(room.excess(1 << 30, Pressure::kFull), 0u) << "there is no limit";
  pressure.set_memory(1'000'000, 800'000);
  EXPECT_EQ(room.excess(300'000, Pressure::kFull), 0u);
  // The other worker is assumed to do the same.
  EXPECT_EQ(room.excess(350'000, Pressure::kFull), 0u);
  EXPECT_EQ(room.excess(400'000, Pressure::kFull), 50'001u);
  EXPECT_EQ(room.excess(400'000, Pressure::kOver), 7'501u);
  // Memory that was given back counts too, and after another measurement all begins anew.
  pressure.set_memory(1'000'000, 950'000);
  EXPECT_EQ(room.excess(400'000, Pressure::kFull), 25'001u);
  EXPECT_EQ(room.excess(350'000, Pressure::kFull), 0u);
  pressure.set_memory(0, 0);
  EXPECT_EQ(room.excess(400'000, Pressure::kFull), 0u);
}

// A machine's files of control groups.
class ControlGroups : public ::testing::Test {
 protected:
  ControlGroups() : root_(::testing::TempDir() + "hone-mesh-groups") { std::filesystem::remove_all(root_); }
  ~ControlGroups() override { std::filesystem::remove_all(root_); }
  void file(const std::string& path, const std::string& text) {
    const std::filesystem::path whole = root_ + path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text;
  }

  const std::string root_;
};

TEST_F(ControlGroups, OfTheSecondVersion) {
  file("/proc/self/cgroup", "0::/pods/one\n");
  file("/proc/self/mountinfo",
       "1 0 8:1 / / rw - ext4 a rw\n29 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n");
  const std::string top = "/sys/fs/cgroup";
  for (const char* const folder : {"/pods", "/pods/one"}) file(top + folder + "/cgroup.procs", "1\n");
  file(top + "/pods/memory.max", "1000000\n");
  file(top + "/pods/memory.current", "700000\n");
  file(top + "/pods/memory.stat", "anon 5\ninactive_file 100000\n");
  file(top + "/pods/one/memory.max", "max\n");
  file(top + "/pods/cpu.max", "150000 100000\n");
  file(top + "/pods/one/cpu.max", "max 100000\n");
  const ControlGroup group(root_);
  EXPECT_EQ(group.memory_limit(), 1'000'000u) << "that of the group above";
  EXPECT_EQ(group.memory_used(), 600'000u);
  EXPECT_DOUBLE_EQ(group.cpus().value_or(0), 1.5);
}

TEST_F(ControlGroups, OfTheFirstVersion) {
  file("/proc/self/cgroup", "5:memory:/a/b\n4:cpu,cpuacct:/a\n0::/\n");
  file("/proc/self/mountinfo",
       "31 23 0:28 /a /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
       "32 23 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
       "33 23 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  // The mounted tree begins at the group a.
  file("/sys/fs/cgroup/memory/b/cgroup.procs", "1\n");
  file("/sys/fs/cgroup/memory/b/memory.limit_in_bytes", "4000\n");
  file("/sys/fs/cgroup/memory/b/memory.usage_in_bytes", "3000\n");
  file("/sys/fs/cgroup/memory/b/memory.stat", "inactive_file 1\ntotal_inactive_file 500\n");
  file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  file("/sys/fs/cgroup/cpu/a/cgroup.procs", "1\n");
  file("/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "50000\n");
  file("/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  const ControlGroup group(root_);
  EXPECT_EQ(group.memory_limit(), 4000u);
  EXPECT_EQ(group.memory_used(), 2500u);
  EXPECT_DOUBLE_EQ(group.cpus().value_or(0), 0.5);
}

TEST_F(ControlGroups, WithoutLimitsOrFilesSayNothing) {
  EXPECT_FALSE(ControlGroup(root_).memory_limit());
  file("/proc/self/cgroup", "0::/\nbroken\n");
  file("/proc/self/mountinfo", "29 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\nbroken - line\n");
  file("/sys/fs/cgroup/cgroup.procs", "");
  const ControlGroup group(root_);
  EXPECT_FALSE(group.memory_limit());
  EXPECT_FALSE(group.memory_used());
  EXPECT_FALSE(group.cpus());
}

}  // namespace
}  // namespace hone::mesh
