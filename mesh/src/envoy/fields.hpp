// A message of Envoy's API, read field by field: a field that is set, and not known here, is refused by its path.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "envoy/findings.hpp"
#include "envoy/protos.hpp"

namespace hone::mesh::envoy {

// Named is a resource that others name, such as the routes of a listener.
struct Named {
  std::shared_ptr<const Message> message;
  std::string where;
};

// Fields reads the fields of one message. Its destructor refuses each field that is set and has not been read.
class Fields {
 public:
  Fields(std::shared_ptr<const Message> message, std::string where, Findings& findings)
      : Fields(message, *message, std::move(where), findings) {}
  Fields(Fields&& other) noexcept;
  Fields& operator=(Fields&&) = delete;
  ~Fields();

  Fields(const Named& named, Findings& findings) : Fields(named.message, named.where, findings) {}

  Findings& findings() const { return *findings_; }
  // The full name of the message.
  const std::string& kind() const;
  bool has(std::string_view name) const;

  void refuse(std::string_view field, const std::string& why) const { findings_->refuse(path_of(field), why); }
  void note(std::string_view field, const std::string& what) const { findings_->note(path_of(field), what); }
  // Passes over fields that do not change the answers, such as names for statistics.
  void pass_over(std::initializer_list<std::string_view> names);
  // Passes over all fields but one, such as those of a dump that describe when and how a resource came.
  void pass_over_all_but(std::string_view name);
  // Both refuse the message as a whole; refuse_kind gives its kind as the reason, with `what` as the words before it.
  void refuse_whole(const std::string& why);
  void refuse_kind(const std::string& what) { refuse_whole(what + kind() + " is not supported"); }
  // Passes over all fields that are left, so that none of them is refused.
  void pass_over_all() { message_ = nullptr; }

  // Each reader returns nothing where the field is not set. A number or truth in a wrapping message is read as well.
  std::optional<std::string> text(std::string_view name);
  std::optional<double> number(std::string_view name);
  std::optional<bool> truth(std::string_view name);
  // The name of an enumeration's value.
  std::optional<std::string> word(std::string_view name);
  // A time, such as "250ms", "10s" or "5m"; zero is "0ms".
  std::optional<std::string> duration(std::string_view name);
  // A share in percent, from any of Envoy's messages for shares.
  std::optional<double> percent(std::string_view name);
  std::optional<Fields> message(std::string_view name);
  // The message in a google.protobuf.Any. A message of an unknown kind is refused.
  std::optional<Fields> any(std::string_view name);
  std::optional<Named> named(std::string_view name);

  std::vector<std::string> texts(std::string_view name);
  std::vector<double> numbers(std::string_view name);
  std::vector<Fields> list(std::string_view name);
  // Messages of a list, to be read later.
  std::vector<Named> nameds(std::string_view name);
  std::vector<Fields> anys(std::string_view name);
  // Maps of texts to messages, in the order of their keys.
  std::vector<std::pair<std::string, Fields>> entries(std::string_view name);

 private:
  using Field = google::protobuf::FieldDescriptor;

  Fields(std::shared_ptr<const Message> holder, const Message& message, std::string where, Findings& findings)
      : holder_(std::move(holder)), message_(&message), where_(std::move(where)), findings_(&findings) {}

  std::string path_of(std::string_view field) const;
  bool is_set(const Field& field) const;
  // Returns a field's description, and marks the field as read; nullptr where it is not set.
  const Field* take(std::string_view name);
  Fields below(const Message& message, std::string where) const {
    return {holder_, message, std::move(where), *findings_};
  }
  std::optional<Named> unpacked(const Message& any, const std::string& where) const;

  std::shared_ptr<const Message> holder_;
  const Message* message_;
  std::string where_;
  Findings* findings_;
  std::vector<const Field*> taken_;
};

}  // namespace hone::mesh::envoy
