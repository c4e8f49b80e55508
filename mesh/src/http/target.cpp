#include "http/target.hpp"

#include <algorithm>
#include <cstring>

#include "base/hex.hpp"
#include "base/text.hpp"

namespace hone::mesh {
namespace {

// True if each percent sign has its two digits, and none of these codes stands for a zero byte.
bool is_encoded_well(std::string_view path) {
  for (std::size_t at = path.find('%'); at != path.npos; at = path.find('%', at + 1)) {
    if (at + 2 >= path.size() || !hex_digit(path[at + 1]) || !hex_digit(path[at + 2])) return false;
    if (path[at + 1] == '0' && path[at + 2] == '0') return false;
  }
  return true;
}

// Takes one dot, encoded or not, off the front. Returns false where there is none.
bool take_dot(std::string_view& text) {
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    return true;
  }
  if (text.size() >= 3 && text[0] == '%' && text[1] == '2' && lower(text[2]) == 'e') {
    text.remove_prefix(3);
    return true;
  }
  return false;
}

// Returns 1 for the segment ".", 2 for "..", and 0 for all others.
int dots_of(std::string_view segment) {
  if (!take_dot(segment)) return 0;
  if (segment.empty()) return 1;
  return take_dot(segment) && segment.empty() ? 2 : 0;
}

bool has_dots(std::string_view path) {
  std::string_view rest = path.substr(1);
  if (rest.find('.') == rest.npos && rest.find('%') == rest.npos) return false;
  bool found = false;
  while (!rest.empty()) found |= dots_of(take_until(rest, '/')) != 0;
  return found;
}

// Removes segments of dots as RFC 3986, section 5.2.4, says. Nothing lies above the root.
std::string_view without_dots(std::string_view path, std::string_view query, Arena& arena) {
  char* const begin = arena.array<char>(path.size() + query.size() + 2);
  char* end = begin;
  std::string_view rest = path.substr(1);
  bool is_open = true;
  while (is_open) {
    is_open = rest.find('/') != rest.npos;
    const std::string_view segment = take_until(rest, '/');
    const int dots = dots_of(segment);
    if (dots == 2) {
      while (end != begin && *--end != '/') {
      }
    }
    if (dots == 0) {
      *end++ = '/';
      end = std::copy(segment.begin(), segment.end(), end);
    } else if (!is_open) {
      *end++ = '/';
    }
  }
  end = std::copy(query.begin(), query.end(), end);
  return {begin, static_cast<std::size_t>(end - begin)};
}

bool is_of_host(char c) {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || std::strchr("-._~!$&'()*+,;=%", c) != nullptr;
}

}  // namespace

bool is_authority(std::string_view text) {
  if (text.empty() || text.find('\0') != text.npos) return false;
  const std::string_view host = host_of(text);
  const std::string_view port = text.substr(host.size());
  if (!port.empty() && (port.front() != ':' || (port.size() > 1 && number(port.substr(1)).value_or(65536) > 65535))) {
    return false;
  }
  if (host.starts_with('[')) {
    const std::string_view inner = host.substr(1, host.size() - 2);
    return host.ends_with(']') && !inner.empty() &&
           std::all_of(inner.begin(), inner.end(), [](char c) { return hex_digit(c) || c == ':' || c == '.'; });
  }
  return !host.empty() && std::all_of(host.begin(), host.end(), is_of_host);
}

std::string_view host_of(std::string_view authority) {
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    return end == authority.npos ? authority : authority.substr(0, end + 1);
  }
  return authority.substr(0, authority.find(':'));
}

std::optional<Target> parse_target(std::string_view text, std::string_view method, Arena& arena) {
  // Spaces, controls and bytes beyond ASCII are in no URI, and a fragment never goes to a server.
  const bool is_clean = std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f && c != '#'; });
  if (text.empty() || !is_clean) return std::nullopt;
  Target target;
  if (text == "*") {
    if (method != "OPTIONS") return std::nullopt;
    target.path = text;
    return target;
  }
  if (text.front() != '/') {
    const std::size_t end = text.find("://");
    if (end == text.npos) return std::nullopt;
    const std::string_view scheme = text.substr(0, end);
    if (!equal_ignoring_case(scheme, "http") && !equal_ignoring_case(scheme, "https")) return std::nullopt;
    text.remove_prefix(end + 3);
    const std::size_t path = std::min(text.find_first_of("/?"), text.size());
    target.scheme = scheme;
    target.authority = text.substr(0, path);
    if (!is_authority(target.authority)) return std::nullopt;
    text.remove_prefix(path);
    if (text.empty()) {
      text = "/";
    } else if (text.front() == '?') {
      text = arena.join("/", text);
    }
  }
  const std::string_view path = path_of(text);
  // Some servers take a backslash for a slash.
  if (!is_encoded_well(path) || path.find('\\') != path.npos) return std::nullopt;
  target.path = has_dots(path) ? without_dots(path, text.substr(path.size()), arena) : text;
  return target;
}

std::string_view decoded_path(std::string_view path_and_query, Arena& arena) {
  const std::string_view path = path_of(path_and_query);
  const std::string_view query = path_and_query.substr(path.size());
  if (path.find_first_of("%;") == path.npos && path.find("//") == path.npos) return path_and_query;
  char* const begin = arena.array<char>(path_and_query.size());
  char* end = begin;
  for (std::size_t at = 0; at < path.size(); ++at) {
    if (path[at] == ';') {
      at = std::min(path.find('/', at), path.size());
      if (at == path.size()) break;
    }
    char c = path[at];
    if (c == '%') {
      c = static_cast<char>(*hex_digit(path[at + 1]) << 4 | *hex_digit(path[at + 2]));
      at += 2;
    }
    if (c == '\\') c = '/';
    if (c != '/' || end == begin || end[-1] != '/') *end++ = c;
  }
  const std::string_view decoded(begin, static_cast<std::size_t>(end - begin));
  if (has_dots(decoded)) return without_dots(decoded, query, arena);
  end = std::copy(query.begin(), query.end(), end);
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace hone::mesh
