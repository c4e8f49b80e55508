#include "observe/access_log.hpp"

#include <array>
#include <ctime>
#include <utility>

#include "base/escape.hpp"
#include "base/text.hpp"

namespace hone::mesh {
namespace {

constexpr std::array<std::pair<Flag, std::string_view>, 16> kLetters = {{
    {Flag::kClientGone, "DC"},
    {Flag::kClientProtocol, "DPE"},
    {Flag::kClientStalled, "SI"},
    {Flag::kNoRoute, "NR"},
    {Flag::kNoEndpoint, "UH"},
    {Flag::kConnectFailure, "UF"},
    {Flag::kUpstreamClosed, "UC"},
    {Flag::kUpstreamProtocol, "UPE"},
    {Flag::kUpstreamTimeout, "UT"},
    {Flag::kOverflow, "UO"},
    {Flag::kRetriesExhausted, "URX"},
    {Flag::kRateLimited, "RL"},
    {Flag::kFaultDelay, "DI"},
    {Flag::kFaultAbort, "FI"},
    {Flag::kNoCluster, "NC"},
    {Flag::kOverload, "OM"},
}};

void append_quoted(std::string& to, std::string_view text) {
  to.push_back('"');
  append_escaped(to, text.empty() ? "-" : text);
  to.push_back('"');
}

void append_time(std::string& to, std::chrono::system_clock::time_point time) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  const std::time_t seconds = ms / 1000;
  // Most lines are of the same second as the one before.
  thread_local std::time_t shown = -1;
  thread_local char text[24];
  if (seconds != shown) {
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    shown = seconds;
  }
  const auto rest = static_cast<int>(ms % 1000);
  const char digits[] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                         static_cast<char>('0' + rest % 10), 'Z'};
  to.append(text).append(digits, sizeof digits);
}

std::uint64_t milliseconds(Duration took) {
  return static_cast<std::uint64_t>(took.count() / 1'000'000);
}

void append_text(std::string& to, const LogRecord& record) {
  to.append(" \"").append(record.method.empty() ? "-" : record.method).append(" ");
  append_escaped(to, record.path.empty() ? "-" : record.path);
  to.append(" ").append(record.protocol).append("\" ").append(Digits(static_cast<std::uint64_t>(record.status)));
  to.append(" ");
  record.flags.append_to(to);
  for (const std::uint64_t number : {record.bytes_in, record.bytes_out, milliseconds(record.took)}) {
    to.append(" ").append(Digits(number));
  }
  const std::string_view from = record.forwarded_for.empty() ? record.peer : record.forwarded_for;
  for (const std::string_view text :
       {from, record.user_agent, record.request_id, record.authority, record.cluster, record.endpoint, record.detail}) {
    to.push_back(' ');
    append_quoted(to, text);
  }
}

void append_json(std::string& to, const LogRecord& record) {
  const auto text = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    to.append(",\"").append(name).append("\":\"");
    append_escaped(to, value);
    to.push_back('"');
  };
  const auto number = [&](std::string_view name, std::uint64_t value) {
    to.append(",\"").append(name).append("\":").append(Digits(value));
  };
  text("method", record.method);
  text("path", record.path);
  text("protocol", record.protocol);
  number("status", static_cast<std::uint64_t>(record.status));
  to.append(",\"flags\":\"");
  record.flags.append_to(to);
  to.push_back('"');
  number("bytes_in", record.bytes_in);
  number("bytes_out", record.bytes_out);
  number("ms", milliseconds(record.took));
  number("tries", record.tries);
  text("peer", record.peer);
  text("identity", record.identity);
  text("forwarded_for", record.forwarded_for);
  text("user_agent", record.user_agent);
  text("request_id", record.request_id);
  text("trace_id", record.trace_id);
  text("authority", record.authority);
  text("cluster", record.cluster);
  text("endpoint", record.endpoint);
  text("detail", record.detail);
}

}  // namespace

void Flags::append_to(std::string& text) const {
  if (bits_ == 0) return text.push_back('-');
  bool is_first = true;
  for (const auto& [flag, letters] : kLetters) {
    if ((bits_ & static_cast<std::uint32_t>(flag)) == 0) continue;
    if (!std::exchange(is_first, false)) text.push_back(',');
    text.append(letters);
  }
}

void append_line(std::string& text, LogFormat format, const LogRecord& record,
                 std::chrono::system_clock::time_point began) {
  if (format == LogFormat::kText) {
    text.push_back('[');
    append_time(text, began);
    text.push_back(']');
    append_text(text, record);
    text.push_back('\n');
    return;
  }
  text.append("{\"time\":\"");
  append_time(text, began);
  text.push_back('"');
  append_json(text, record);
  text.append("}\n");
}

void LogWriter::write(const LogRecord& record) {
  append_line(gathered_.begin(), format_, record, wall_clock_before(record.took));
  gathered_.end();
}

}  // namespace hone::mesh
