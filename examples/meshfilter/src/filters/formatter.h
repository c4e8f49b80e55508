#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.h"
#include "filters/filter.h"

namespace mesh {

/// What a format can refer to. Without a response, response headers read as missing.
struct FormatInput {
  const StreamInfo& info;
  const HeaderMap& request;
  const HeaderMap* response;
};

/// One piece of a compiled format.
class Fragment {
 public:
  virtual ~Fragment() = default;
  virtual void append(const FormatInput& input, std::string& out) const = 0;
};

enum class Escape { kNone, kJson };

/// A format string, compiled to fragments. Commands stand between percent signs: %METHOD%, %PATH%,
/// %PROTOCOL%, %AUTHORITY%, %STATUS%, %STATUS_CLASS%, %BYTES_IN%, %BYTES_OUT%, %START_US%,
/// %START_TIME%, %DURATION_US%, %STREAM_ID%, %REMOTE%, %SUBJECT%, %ROUTE%, %CLUSTER%, %ENDPOINT%,
/// %DETAIL%, %REQ(name)%, %RESP(name)%; a header command takes a limit: %REQ(name):20%. `%%` is a
/// percent sign. What is missing reads as "-". With Escape::kJson, values (not the literal text)
/// are escaped for a JSON string.
class Format {
 public:
  /// Errors are reported as errors of `directive`.
  Format(std::string_view text, Escape escape, const Directive& directive);

  void append(const FormatInput& input, std::string& out) const {
    for (const auto& fragment : fragments_) fragment->append(input, out);
  }

 private:
  std::vector<std::unique_ptr<Fragment>> fragments_;
};

}  // namespace mesh
