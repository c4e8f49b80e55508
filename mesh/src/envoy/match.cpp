// Conditions on requests, for routes and for rules.
#include "base/text.hpp"
#include "envoy/parts.hpp"

namespace hone::mesh::envoy {
namespace {

std::optional<std::string> regex_of(Fields matcher) {
  matcher.pass_over({"google_re2"});
  return matcher.text("regex");
}

// Returns the methods that a condition is true for: one, or several with bars between them.
std::optional<std::vector<std::string>> methods_of(Fields& matcher) {
  std::string words;
  if (auto exact = matcher.text("exact")) {
    words = *exact;
  } else if (auto regex = matcher.message("safe_regex")) {
    words = regex_of(*std::move(regex)).value_or("");
  }
  // After a last bar there would be an empty method.
  if (words.ends_with('|')) return std::nullopt;
  std::vector<std::string> methods;
  std::string_view rest = words;
  do {
    methods.emplace_back(take_until(rest, '|'));
    if (!is_token(methods.back())) return std::nullopt;
  } while (!rest.empty());
  return methods;
}

void put_method(Fields& header, YAML::Node match) {
  auto matcher = header.message("string_match");
  auto methods = matcher ? methods_of(*matcher) : std::nullopt;
  if (!methods || header.truth("invert_match").value_or(false)) {
    if (matcher) matcher->pass_over_all();
    return header.refuse("", "a method is matched by exact, or by words with bars between them");
  }
  for (const std::string& method : *methods) match["methods"].push_back(method);
}

// Reads the fields that conditions on headers had before string_match. Returns false where none of them is set.
bool put_old_words(Fields& header, YAML::Node field) {
  for (const auto& [old, key] :
       {std::pair{"exact_match", "exact"}, {"prefix_match", "prefix"}, {"suffix_match", "suffix"}}) {
    if (const auto found = header.text(old)) {
      field[key] = *found;
      return true;
    }
  }
  if (const auto contained = header.text("contains_match")) {
    field["regex"] = ".*" + literal(*contained) + ".*";
    return true;
  }
  if (auto regex = header.message("safe_regex_match")) {
    field["regex"] = regex_of(*std::move(regex)).value_or("");
    return true;
  }
  return false;
}

YAML::Node query_of(Fields parameter) {
  YAML::Node field(YAML::NodeType::Map);
  field["name"] = parameter.text("name").value_or("");
  auto matcher = parameter.message("string_match");
  if (matcher) put_text(*std::move(matcher), field);
  if (!parameter.truth("present_match").value_or(true)) field["absent"] = "true";
  return field;
}

// A prefix of Envoy's may end anywhere in a path; one of hone-mesh's ends where a part of the path ends.
void put_prefix(const std::string& prefix, YAML::Node match) {
  if (prefix == "/" || prefix.empty()) return;
  match["regex"] = literal(prefix) + ".*";
}

}  // namespace

bool put_text(Fields matcher, YAML::Node into) {
  if (matcher.truth("ignore_case").value_or(false)) {
    matcher.refuse("ignore_case", "case is never ignored: write safe_regex with (?i)");
    matcher.pass_over_all();
    return false;
  }
  for (const char* const key : {"exact", "prefix", "suffix"}) {
    if (const auto found = matcher.text(key)) into[key] = *found;
  }
  if (const auto contained = matcher.text("contains")) into["regex"] = ".*" + literal(*contained) + ".*";
  if (auto regex = matcher.message("safe_regex")) into["regex"] = regex_of(*std::move(regex)).value_or("");
  return true;
}

void put_path(Fields matcher, YAML::Node match) {
  YAML::Node text(YAML::NodeType::Map);
  if (!put_text(std::move(matcher), text)) return;
  if (text["exact"]) match["path"] = text["exact"].Scalar();
  if (text["prefix"]) put_prefix(text["prefix"].Scalar(), match);
  if (text["suffix"]) match["regex"] = ".*" + literal(text["suffix"].Scalar());
  if (text["regex"]) match["regex"] = text["regex"].Scalar();
}

std::optional<std::string> identity_in(Fields& matcher) {
  const auto exact = matcher.text("exact");
  const auto prefix = matcher.text("prefix");
  // In hone-mesh, the star would match all identities that begin with the text, which are more.
  if (exact && exact->ends_with('*')) return std::nullopt;
  if (exact) return exact;
  return prefix ? std::optional(*prefix + "*") : std::nullopt;
}

void put_headers(std::vector<Fields> headers, YAML::Node match) {
  for (Fields& header : headers) {
    const std::string name = header.text("name").value_or("");
    if (name == ":method") {
      put_method(header, match);
      continue;
    }
    if (name.starts_with(':')) {
      header.refuse("name", name + " is not matched here: hosts are by domains, and paths by the route's match");
      header.pass_over_all();
      continue;
    }
    YAML::Node field(YAML::NodeType::Map);
    field["name"] = name;
    bool is_inverted = header.truth("invert_match").value_or(false);
    if (auto matcher = header.message("string_match")) {
      if (!put_text(*std::move(matcher), field)) continue;
    } else if (!put_old_words(header, field)) {
      is_inverted ^= !header.truth("present_match").value_or(true);
    }
    if (is_inverted) field["absent"] = "true";
    match["headers"].push_back(field);
  }
}

YAML::Node match_of(Fields match) {
  YAML::Node found(YAML::NodeType::Map);
  if (const auto path = match.text("path")) found["path"] = *path;
  if (const auto prefix = match.text("path_separated_prefix")) found["prefix"] = *prefix;
  if (const auto prefix = match.text("prefix")) put_prefix(*prefix, found);
  if (auto regex = match.message("safe_regex")) found["regex"] = regex_of(*std::move(regex)).value_or("");
  if (!match.truth("case_sensitive").value_or(true)) match.refuse("case_sensitive", "paths are told apart by case");
  put_headers(match.list("headers"), found);
  for (Fields& parameter : match.list("query_parameters")) found["query"].push_back(query_of(std::move(parameter)));
  if (auto calls = match.message("grpc")) {
    YAML::Node field(YAML::NodeType::Map);
    field["name"] = "content-type";
    field["prefix"] = "application/grpc";
    found["headers"].push_back(field);
  }
  return found;
}

}  // namespace hone::mesh::envoy
