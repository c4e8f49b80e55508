#include "observe/cpu_parts.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <vector>

#include "base/text.hpp"

namespace hone::mesh {
namespace {

// Rule assigns functions to a part of the proxy.
struct Rule {
  // The beginning of the function's name, after hone::mesh::.
  std::string_view begin;
  std::string_view part;
};

// The first rule that fits a name counts. Filters have the names by which they are configured.
constexpr std::array kRules = {
    Rule{"Access::", "filter access"},
    Rule{"Cors::", "filter cors"},
    Rule{"Fault::", "filter fault"},
    Rule{"HeaderChange", "filter headers"},
    Rule{"RateLimit::", "filter rate_limit"},
    Rule{"RequestId::", "filter request_id"},
    Rule{"Trace::", "filter trace"},
    Rule{"http1::", "HTTP/1"},
    Rule{"http2::", "HTTP/2"},
    Rule{"thrift::", "Thrift"},
    Rule{"Tls", "TLS"},
    Rule{"Handshake::", "TLS"},
    Rule{"HostTable::", "routes"},
    Rule{"RouteList::", "routes"},
    Rule{"RequestMatch::", "routes"},
    Rule{"Cluster::", "clusters"},
    Rule{"Http1Pool::", "clusters"},
    Rule{"SharedPool", "clusters"},
    Rule{"Dialler::", "clusters"},
    Rule{"LogWriter::", "log and metrics"},
    Rule{"LogFile::", "log and metrics"},
    Rule{"Histogram", "log and metrics"},
    Rule{"Telling::", "log and metrics"},
    Rule{"prometheus_text", "log and metrics"},
    Rule{"SpanWriter::", "traces"},
    Rule{"SpanExporter::", "traces"},
    Rule{"Stream::", "streams"},
    Rule{"Tunnel::", "tunnels"},
    Rule{"Channel::", "reading and writing"},
    Rule{"Output::", "reading and writing"},
    Rule{"SocketTransport::", "reading and writing"},
    Rule{"SharedTransport::", "shared memory"},
    Rule{"SharedMemory::", "shared memory"},
    Rule{"EpollLoop::", "event loop"},
    Rule{"TimerWheel::", "event loop"},
    Rule{"Worker::", "event loop"},
};

// Returns the part of a stack: that of its innermost function in hone::mesh that fits a rule.
std::string_view part_of(std::string_view stack) {
  constexpr std::string_view kOurs = "hone::mesh::";
  while (!stack.empty()) {
    const std::size_t semicolon = stack.rfind(';');
    std::string_view function = semicolon == stack.npos ? stack : stack.substr(semicolon + 1);
    stack = semicolon == stack.npos ? std::string_view() : stack.substr(0, semicolon);
    // The type of a result may stand before the name, and be in hone::mesh too.
    const std::size_t bracket = function.find('(');
    const std::size_t at = function.substr(0, bracket).find(kOurs);
    if (at == function.npos) continue;
    function.remove_prefix(at + kOurs.size());
    for (const Rule& rule : kRules) {
      if (function.starts_with(rule.begin)) return rule.part;
    }
  }
  return "other";
}

}  // namespace

std::string cpu_parts(std::string_view folded) {
  std::map<std::string_view, std::uint64_t> parts;
  std::uint64_t total = 0;
  while (!folded.empty()) {
    const std::string_view line = take_until(folded, '\n');
    const std::size_t space = line.rfind(' ');
    const auto count = space == line.npos ? std::nullopt : number(line.substr(space + 1));
    if (!count) continue;
    parts[part_of(line.substr(0, space))] += *count;
    total += *count;
  }
  std::vector<std::pair<std::string_view, std::uint64_t>> rows(parts.begin(), parts.end());
  std::sort(rows.begin(), rows.end(), [](const auto& left, const auto& right) { return left.second > right.second; });
  std::string text;
  if (total == 0) text = "no CPU time was used\n";
  for (const auto& [part, count] : rows) {
    char line[80];
    const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(total);
    std::snprintf(line, sizeof line, "%5.1f %%  %.*s\n", percent, static_cast<int>(part.size()), part.data());
    text.append(line);
  }
  return text;
}

}  // namespace hone::mesh
