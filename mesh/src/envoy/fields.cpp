#include "envoy/fields.hpp"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace hone::mesh::envoy {
namespace {

using google::protobuf::FieldDescriptor;

// Returns the value of a field that holds a number or a truth, and is neither a list nor a message.
double number_of(const Message& message, const FieldDescriptor& field) {
  const auto& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.GetInt32(message, &field);
    case FieldDescriptor::CPPTYPE_INT64:
      return static_cast<double>(reflection.GetInt64(message, &field));
    case FieldDescriptor::CPPTYPE_UINT32:
      return reflection.GetUInt32(message, &field);
    case FieldDescriptor::CPPTYPE_UINT64:
      return static_cast<double>(reflection.GetUInt64(message, &field));
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection.GetDouble(message, &field);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return static_cast<double>(reflection.GetFloat(message, &field));
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.GetBool(message, &field) ? 1 : 0;
    default:
      throw std::logic_error(field.full_name() + " is no number");
  }
}

// Returns the number in a field, or in the message that wraps it, such as a UInt32Value.
double unwrapped(const Message& message, const FieldDescriptor& field) {
  if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return number_of(message, field);
  const Message& wrapper = message.GetReflection()->GetMessage(message, &field);
  return number_of(wrapper, *wrapper.GetDescriptor()->FindFieldByNumber(1));
}

// Returns the "@type" in the google.protobuf.Struct that stands in for a message of an unknown kind.
std::optional<std::string> type_of(const Message& unknown) {
  const auto part = [](const Message& of, int number) { return of.GetDescriptor()->FindFieldByNumber(number); };
  const auto& reflection = *unknown.GetReflection();
  const FieldDescriptor* const words = part(unknown, 1);
  for (int at = 0; at < reflection.FieldSize(unknown, words); ++at) {
    const Message& word = reflection.GetRepeatedMessage(unknown, words, at);
    if (word.GetReflection()->GetString(word, part(word, 1)) != "@type") continue;
    // The third of the fields that a Value may have is its text.
    const Message& value = word.GetReflection()->GetMessage(word, part(word, 2));
    return value.GetReflection()->GetString(value, part(value, 3));
  }
  return std::nullopt;
}

}  // namespace

Fields::Fields(Fields&& other) noexcept
    : holder_(std::move(other.holder_)),
      message_(std::exchange(other.message_, nullptr)),
      where_(std::move(other.where_)),
      findings_(other.findings_),
      taken_(std::move(other.taken_)) {}

Fields::~Fields() {
  if (message_ == nullptr) return;
  std::vector<const Field*> set;
  message_->GetReflection()->ListFields(*message_, &set);
  for (const Field* const field : set) {
    if (std::find(taken_.begin(), taken_.end(), field) == taken_.end()) refuse(field->name(), "is not supported");
  }
}

const std::string& Fields::kind() const {
  return message_->GetDescriptor()->full_name();
}

std::string Fields::path_of(std::string_view field) const {
  std::string path = where_;
  if (!field.empty()) path.append(path.empty() ? "" : ".").append(field);
  return path;
}

bool Fields::is_set(const Field& field) const {
  const auto& reflection = *message_->GetReflection();
  return field.is_repeated() ? reflection.FieldSize(*message_, &field) > 0 : reflection.HasField(*message_, &field);
}

const Fields::Field* Fields::take(std::string_view name) {
  const Field& field = field_of(*message_, name);
  taken_.push_back(&field);
  return is_set(field) ? &field : nullptr;
}

bool Fields::has(std::string_view name) const {
  return is_set(field_of(*message_, name));
}

void Fields::refuse_whole(const std::string& why) {
  refuse("", why);
  pass_over_all();
}

void Fields::pass_over(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) take(name);
}

void Fields::pass_over_all_but(std::string_view name) {
  const google::protobuf::Descriptor& descriptor = *message_->GetDescriptor();
  for (int at = 0; at < descriptor.field_count(); ++at) {
    if (descriptor.field(at)->name() != name) taken_.push_back(descriptor.field(at));
  }
}

std::optional<std::string> Fields::text(std::string_view name) {
  const Field* const field = take(name);
  if (field == nullptr) return std::nullopt;
  return message_->GetReflection()->GetString(*message_, field);
}

std::optional<double> Fields::number(std::string_view name) {
  const Field* const field = take(name);
  if (field == nullptr) return std::nullopt;
  return unwrapped(*message_, *field);
}

std::optional<bool> Fields::truth(std::string_view name) {
  const std::optional<double> found = number(name);
  return found ? std::optional(*found != 0) : std::nullopt;
}

std::optional<std::string> Fields::word(std::string_view name) {
  const Field* const field = take(name);
  if (field == nullptr) return std::nullopt;
  return message_->GetReflection()->GetEnum(*message_, field)->name();
}

std::optional<std::string> Fields::duration(std::string_view name) {
  const Field* const field = take(name);
  if (field == nullptr) return std::nullopt;
  const Message& time = message_->GetReflection()->GetMessage(*message_, field);
  const auto part = [&](int number) { return number_of(time, *time.GetDescriptor()->FindFieldByNumber(number)); };
  const double ms = part(1) * 1e3 + part(2) / 1e6;
  // A time below one millisecond becomes one millisecond: zero has a meaning of its own.
  const auto number = static_cast<std::int64_t>(ms > 0 && ms < 1 ? 1 : ms);
  if (number > 0 && number % 60'000 == 0) return std::to_string(number / 60'000) + "m";
  if (number > 0 && number % 1000 == 0) return std::to_string(number / 1000) + "s";
  return std::to_string(number) + "ms";
}

