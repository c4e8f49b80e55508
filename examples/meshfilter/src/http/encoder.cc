#include "http/encoder.h"

#include "core/text.h"

namespace mesh {

namespace {

class LineWriter : public HeaderVisitor {
 public:
  explicit LineWriter(std::string& out) : out_(out) {}

  bool onHeader(std::string_view name, std::string_view value) override {
    if (name[0] == ':') return true;
    out_.append(name).append(": ").append(value).append("\r\n");
    return true;
  }

 private:
  std::string& out_;
};

}  // namespace

std::string_view reasonPhrase(unsigned status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 204:
      return "No Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 413:
      return "Content Too Large";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    default:
      return "Status";
  }
}

void encodeRequestHead(const HeaderMap& headers, std::string& out) {
  out.append(headers.get(HeaderId::kMethod).value_or("GET")).push_back(' ');
  out.append(headers.get(HeaderId::kPath).value_or("/")).append(" HTTP/1.1\r\nhost: ");
  out.append(headers.get(HeaderId::kAuthority).value_or("")).append("\r\n");
  LineWriter writer(out);
  headers.visit(writer);
  out.append("\r\n");
}

void encodeResponseHead(unsigned status, const HeaderMap& headers, std::string& out) {
  out.append("HTTP/1.1 ");
  appendDecimal(out, status);
  out.append(" ").append(reasonPhrase(status)).append("\r\n");
  LineWriter writer(out);
  headers.visit(writer);
  out.append("\r\n");
}

}  // namespace mesh
