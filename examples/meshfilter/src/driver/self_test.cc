#include "driver/self_test.h"

#include <cstdio>

#include "core/config.h"
#include "core/text.h"
#include "driver/replay.h"

namespace mesh {

int runSelfTest(const std::string& goldenPath) {
  const Directive golden = loadConfig(goldenPath);
  unsigned runs = 0;
  unsigned wrong = 0;
  for (const Directive& run : golden.children) {
    if (run.name != "run") run.failUnknown("the golden file");
    run.expectArgs(4, 4);
    const uint64_t requests = run.numberArg(2, 1, 1'000'000);
    const Mix mix = readMix(loadConfig(run.arg(1)));
    const RunResult result = replay(loadConfig(run.arg(0)), mix, requests, 0);
    std::string checksum;
    appendHex(checksum, result.checksum(), 16);
    std::printf("run %s %s %s %s\n", run.arg(0).c_str(), run.arg(1).c_str(), run.arg(2).c_str(),
                checksum.c_str());
    ++runs;
    if (checksum == run.arg(3)) continue;
    ++wrong;
    std::printf("# differs: %s:%u has %s\n", golden.file.c_str(), run.line, run.arg(3).c_str());
  }
  if (runs == 0) golden.fail("there is no 'run'");
  std::printf("# %u runs, %u wrong\n", runs, wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace mesh
