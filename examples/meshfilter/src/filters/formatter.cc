#include "filters/formatter.h"

#include <optional>
#include <utility>

#include "core/text.h"

namespace mesh {

namespace {

class Literal : public Fragment {
 public:
  explicit Literal(std::string text) : text_(std::move(text)) {}
  void append(const FormatInput&, std::string& out) const override { out.append(text_); }

 private:
  const std::string text_;
};

void appendOrDash(std::string_view text, std::string& out) {
  if (text.empty()) {
    out.push_back('-');
  } else {
    out.append(text);
  }
}

class RequestHeader : public Fragment {
 public:
  RequestHeader(std::string_view name, size_t bytesMax)
      : id_(headerIdOf(name)), name_(name), bytesMax_(bytesMax) {}

  void append(const FormatInput& input, std::string& out) const override {
    appendValue(input.request, out);
  }

 protected:
  void appendValue(const HeaderMap& headers, std::string& out) const {
    const std::optional<std::string_view> value =
        id_ == HeaderId::kOther ? headers.get(std::string_view(name_)) : headers.get(id_);
    appendOrDash(value.value_or(std::string_view()).substr(0, bytesMax_), out);
  }

 private:
  const HeaderId id_;
  const std::string name_;
  const size_t bytesMax_;
};

class ResponseHeader : public RequestHeader {
 public:
  using RequestHeader::RequestHeader;
  void append(const FormatInput& input, std::string& out) const override {
    if (input.response == nullptr) {
      out.push_back('-');
    } else {
      appendValue(*input.response, out);
    }
  }
};

class TextField : public Fragment {
 public:
  using Getter = std::string_view (*)(const StreamInfo&);
  explicit TextField(Getter getter) : getter_(getter) {}
  void append(const FormatInput& input, std::string& out) const override {
    appendOrDash(getter_(input.info), out);
  }

 private:
  const Getter getter_;
};

class NumberField : public Fragment {
 public:
  using Getter = uint64_t (*)(const StreamInfo&);
  explicit NumberField(Getter getter) : getter_(getter) {}
  void append(const FormatInput& input, std::string& out) const override {
    appendDecimal(out, getter_(input.info));
  }

 private:
  const Getter getter_;
};

/// The start as 2026-01-31T12:34:56.789Z.
class StartTime : public Fragment {
 public:
  void append(const FormatInput& input, std::string& out) const override {
    const uint64_t us = input.info.startUs;
    const uint64_t seconds = us / 1'000'000;
    appendDate(seconds / 86'400, out);
    out.push_back('T');
    appendPadded(out, seconds / 3600 % 24, 2);
    out.push_back(':');
    appendPadded(out, seconds / 60 % 60, 2);
    out.push_back(':');
    appendPadded(out, seconds % 60, 2);
    out.push_back('.');
    appendPadded(out, us / 1000 % 1000, 3);
    out.push_back('Z');
  }

 private:
  /// Days since 1970 to a date of the Gregorian calendar, by counting in years from March on.
  static void appendDate(uint64_t days, std::string& out) {
    const uint64_t z = days + 719'468;
    const uint64_t era = z / 146'097;
    const uint64_t dayOfEra = z % 146'097;
    const uint64_t yearOfEra =
        (dayOfEra - dayOfEra / 1460 + dayOfEra / 36'524 - dayOfEra / 146'096) / 365;
    const uint64_t dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    const uint64_t marchMonth = (5 * dayOfYear + 2) / 153;
    const uint64_t month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
    appendPadded(out, yearOfEra + era * 400 + (month <= 2 ? 1 : 0), 4);
    out.push_back('-');
    appendPadded(out, month, 2);
    out.push_back('-');
    appendPadded(out, dayOfYear - (153 * marchMonth + 2) / 5 + 1, 2);
  }
};

/// Escapes what another fragment appended.
class JsonEscaped : public Fragment {
 public:
  explicit JsonEscaped(std::unique_ptr<Fragment> inner) : inner_(std::move(inner)) {}

  void append(const FormatInput& input, std::string& out) const override {
    const size_t begin = out.size();
    inner_->append(input, out);
    for (size_t i = begin; i < out.size(); ++i) {
      if (!needsEscape(out[i])) continue;
      const std::string raw = out.substr(i);
      out.resize(i);
      for (const char c : raw) appendEscaped(c, out);
      return;
    }
  }

 private:
  static bool needsEscape(char c) {
    return static_cast<uint8_t>(c) < 0x20 || c == '"' || c == '\\' || c == 0x7f;
  }

  static void appendEscaped(char c, std::string& out) {
    if (!needsEscape(c)) {
      out.push_back(c);
    } else if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else {
      out.append("\\u");
      appendHex(out, static_cast<uint8_t>(c), 4);
    }
  }

