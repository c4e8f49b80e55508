#include "wire/thrift/envelope.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/bytes.hpp"
#include "base/text.hpp"

namespace hone::mesh::thrift {
namespace {

constexpr std::uint16_t kMagic = 0x1000;
constexpr std::uint16_t kBinaryVersion = 0x8001;
constexpr std::uint8_t kCompactProtocol = 0x82;
constexpr std::uint8_t kCompactVersion = 1;
constexpr std::size_t kLengthBytes = 4;
// Magic, flags, sequence and words.
constexpr std::size_t kFixedBytes = 10;
constexpr std::size_t kWordBytes = 4;
constexpr std::size_t kMostText = 0xffff;
constexpr std::size_t kMostFacts = 0xffff * kWordBytes - 2;
// Values for the protocol in a TTHeader.
constexpr int kHeaderBinary = 0;
constexpr int kHeaderCompact = 2;

// Kinds of facts.
enum class FactKind : std::uint8_t { kPadding = 0x00, kNamed = 0x01, kNumbered = 0x10, kToken = 0x11 };
// The access token's name as a field.
constexpr std::string_view kToken = ":token";

// The names of facts with a number, from number 1 on.
constexpr std::array<std::string_view, 26> kNumbers = {
    ":transport",        ":log-id",          ":from-service", ":from-cluster", ":from-idc",          ":to-service",
    ":to-cluster",       ":to-idc",          ":to-method",    ":env",          ":dest-address",      ":rpc-timeout",
    ":read-timeout",     ":ring-hash",       ":ddp-tag",      ":with-header",  ":connect-timeout",   ":span-context",
    ":short-connection", ":from-method",     ":stress-tag",   ":message-type", ":http-content-type", ":raw-ring-hash",
    ":lb-type",          ":cluster-shard-id"};

constexpr Opened faulty(std::string_view why) {
  return {Opened::Step::kFault, 0, why};
}

std::string_view name_of_number(std::uint16_t number, Arena& arena) {
  if (number > 0 && number <= kNumbers.size()) return kNumbers[number - 1];
  return arena.join(":", Digits(number));
}

// Reads a message's own head. Returns the fault; empty where there is none.
std::string_view open_message(ByteReader& reader, Envelope& envelope) {
  const std::uint8_t first = reader.byte();
  std::uint8_t kind = 0;
  if (first == kCompactProtocol) {
    envelope.coding = Coding::kCompact;
    const std::uint8_t second = reader.byte();
    if (!reader.is_short() && (second & 0x1f) != kCompactVersion) return "the version of the Compact protocol is not 1";
    kind = second >> 5;
    envelope.sequence = static_cast<std::int32_t>(reader.varint());
    envelope.name = reader.text(reader.varint());
  } else if (first == kBinaryVersion >> 8) {
    envelope.coding = Coding::kBinary;
    const std::uint8_t second = reader.byte();
    if (!reader.is_short() && second != (kBinaryVersion & 0xff)) return "the version of the Binary protocol is not 1";
    reader.byte();
    kind = reader.byte();
    envelope.name = reader.text(reader.big32());
    envelope.sequence = static_cast<std::int32_t>(reader.big32());
  } else if (!reader.is_short()) {
    return "the message is not one of Thrift's Binary or Compact protocol";
  }
  if (reader.is_short()) return {};
  if (kind < 1 || kind > 4) return "the message is neither a call nor an answer";
  envelope.kind = static_cast<Kind>(kind);
  return {};
}

// Reads a TTHeader after its length, up to the message or its frame. Returns the fault; empty where there is none.
std::string_view open_header(ByteReader& reader, Envelope& envelope) {
  envelope.carrier = Carrier::kHeader;
  reader.big16();
  envelope.flags = reader.big16();
  envelope.header_sequence = static_cast<std::int32_t>(reader.big32());
  ByteReader info(reader.text(reader.big16() * kWordBytes));
  if (reader.is_short()) return {};
  info.byte();
  const std::uint8_t transforms = info.byte();
  if (info.is_short()) return "the TTHeader is shorter than it has to be";
  if (transforms != 0) return "the TTHeader wants transforms, of which none are known: turn its compression off";
  if ((envelope.flags & kStreaming) != 0) return "streams of Thrift are not passed on";
  envelope.facts = info.rest();
  // A frame's length begins with a zero, or else the message has more than 16 MiB.
  const std::string_view rest = reader.rest();
  if (rest.empty()) {
    reader.byte();
    return {};
  }
  const auto next = static_cast<std::uint8_t>(rest.front());
  if (next == kCompactProtocol || next == kBinaryVersion >> 8) return {};
  envelope.carrier = Carrier::kFramedHeader;
  const std::uint32_t length = reader.big32();
  if (reader.is_short()) return {};
  const auto behind =
      static_cast<std::uint32_t>(envelope.body - (kFixedBytes + envelope.facts.size() + 2) - kLengthBytes);
  return length == behind ? "" : "what is behind the TTHeader is neither a message nor a frame of one";
}

}  // namespace

Opened open(std::string_view input, std::uint32_t most, Envelope& envelope) {
  if (input.size() < kLengthBytes + 2) return {};
  ByteReader length_reader(input);
  const std::uint32_t length = length_reader.big32();
  if (length >> 16 == kBinaryVersion)
    return faulty("the message has no length before it: use framed transport or TTHeader");
  if (length > most) return faulty("the message is longer than allowed, or none of Thrift");
  envelope = {};
  // The length of the frame, until that of the body is known.
  envelope.body = length;
  const std::string_view frame = length_reader.rest().substr(0, length);
  ByteReader reader(frame);
  const bool has_header = ByteReader(frame).big16() == kMagic;
  std::string_view fault = has_header ? open_header(reader, envelope) : std::string_view();
  if (fault.empty() && !reader.is_short()) fault = open_message(reader, envelope);
  if (!fault.empty()) return faulty(fault);
  if (reader.is_short()) return frame.size() < length ? Opened() : faulty("the message is shorter than it says");
  const std::size_t taken = frame.size() - reader.rest().size();
  envelope.body = static_cast<std::uint32_t>(length - taken);
  return {Opened::Step::kOpen, kLengthBytes + taken};
}

std::string_view read_facts(std::string_view facts, std::size_t most, Arena& arena, Headers& fields) {
  ByteReader reader(facts);
  while (!reader.is_empty()) {
    const auto kind = static_cast<FactKind>(reader.byte());
    if (kind == FactKind::kPadding) continue;
    if (kind == FactKind::kToken) {
      fields.add(arena, {kToken, reader.text(reader.big16()), HeaderId::kOther});
    } else if (kind == FactKind::kNamed) {
      for (std::uint32_t left = reader.big16(); left > 0 && !reader.is_short(); --left) {
        const std::string_view name = reader.text(reader.big16());
        if (name.starts_with(':')) return "the name of a fact in the TTHeader begins with a colon";
        if (fields.size() == most) return "the TTHeader has more facts than allowed";
        fields.add(arena, {name, reader.text(reader.big16()), id_of(name)});
      }
    } else if (kind == FactKind::kNumbered) {
      for (std::uint32_t left = reader.big16(); left > 0 && !reader.is_short(); --left) {
        const std::string_view name = name_of_number(reader.big16(), arena);
        if (fields.size() == most) return "the TTHeader has more facts than allowed";
        fields.add(arena, {name, reader.text(reader.big16()), id_of(name)});
      }
    } else {
      return "the TTHeader has facts of a kind that is not known";
    }
    if (reader.is_short()) return "the facts of the TTHeader are shorter than they say";
    if (fields.size() > most) return "the TTHeader has more facts than allowed";
  }
  return {};
}

namespace {

// Numbers that stand for the other kinds of facts: those of facts with a number have 16 bits.
constexpr std::uint32_t kIsNamed = 0x10000;
constexpr std::uint32_t kIsToken = 0x10001;

std::uint32_t number_of(std::string_view name) {
  if (!name.starts_with(':')) return kIsNamed;
  if (name == kToken) return kIsToken;
  const auto found = std::find(kNumbers.begin(), kNumbers.end(), name);
  if (found != kNumbers.end()) return static_cast<std::uint32_t>(found - kNumbers.begin() + 1);
  return static_cast<std::uint32_t>(number(name.substr(1)).value_or(0) & 0xffff);
}

// FactLists holds fields as facts, and their lengths.
class FactLists {
 public:
  FactLists(const Headers& fields, Arena& arena) : facts_(arena.array<Fact>(fields.size())) {
    for (const Header& field : fields.items()) {
      if (field.name.size() > kMostText || field.value.size() > kMostText) continue;
      const Fact fact{number_of(field.name), field.name, field.value};
      Count& count = counts_[list_of(fact)];
      ++count.facts;
      count.bytes += bytes_of(fact);
      facts_[size_++] = fact;
    }
  }

