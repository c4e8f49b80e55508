// The command hone-mesh: `run`, `check` and `explain`. Exit status: 0 done, 1 the configuration is wrong, 2 wrong usage
// or environment.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <string>

#include "base/file.hpp"
#include "config/yaml.hpp"
#include "envoy/translate.hpp"
#include "process/process.hpp"

namespace {

constexpr char kHelp[] =
    R"(A proxy beside services, or before them.

Usage: hone-mesh run FILE      serve as a configuration says
       hone-mesh check FILE    say what is wrong with a configuration, with file and line
       hone-mesh explain FILE  write a bootstrap of Envoy's as a configuration, and say what is refused

Examples:
  hone-mesh check mesh.yaml && hone-mesh run mesh.yaml
  hone-mesh explain envoy.json > mesh.yaml

Exit status: 0 done, 1 the configuration is wrong, 2 wrong usage or environment
)";

int wrong_usage(const std::string& what) {
  std::fprintf(stderr, "hone-mesh: %s; next step: hone-mesh --help\n", what.c_str());
  return 2;
}

// Writes a bootstrap of Envoy's as a configuration of hone-mesh, and reports the parts that differ or are refused.
int explain(const std::string& path) {
  const std::optional<std::string> text = hone::mesh::text_of_file(path);
  if (!text) {
    std::fprintf(stderr, "hone-mesh: %s: %s; next step: name a file that can be read\n", path.c_str(),
                 std::strerror(errno));
    return 2;
  }
  const hone::mesh::envoy::Translation made = hone::mesh::envoy::translate(*text);
  for (const std::string& one : made.findings.noted()) std::fprintf(stderr, "differs: %s\n", one.c_str());
  for (const std::string& one : made.findings.refused()) std::fprintf(stderr, "refused: %s\n", one.c_str());
  if (made.config.size() == 0) return 1;
  const std::string config = YAML::Dump(made.config) + "\n";
  std::fputs(config.c_str(), stdout);
  const hone::mesh::config::Read read = hone::mesh::config::read_yaml(config, "the result");
  for (const std::string& fault : read.faults) std::fprintf(stderr, "refused: %s\n", fault.c_str());
  return made.findings.refused().empty() && read.faults.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  const std::string command = count > 1 ? words[1] : "";
  if (command == "--help" || command == "-h" || command == "help") {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (command == "--version") {
    std::puts("hone-mesh " HONE_VERSION);
    return 0;
  }
  if (command != "run" && command != "check" && command != "explain") {
    return wrong_usage(command.empty() ? "no command given" : "there is no command '" + command + "'");
  }
  if (count != 3) return wrong_usage(command + " takes one file");
  if (command == "explain") return explain(words[2]);
  hone::mesh::config::Names names;
  hone::mesh::config::Read read = hone::mesh::config::read_file(words[2], names);
  for (const std::string& fault : read.faults) std::fprintf(stderr, "%s\n", fault.c_str());
  if (read.snapshot == nullptr) return read.is_there ? 1 : 2;
  if (command == "check") {
    std::printf("%s: %zu listeners, %zu clusters, nothing wrong\n", words[2], read.snapshot->listeners.size(),
                read.snapshot->clusters.size());
    return 0;
  }
  try {
    hone::mesh::run_process(words[2], std::move(names), std::move(read.snapshot));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hone-mesh: %s; next step: choose another address or path, or free this one\n", error.what());
    return 2;
  }
  return 0;
}