  const std::unique_ptr<Fragment> inner_;
};

struct NamedText {
  std::string_view name;
  TextField::Getter getter;
};

struct NamedNumber {
  std::string_view name;
  NumberField::Getter getter;
};

constexpr NamedText kTextFields[] = {
    {"REMOTE", [](const StreamInfo& i) { return i.remoteAddress; }},
    {"PATH", [](const StreamInfo& i) { return std::string_view(i.originalPath); }},
    {"SUBJECT", [](const StreamInfo& i) { return std::string_view(i.subject); }},
    {"ROUTE", [](const StreamInfo& i) { return i.route; }},
    {"CLUSTER", [](const StreamInfo& i) { return i.cluster; }},
    {"ENDPOINT", [](const StreamInfo& i) { return i.endpoint; }},
    {"DETAIL", [](const StreamInfo& i) { return i.detail; }},
    {"PROTOCOL",
     [](const StreamInfo& i) {
       return std::string_view(i.minorVersion == 0 ? "HTTP/1.0" : "HTTP/1.1");
     }},
};

constexpr NamedNumber kNumberFields[] = {
    {"STATUS", [](const StreamInfo& i) { return uint64_t{i.status}; }},
    {"STATUS_CLASS", [](const StreamInfo& i) { return uint64_t{i.status / 100}; }},
    {"BYTES_IN", [](const StreamInfo& i) { return i.requestBodyBytes; }},
    {"BYTES_OUT", [](const StreamInfo& i) { return i.responseBodyBytes; }},
    {"START_US", [](const StreamInfo& i) { return i.startUs; }},
    {"DURATION_US", [](const StreamInfo& i) { return i.durationUs; }},
    {"STREAM_ID", [](const StreamInfo& i) { return i.streamId; }},
};

std::unique_ptr<Fragment> makeHeaderFragment(std::string_view command, const Directive& directive) {
  const size_t open = command.find('(');
  const size_t close = command.find(')');
  const std::string_view kind = command.substr(0, open);
  if (open == std::string_view::npos || close == std::string_view::npos || close <= open + 1 ||
      (kind != "REQ" && kind != "RESP")) {
    directive.fail("unknown format command %" + std::string(command) + "%");
  }
  size_t bytesMax = std::string_view::npos;
  const std::string_view rest = command.substr(close + 1);
  if (!rest.empty()) {
    const std::optional<uint64_t> limit = parseDecimal(rest.substr(1));
    if (rest[0] != ':' || !limit) directive.fail("bad limit in %" + std::string(command) + "%");
    bytesMax = static_cast<size_t>(*limit);
  }
  std::string name(command.substr(open + 1, close - open - 1));
  for (char& c : name) c = lowerAscii(c);
  if (kind == "REQ") return std::make_unique<RequestHeader>(name, bytesMax);
  return std::make_unique<ResponseHeader>(name, bytesMax);
}

std::unique_ptr<Fragment> makeCommand(std::string_view command, const Directive& directive) {
  if (command == "METHOD") return std::make_unique<RequestHeader>(":method", std::string::npos);
  if (command == "AUTHORITY") {
    return std::make_unique<RequestHeader>(":authority", std::string::npos);
  }
  if (command == "START_TIME") return std::make_unique<StartTime>();
  for (const NamedText& field : kTextFields) {
    if (field.name == command) return std::make_unique<TextField>(field.getter);
  }
  for (const NamedNumber& field : kNumberFields) {
    if (field.name == command) return std::make_unique<NumberField>(field.getter);
  }
  return makeHeaderFragment(command, directive);
}

}  // namespace

Format::Format(std::string_view text, Escape escape, const Directive& directive) {
  std::string literal;
  while (!text.empty()) {
    const size_t mark = text.find('%');
    literal.append(text.substr(0, mark));
    if (mark == std::string_view::npos) break;
    text.remove_prefix(mark + 1);
    const size_t end = text.find('%');
    if (end == std::string_view::npos) directive.fail("a '%' in the format has no partner");
    const std::string_view command = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (command.empty()) {
      literal.push_back('%');
      continue;
    }
    if (!literal.empty()) fragments_.push_back(std::make_unique<Literal>(std::move(literal)));
    literal.clear();
    std::unique_ptr<Fragment> fragment = makeCommand(command, directive);
    if (escape == Escape::kJson) fragment = std::make_unique<JsonEscaped>(std::move(fragment));
    fragments_.push_back(std::move(fragment));
  }
  if (!literal.empty()) fragments_.push_back(std::make_unique<Literal>(std::move(literal)));
}

}  // namespace mesh
