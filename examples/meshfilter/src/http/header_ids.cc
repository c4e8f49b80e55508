#include "http/header_ids.h"

namespace mesh {

namespace {

constexpr std::string_view kNames[kKnownHeaders] = {
    ":method",
    ":path",
    ":authority",
    ":status",
    "accept",
    "accept-encoding",
    "accept-language",
    "access-control-allow-origin",
    "x-api-key",
    "authorization",
    "cache-control",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "date",
    "etag",
    "x-forwarded-for",
    "x-forwarded-proto",
    "if-none-match",
    "location",
    "origin",
    "referer",
    "x-request-id",
    "retry-after",
    "server",
    "set-cookie",
    "traceparent",
    "transfer-encoding",
    "user-agent",
    "vary",
    "via",
    "www-authenticate",
};

HeaderId ifNamed(std::string_view name, HeaderId id) {
  return name == kNames[static_cast<size_t>(id)] ? id : HeaderId::kOther;
}

HeaderId tenLetters(std::string_view name) {
  if (name[0] == 'u') return ifNamed(name, HeaderId::kUserAgent);
  if (name[0] == 'c') return ifNamed(name, HeaderId::kConnection);
  if (name[0] == ':') return ifNamed(name, HeaderId::kAuthority);
  return ifNamed(name, HeaderId::kSetCookie);
}

HeaderId fifteenLetters(std::string_view name) {
  if (name[0] == 'x') return ifNamed(name, HeaderId::kForwardedFor);
  return ifNamed(name, name[7] == 'e' ? HeaderId::kAcceptEncoding : HeaderId::kAcceptLanguage);
}

HeaderId shortName(std::string_view name) {
  switch (name.size()) {
    case 3:
      return ifNamed(name, HeaderId::kVia);
    case 4:
      if (name == "host") return HeaderId::kAuthority;
      if (name[0] == 'd') return ifNamed(name, HeaderId::kDate);
      return ifNamed(name, name[0] == 'e' ? HeaderId::kEtag : HeaderId::kVary);
    case 5:
      return ifNamed(name, HeaderId::kPath);
    case 6:
      if (name[0] == 'a') return ifNamed(name, HeaderId::kAccept);
      if (name[0] == 'c') return ifNamed(name, HeaderId::kCookie);
      return ifNamed(name, name[0] == 'o' ? HeaderId::kOrigin : HeaderId::kServer);
    case 7:
      if (name[0] == 'r') return ifNamed(name, HeaderId::kReferer);
      return ifNamed(name, name[1] == 'm' ? HeaderId::kMethod : HeaderId::kStatus);
    case 8:
      return ifNamed(name, HeaderId::kLocation);
    case 9:
      return ifNamed(name, HeaderId::kApiKey);
    default:
      return HeaderId::kOther;
  }
}

}  // namespace

std::string_view headerName(HeaderId id) {
  return id == HeaderId::kOther ? std::string_view() : kNames[static_cast<size_t>(id)];
}

HeaderId headerIdOf(std::string_view name) {
  switch (name.size()) {
    case 10:
      return tenLetters(name);
    case 11:
      return ifNamed(name, name[0] == 't' ? HeaderId::kTraceParent : HeaderId::kRetryAfter);
    case 12:
      return ifNamed(name, name[0] == 'c' ? HeaderId::kContentType : HeaderId::kRequestId);
    case 13:
      if (name[0] == 'a') return ifNamed(name, HeaderId::kAuthorization);
      return ifNamed(name, name[0] == 'c' ? HeaderId::kCacheControl : HeaderId::kIfNoneMatch);
    case 14:
      return ifNamed(name, HeaderId::kContentLength);
    case 15:
      return fifteenLetters(name);
    case 16:
      return ifNamed(name, HeaderId::kWwwAuthenticate);
    case 17:
      return ifNamed(name,
                     name[0] == 'x' ? HeaderId::kForwardedProto : HeaderId::kTransferEncoding);
    case 27:
      return ifNamed(name, HeaderId::kAllowOrigin);
    default:
      return shortName(name);
  }
}

}  // namespace mesh