std::optional<double> Fields::percent(std::string_view name) {
  std::optional<Fields> share = message(name);
  if (!share) return std::nullopt;
  const auto of = [&](std::string_view field) {
    return share->message_->GetDescriptor()->FindFieldByName(std::string(field)) != nullptr;
  };
  if (of("value")) return share->number("value").value_or(0);
  if (of("default_value")) {
    share->pass_over({"runtime_key"});
    return share->percent("default_value").value_or(100);
  }
  const std::string unit = share->word("denominator").value_or("HUNDRED");
  const double whole = unit == "HUNDRED" ? 100 : unit == "TEN_THOUSAND" ? 10'000 : 1'000'000;
  return share->number("numerator").value_or(0) * 100 / whole;
}

std::optional<Fields> Fields::message(std::string_view name) {
  const Field* const field = take(name);
  if (field == nullptr) return std::nullopt;
  return below(message_->GetReflection()->GetMessage(*message_, field), path_of(name));
}

std::optional<Named> Fields::unpacked(const Message& any, const std::string& where) const {
  std::shared_ptr<const Message> inside = unpack(any);
  if (inside != nullptr && inside->GetDescriptor()->full_name() != kUnknown) return Named{std::move(inside), where};
  const std::string url = any.GetReflection()->GetString(any, any.GetDescriptor()->FindFieldByNumber(1));
  const std::optional<std::string> own = inside == nullptr ? std::nullopt : type_of(*inside);
  findings_->refuse(where, "the kind " + own.value_or(url) + " is not supported");
  return std::nullopt;
}

std::optional<Named> Fields::named(std::string_view name) {
  const Field* const field = take(name);
  if (field == nullptr) return std::nullopt;
  return unpacked(message_->GetReflection()->GetMessage(*message_, field), path_of(name));
}

std::optional<Fields> Fields::any(std::string_view name) {
  const std::optional<Named> inside = named(name);
  return inside ? std::optional<Fields>(Fields(*inside, *findings_)) : std::nullopt;
}

std::vector<Fields> Fields::anys(std::string_view name) {
  std::vector<Fields> all;
  const Field* const field = take(name);
  if (field == nullptr) return all;
  const auto& reflection = *message_->GetReflection();
  for (int at = 0; at < reflection.FieldSize(*message_, field); ++at) {
    const std::string where = path_of(name) + "[" + std::to_string(at) + "]";
    const auto inside = unpacked(reflection.GetRepeatedMessage(*message_, field, at), where);
    if (inside) all.emplace_back(*inside, *findings_);
  }
  return all;
}

std::vector<std::string> Fields::texts(std::string_view name) {
  std::vector<std::string> all;
  const Field* const field = take(name);
  if (field == nullptr) return all;
  const auto& reflection = *message_->GetReflection();
  for (int at = 0; at < reflection.FieldSize(*message_, field); ++at) {
    all.push_back(reflection.GetRepeatedString(*message_, field, at));
  }
  return all;
}

std::vector<double> Fields::numbers(std::string_view name) {
  std::vector<double> all;
  const Field* const field = take(name);
  if (field == nullptr) return all;
  const auto& reflection = *message_->GetReflection();
  for (int at = 0; at < reflection.FieldSize(*message_, field); ++at) {
    all.push_back(reflection.GetRepeatedUInt32(*message_, field, at));
  }
  return all;
}

std::vector<Fields> Fields::list(std::string_view name) {
  std::vector<Fields> all;
  for (const Named& one : nameds(name)) all.emplace_back(one, *findings_);
  return all;
}

std::vector<Named> Fields::nameds(std::string_view name) {
  std::vector<Named> all;
  const Field* const field = take(name);
  if (field == nullptr) return all;
  const auto& reflection = *message_->GetReflection();
  for (int at = 0; at < reflection.FieldSize(*message_, field); ++at) {
    // The message lives as long as the one that holds it.
    all.push_back({{holder_, &reflection.GetRepeatedMessage(*message_, field, at)},
                   path_of(name) + "[" + std::to_string(at) + "]"});
  }
  return all;
}

std::vector<std::pair<std::string, Fields>> Fields::entries(std::string_view name) {
  std::map<std::string, const Message*> found;
  const Field* const field = take(name);
  if (field == nullptr) return {};
  const auto& reflection = *message_->GetReflection();
  for (int at = 0; at < reflection.FieldSize(*message_, field); ++at) {
    const Message& entry = reflection.GetRepeatedMessage(*message_, field, at);
    const auto part = [&](int number) { return entry.GetDescriptor()->FindFieldByNumber(number); };
    const std::string key = entry.GetReflection()->GetString(entry, part(1));
    found[key] = &entry.GetReflection()->GetMessage(entry, part(2));
  }
  std::vector<std::pair<std::string, Fields>> all;
  all.reserve(found.size());
  for (const auto& [key, value] : found) {
    const std::string where = path_of(name) + "[\"" + key + "\"]";
    if (value->GetDescriptor()->full_name() != "google.protobuf.Any") {
      all.emplace_back(key, below(*value, where));
    } else if (const auto inside = unpacked(*value, where)) {
      all.emplace_back(key, Fields(*inside, *findings_));
    }
  }
  return all;
}

}  // namespace hone::mesh::envoy
