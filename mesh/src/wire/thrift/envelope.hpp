// The envelope of a message of Thrift, before its body: a frame or a TTHeader, and the message's own head.
//
//     framed    length:4 message
//     TTHeader  length:4 0x1000:2 flags:2 sequence:4 words:2 [protocol:1 transforms:1 facts padding] payload
//     payload   message, or length:4 message
//     Binary    0x8001:2 0:1 kind:1 length:4 name sequence:4 body
//     Compact   0x82:1 kind<<5|1:1 sequence:varint length:varint name body
//
// Facts are texts with a name, or with one of some numbers whose meaning is agreed. As fields of a head, those with a
// number have names that begin with a colon, such as ":to-service", and ":27" where no meaning is known.
//
// Sources: https://github.com/apache/thrift/blob/master/doc/specs/thrift-rpc.md and thrift-compact-protocol.md,
// https://www.cloudwego.io/docs/kitex/reference/transport-protocol-ttheader/
#pragma once

#include <cstdint>
#include <string_view>

#include "http/message.hpp"
#include "net/output.hpp"

namespace hone::mesh::thrift {

// Carrier is the kind of wrapping around messages.
enum class Carrier : std::uint8_t { kFramed, kHeader, kFramedHeader };

// Kind is the kind of a message, with its number in the message's head.
enum class Kind : std::uint8_t { kCall = 1, kReply = 2, kException = 3, kOneway = 4 };

// Flags of a TTHeader.
inline constexpr std::uint16_t kOutOfOrder = 0x01;
inline constexpr std::uint16_t kStreaming = 0x02;

// Facts that the proxy looks for, by their names as fields.
inline constexpr std::string_view kToService = ":to-service";
inline constexpr std::string_view kServiceInIdl = "isn";
// A server's announcement that it will close the connection.
inline constexpr std::string_view kLeaving = "crrst";

// Envelope holds all values before the body.
struct Envelope {
  Carrier carrier = Carrier::kFramed;
  Coding coding = Coding::kBinary;
  Kind kind = Kind::kCall;
  std::uint16_t flags = 0;
  // The message's own number, and the one in its TTHeader.
  std::int32_t sequence = 0;
  std::int32_t header_sequence = 0;
  std::string_view name;
  // Facts as they are in the TTHeader.
  std::string_view facts;
  // Bytes of the body.
  std::uint32_t body = 0;
};

// Opened is the result of an attempt to read an envelope.
struct Opened {
  enum class Step : std::uint8_t { kMore, kOpen, kFault };
  Step step = Step::kMore;
  // Bytes before the body.
  std::size_t taken = 0;
  // The fault, as a text that lives on.
  std::string_view fault = {};
};

// Reads an envelope whose message has at most `most` bytes. Views point into the input.
Opened open(std::string_view input, std::uint32_t most, Envelope& envelope);

// Adds facts to fields; values point into the facts. Returns the fault of the facts; empty where there is none.
std::string_view read_facts(std::string_view facts, std::size_t most, Arena& arena, Headers& fields);

// Writes an envelope with fields as its facts, which only TTHeaders have. Facts that do not fit are left out: those
// with texts of more than 65,535 bytes, and all of them where the TTHeader would have more than 262,140 bytes of them.
void write(Output& output, const Envelope& envelope, const Headers& fields, Arena& arena);

}  // namespace hone::mesh::thrift
