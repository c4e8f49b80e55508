#include "http/uri.h"

#include "core/text.h"

namespace mesh {

namespace {

bool isUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

/// Undoes needless percent-encoding; false on malformed or dangerous triplets.
bool decodeUnreserved(std::string_view path, std::string& out) {
  for (size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (c != '%') {
      out.push_back(c);
      continue;
    }
    if (i + 2 >= path.size()) return false;
    const int high = hexDigit(path[i + 1]);
    const int low = hexDigit(path[i + 2]);
    if (high < 0 || low < 0) return false;
    const char decoded = static_cast<char>(high * 16 + low);
    if (decoded == '/' || decoded == '\\' || decoded == '\0') return false;
    if (isUnreserved(decoded)) {
      out.push_back(decoded);
    } else {
      out.push_back('%');
      out.push_back("0123456789ABCDEF"[high]);
      out.push_back("0123456789ABCDEF"[low]);
    }
    i += 2;
  }
  return true;
}

}  // namespace

SplitTarget splitTarget(std::string_view target) {
  target = target.substr(0, target.find('#'));
  const size_t mark = target.find('?');
  if (mark == std::string_view::npos) return {target, {}};
  return {target.substr(0, mark), target.substr(mark + 1)};
}

bool isNormalPath(std::string_view path) {
  if (path.empty() || path[0] != '/') return false;
  for (size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (c == '%' || c == '\\') return false;
    if (c == '/' && i + 1 < path.size() && (path[i + 1] == '/' || path[i + 1] == '.')) return false;
  }
  return true;
}

std::optional<std::string> normalisePath(std::string_view path) {
  if (path.empty() || path[0] != '/') return std::nullopt;
  std::string decoded;
  decoded.reserve(path.size());
  if (!decodeUnreserved(path, decoded)) return std::nullopt;
  std::string out;
  out.reserve(decoded.size());
  std::string_view rest = std::string_view(decoded).substr(1);
  bool endsOpen = true;  // the path ends in a slash or a dot segment
  while (!rest.empty()) {
    const bool last = rest.find('/') == std::string_view::npos;
    const std::string_view segment = cutToken(rest, '/');
    if (segment.find('\\') != std::string_view::npos) return std::nullopt;
    endsOpen = !last || segment == "." || segment == "..";
    if (segment.empty() || segment == ".") continue;
    if (segment == "..") {
      if (out.empty()) return std::nullopt;
      out.resize(out.rfind('/'));
      continue;
    }
    out.push_back('/');
    out.append(segment);
  }
  if (endsOpen || out.empty()) out.push_back('/');
  return out;
}

std::optional<std::string_view> queryParameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    std::string_view pair = cutToken(query, '&');
    if (cutToken(pair, '=') == name) return pair;
  }
  return std::nullopt;
}

}  // namespace mesh
