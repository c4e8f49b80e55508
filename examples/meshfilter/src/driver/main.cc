#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "core/config.h"
#include "core/text.h"
#include "driver/mix.h"
#include "driver/replay.h"
#include "driver/self_test.h"

namespace {

constexpr char kUsage[] =
    "usage: meshfilter --config FILE --mix FILE --requests N [--seed S]\n"
    "       meshfilter --self-test [GOLDEN]\n"
    "\n"
    "Replays N requests of a mix through the filter chain of a configuration and prints\n"
    "checksums and counters. The output depends on nothing but the arguments and files.\n"
    "--self-test compares short runs with golden/self-test.txt, or the file given.\n";

struct Arguments {
  std::string config;
  std::string mix;
  uint64_t requests = 0;
  uint64_t seed = 0;
  bool selfTest = false;
  std::string golden = "golden/self-test.txt";
};

/// Nothing on a wrong call.
std::optional<Arguments> readArguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (flag == "--self-test") {
      arguments.selfTest = true;
      if (value != nullptr) arguments.golden = argv[++i];
      continue;
    }
    if (value == nullptr) return std::nullopt;
    ++i;
    if (flag == "--config") {
      arguments.config = value;
    } else if (flag == "--mix") {
      arguments.mix = value;
    } else if (flag == "--requests" || flag == "--seed") {
      const std::optional<uint64_t> number = mesh::parseDecimal(value);
      if (!number) return std::nullopt;
      (flag == "--seed" ? arguments.seed : arguments.requests) = *number;
    } else {
      return std::nullopt;
    }
  }
  const bool complete =
      !arguments.config.empty() && !arguments.mix.empty() && arguments.requests > 0;
  if (!arguments.selfTest && !complete) return std::nullopt;
  return arguments;
}

void printResult(const mesh::RunResult& result) {
  for (const mesh::Counter& counter : result.counters) {
    std::printf("%-40s %llu\n", counter.name.c_str(),
                static_cast<unsigned long long>(counter.value));
  }
  std::printf("%-40s %llu\n", "requests", static_cast<unsigned long long>(result.requests));
  std::printf("%-40s %llu\n", "refused_connections",
              static_cast<unsigned long long>(result.refusedConnections));
  std::printf("%-40s %llu\n", "downstream_bytes",
              static_cast<unsigned long long>(result.downstreamBytes));
  std::printf("%-40s %llu\n", "access_log_bytes", static_cast<unsigned long long>(result.logBytes));
  std::printf("%-40s %016llx\n", "checksum", static_cast<unsigned long long>(result.checksum()));
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Arguments> arguments = readArguments(argc, argv);
  if (!arguments) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  try {
    if (arguments->selfTest) return mesh::runSelfTest(arguments->golden);
    const mesh::Directive config = mesh::loadConfig(arguments->config);
    const mesh::Mix mix = mesh::readMix(mesh::loadConfig(arguments->mix));
    printResult(mesh::replay(config, mix, arguments->requests, arguments->seed));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
