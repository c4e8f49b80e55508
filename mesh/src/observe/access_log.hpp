// The access log: one line for each request, gathered by each worker and written by the main thread, so that a slow
// disk or a full pipe never holds up a request.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "observe/gathered.hpp"

namespace hone::mesh {

// Flag is a fault of a request, or something done to it, with Envoy's letters for it.
enum class Flag : std::uint32_t {
  kClientGone = 1 << 0,         // DC
  kClientProtocol = 1 << 1,     // DPE
  kClientStalled = 1 << 2,      // SI
  kNoRoute = 1 << 3,            // NR
  kNoEndpoint = 1 << 4,         // UH
  kConnectFailure = 1 << 5,     // UF
  kUpstreamClosed = 1 << 6,     // UC
  kUpstreamProtocol = 1 << 7,   // UPE
  kUpstreamTimeout = 1 << 8,    // UT
  kOverflow = 1 << 9,           // UO
  kRetriesExhausted = 1 << 10,  // URX
  kRateLimited = 1 << 11,       // RL
  kFaultDelay = 1 << 12,        // DI
  kFaultAbort = 1 << 13,        // FI
  kNoCluster = 1 << 14,         // NC
  kOverload = 1 << 15,          // OM
};

// Flags is a set of flags.
class Flags {
 public:
  void add(Flag flag) { bits_ |= static_cast<std::uint32_t>(flag); }
  // Appends the letters with commas, "-" where there are none.
  void append_to(std::string& text) const;

 private:
  std::uint32_t bits_ = 0;
};

// LogRecord holds the contents of a line. Texts that are not known are empty.
struct LogRecord {
  std::string_view method = {};
  std::string_view path = {};
  std::string_view protocol = {};
  std::string_view authority = {};
  std::string_view peer = {};
  // The identity of the client by its certificate. In JSON alone.
  std::string_view identity = {};
  std::string_view forwarded_for = {};
  std::string_view user_agent = {};
  std::string_view request_id = {};
  // The id of the trace that the request belongs to: 32 digits. In JSON alone.
  std::string_view trace_id = {};
  std::string_view cluster = {};
  std::string_view endpoint = {};
  // The refused part of the request, such as "content-length", or the rule that refused the request.
  std::string_view detail = {};
  // The status of the response; zero where the client got none.
  int status = 0;
  Flags flags = {};
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint32_t tries = 0;
  Duration took{};
};

enum class LogFormat : std::uint8_t { kText, kJson };

// Appends one line. The time is that of the wall clock when the request began.
void append_line(std::string& text, LogFormat format, const LogRecord& record,
                 std::chrono::system_clock::time_point began);

// LogWriter gathers the lines of one worker.
class LogWriter {
 public:
  // `full` is called in the worker's thread when a buffer was handed over.
  LogWriter(Loop& loop, Counter& lost, Delegate<void()> full) : gathered_(loop, lost, full) {}

  void set_format(LogFormat format) { format_ = format; }
  void write(const LogRecord& record);
  // Hands over the lines gathered so far.
  void flush() { gathered_.flush(); }
  TextRing& ring() { return gathered_.ring(); }

 private:
  LogFormat format_ = LogFormat::kText;
  Gathered gathered_;
};

}  // namespace hone::mesh
