#include "config/match.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace hone::mesh::config {
namespace {

// Compiles an expression that has to match the whole text.
std::unique_ptr<const re2::RE2> read_regex(const Value& value) {
  const auto text = value.text();
  if (!text) return nullptr;
  re2::RE2::Options options;
  options.set_log_errors(false);
  // The memory that a compiled expression may take: 1 MiB, a thousand times as much as an ordinary one takes.
  options.set_max_mem(1 << 20);
  auto regex = std::make_unique<const re2::RE2>(*text, options);
  if (regex->ok()) return regex;
  value.fault("\"" + *text + "\" is no regular expression: " + regex->error(), "write it in RE2's syntax");
  return nullptr;
}

void read_path(const Section& section, PathMatch& path) {
  const auto exact = section.find("path");
  const auto prefix = section.find("prefix");
  const auto regex = section.find("regex");
  const int count = (exact ? 1 : 0) + (prefix ? 1 : 0) + (regex ? 1 : 0);
  if (count > 1) return section.value().fault("path, prefix and regex exclude each other", "leave one of them");
  path.text = "/";
  if (regex) {
    path.kind = PathMatch::Kind::kRegex;
    path.regex = read_regex(*regex);
  }
  const auto& plain = exact ? exact : prefix;
  if (!plain) return;
  path.kind = exact ? PathMatch::Kind::kExact : PathMatch::Kind::kPrefix;
  path.text = plain->text().value_or("/");
  const bool is_any = exact && path.text == "*";
  if (!is_any && (!path.text.starts_with('/') || path.text.find_first_of("?# ") != path.text.npos)) {
    plain->fault("\"" + path.text + "\" is no path", "begin with a slash, without a query");
  }
}

// Reads one of exact, prefix, suffix and regex; where there is none of them, any text matches.
TextMatch read_text_of(const Section& section) {
  TextMatch match;
  int count = 0;
  const auto plain = [&](std::string_view key, TextMatch::Kind kind) {
    if (const auto found = section.find(key)) {
      ++count;
      match.kind = kind;
      match.text = found->text().value_or("");
    }
  };
  plain("exact", TextMatch::Kind::kExact);
  plain("prefix", TextMatch::Kind::kPrefix);
  plain("suffix", TextMatch::Kind::kSuffix);
  if (const auto found = section.find("regex")) {
    ++count;
    match.kind = TextMatch::Kind::kRegex;
    match.regex = read_regex(*found);
  }
  if (count > 1) section.value().fault("exact, prefix, suffix and regex exclude each other", "leave one of them");
  return match;
}

FieldMatch read_field(const Value& value, bool is_header) {
  FieldMatch field;
  const Section section(value, {"name", "exact", "prefix", "suffix", "regex", "absent"});
  if (const auto name = section.need("name", "write name: and that of the field")) {
    field.name = name->text().value_or("");
    if (is_header) std::transform(field.name.begin(), field.name.end(), field.name.begin(), lower);
    if (field.name == "host") name->fault("host is not matched here", "write hosts: with names:");
  }
  field.value = read_text_of(section);
  section.set("absent", field.is_inverted, kTruth);
  return field;
}

}  // namespace

TextMatch read_text_match(const Value& value) {
  if (value.is_map()) return read_text_of(Section(value, {"exact", "prefix", "suffix", "regex"}));
  return {TextMatch::Kind::kExact, value.text().value_or(""), nullptr};
}

RequestMatch read_match(const Section& route) {
  RequestMatch match;
  match.path.text = "/";
  const auto found = route.find("match");
  if (!found) return match;
  const Section section(*found, {"path", "prefix", "regex", "methods", "headers", "query"});
  read_path(section, match.path);
  if (const auto methods = section.find("methods")) {
    for (const Value& one : methods->list()) match.methods.push_back(one.text().value_or(""));
  }
  if (const auto headers = section.find("headers")) {
    for (const Value& one : headers->list()) match.headers.push_back(read_field(one, true));
  }
  if (const auto query = section.find("query")) {
    for (const Value& one : query->list()) match.query.push_back(read_field(one, false));
  }
  return match;
}

}  // namespace hone::mesh::config