  std::size_t bytes() const {
    std::size_t bytes = counts_[kTokens].bytes;
    for (const List list : {kNamed, kNumbered}) bytes += counts_[list].facts == 0 ? 0 : 3 + counts_[list].bytes;
    return bytes;
  }

  void write(ByteWriter& writer) const {
    for (const List list : {kNamed, kNumbered, kTokens}) {
      const Count& count = counts_[list];
      if (count.facts == 0) continue;
      if (list != kTokens) {
        writer.byte(static_cast<int>(list == kNamed ? FactKind::kNamed : FactKind::kNumbered));
        writer.big16(count.facts);
      }
      for (const Fact& fact : std::span(facts_, size_)) {
        if (list_of(fact) == list) write_fact(writer, fact);
      }
    }
  }

 private:
  enum List : std::uint8_t { kNamed, kNumbered, kTokens };
  struct Fact {
    std::uint32_t number;
    std::string_view name;
    std::string_view value;
  };
  struct Count {
    std::uint32_t facts = 0;
    std::size_t bytes = 0;
  };

  static List list_of(const Fact& fact) {
    return fact.number == kIsNamed ? kNamed : fact.number == kIsToken ? kTokens : kNumbered;
  }
  static std::size_t bytes_of(const Fact& fact) {
    const std::size_t before = fact.number == kIsNamed ? 4 + fact.name.size() : fact.number == kIsToken ? 3 : 4;
    return before + fact.value.size();
  }
  static void write_text(ByteWriter& writer, std::string_view text) {
    writer.big16(static_cast<std::uint32_t>(text.size()));
    writer.text(text);
  }
  static void write_fact(ByteWriter& writer, const Fact& fact) {
    switch (list_of(fact)) {
      case kNamed:
        write_text(writer, fact.name);
        break;
      case kNumbered:
        writer.big16(fact.number);
        break;
      case kTokens:
        writer.byte(static_cast<int>(FactKind::kToken));
        break;
    }
    write_text(writer, fact.value);
  }

