// The command hone-mesh: `run`, `check` and `explain`. Exit status: 0 done, 1 the configuration is wrong, 2 wrong usage
// or environment.
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

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

// Returns what a file holds; nothing where it cannot be read, which is said.
std::optional<std::string> text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  // Of an empty file nothing is copied, which counts as a failure.
  if (file && (file.peek() == std::ifstream::traits_type::eof() || text << file.rdbuf())) return text.str();
  std::fprintf(stderr, "hone-mesh: %s: %s; next step: name a file that can be read\n", path.c_str(),
               std::strerror(errno));
  return std::nullopt;
}

// Writes what a bootstrap of Envoy's is in hone-mesh's own words, and says what is not in them.
int explain(const std::string& path) {
  const std::optional<std::string> text = text_of(path);
  if (!text) return 2;
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

// Reads the file, and says what is wrong with it.
std::shared_ptr<const hone::mesh::Snapshot> read(const std::string& path, int& status) {
  const std::optional<std::string> text = text_of(path);
  if (!text) {
    status = 2;
    return nullptr;
  }
  hone::mesh::config::Read read = hone::mesh::config::read_yaml(*text, path);
  for (const std::string& fault : read.faults) std::fprintf(stderr, "%s\n", fault.c_str());
  if (read.snapshot == nullptr) status = 1;
  return std::shared_ptr<const hone::mesh::Snapshot>(std::move(read.snapshot));
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
  int status = 0;
  const auto snapshot = read(words[2], status);
  if (snapshot == nullptr) return status;
  if (command == "check") {
    std::printf("%s: %zu listeners, %zu clusters, nothing wrong\n", words[2], snapshot->listeners.size(),
                snapshot->clusters.size());
    return 0;
  }
  try {
    hone::mesh::run_process(snapshot);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hone-mesh: %s; next step: choose another address or path, or free this one\n", error.what());
    return 2;
  }
  return 0;
}
