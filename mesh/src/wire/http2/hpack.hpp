// HPACK by nghttp2's library: fields to bytes and back, with bounds on both.
#pragma once

#include <nghttp2/nghttp2.h>

#include <memory>
#include <string>
#include <vector>

#include "http/headers.hpp"
#include "net/output.hpp"

namespace hone::mesh::http2 {

// Encoder holds the same table as the other side: fields are encoded in the order in which they are sent.
class Encoder {
 public:
  Encoder();

  // Bounds the table, as the other side has asked for.
  void set_table_size(std::uint32_t bytes);
  void begin() { fields_.clear(); }
  void add(std::string_view name, std::string_view value);
  // Encodes the fields added since begin. The bytes stay valid until the next call.
  std::string_view encode();

 private:
  struct Free {
    void operator()(nghttp2_hd_deflater* deflater) const { nghttp2_hd_deflate_del(deflater); }
  };
  std::unique_ptr<nghttp2_hd_deflater, Free> deflater_;
  std::vector<nghttp2_nv> fields_;
  std::string block_;
};

// Decoder decodes a block in pieces.
class Decoder {
 public:
  // Bounds of one block after decoding, as SETTINGS_MAX_HEADER_LIST_SIZE counts: 32 bytes for each field.
  static constexpr std::size_t kMostBytes = 16 * 1024;

  explicit Decoder(std::size_t most_fields);

  enum class Result : std::uint8_t { kGood, kBroken };
  // Begins a block, whose fields go into a list.
  void begin(Arena& arena, Headers& fields);
  Result decode(std::string_view piece, bool is_last);
  // True if the block had more than its bounds: later fields were decoded, since the table has to follow, and dropped.
  bool is_too_large() const { return is_too_large_; }

 private:
  struct Free {
    void operator()(nghttp2_hd_inflater* inflater) const { nghttp2_hd_inflate_del(inflater); }
  };
  std::unique_ptr<nghttp2_hd_inflater, Free> inflater_;
  const std::size_t most_fields_;
  Arena* arena_ = nullptr;
  Headers* fields_ = nullptr;
  std::size_t bytes_ = 0;
  bool is_too_large_ = false;
};

}  // namespace hone::mesh::http2
