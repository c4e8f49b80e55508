#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mesh {

/// Headers that the proxy itself looks at. Each has a slot of its own in a header map; all others
/// are found by name.
enum class HeaderId : uint8_t {
  kMethod,
  kPath,
  kAuthority,
  kStatus,
  kAccept,
  kAcceptEncoding,
  kAcceptLanguage,
  kAllowOrigin,
  kApiKey,
  kAuthorization,
  kCacheControl,
  kConnection,
  kContentLength,
  kContentType,
  kCookie,
  kDate,
  kEtag,
  kForwardedFor,
  kForwardedProto,
  kIfNoneMatch,
  kLocation,
  kOrigin,
  kReferer,
  kRequestId,
  kRetryAfter,
  kServer,
  kSetCookie,
  kTraceParent,
  kTransferEncoding,
  kUserAgent,
  kVary,
  kVia,
  kWwwAuthenticate,
  kOther,
};

inline constexpr size_t kKnownHeaders = static_cast<size_t>(HeaderId::kOther);

std::string_view headerName(HeaderId id);

/// Finds the id of a lower-case name; `host` is the authority. kOther for all unknown names.
HeaderId headerIdOf(std::string_view lowerCaseName);

/// True for names that begin with ':' and never go onto an HTTP/1 wire as a header line.
constexpr bool isPseudoHeader(HeaderId id) {
  return id <= HeaderId::kStatus;
}

}  // namespace mesh