  Fact* const facts_;
  std::size_t size_ = 0;
  std::array<Count, 3> counts_{};
};

void write_message(ByteWriter& writer, const Envelope& envelope) {
  const auto name_bytes = static_cast<std::uint32_t>(envelope.name.size());
  if (envelope.coding == Coding::kCompact) {
    writer.byte(kCompactProtocol);
    writer.byte(static_cast<int>(envelope.kind) << 5 | kCompactVersion);
    writer.varint(static_cast<std::uint32_t>(envelope.sequence));
    writer.varint(name_bytes);
    writer.text(envelope.name);
  } else {
    writer.big16(kBinaryVersion);
    writer.big16(static_cast<std::uint32_t>(envelope.kind));
    writer.big32(name_bytes);
    writer.text(envelope.name);
    writer.big32(static_cast<std::uint32_t>(envelope.sequence));
  }
}

// The most bytes that a frame's length and a message's head take beside the name.
constexpr std::size_t kMostRest = kLengthBytes + 12;

}  // namespace

void write(Output& output, const Envelope& envelope, const Headers& fields, Arena& arena) {
  const bool has_header = envelope.carrier != Carrier::kFramed;
  const FactLists facts(has_header ? fields : Headers(), arena);
  const std::size_t fact_bytes = facts.bytes() > kMostFacts ? 0 : facts.bytes();
  const std::size_t words = (2 + fact_bytes + kWordBytes - 1) / kWordBytes;
  const std::size_t header_bytes = has_header ? kFixedBytes + words * kWordBytes : 0;
  char* const begin = arena.array<char>(kLengthBytes + header_bytes + kMostRest + envelope.name.size());

  // The message first, whose length stands before it.
  char* const message =
      begin + kLengthBytes + header_bytes + (envelope.carrier == Carrier::kFramedHeader ? kLengthBytes : 0);
  ByteWriter message_writer(message);
  write_message(message_writer, envelope);
  const std::size_t head_bytes = message_writer.size_since(message);
  const std::size_t before = static_cast<std::size_t>(message - begin);

  ByteWriter writer(begin);
  writer.big32(static_cast<std::uint32_t>(before - kLengthBytes + head_bytes + envelope.body));
  if (has_header) {
    writer.big16(kMagic);
    writer.big16(envelope.flags);
    writer.big32(static_cast<std::uint32_t>(envelope.header_sequence));
    writer.big16(static_cast<std::uint32_t>(words));
    writer.byte(envelope.coding == Coding::kCompact ? kHeaderCompact : kHeaderBinary);
    writer.byte(0);
    if (fact_bytes > 0) facts.write(writer);
    for (std::size_t left = words * kWordBytes - 2 - fact_bytes; left > 0; --left) writer.byte(0);
  }
  if (envelope.carrier == Carrier::kFramedHeader) writer.big32(static_cast<std::uint32_t>(head_bytes + envelope.body));
  output.append({begin, before + head_bytes});
}

}  // namespace hone::mesh::thrift
