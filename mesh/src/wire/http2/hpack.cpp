#include "wire/http2/hpack.hpp"

#include <algorithm>
#include <new>

namespace hone::mesh::http2 {
namespace {

constexpr std::size_t kTableBytes = 4096;

std::uint8_t* raw(std::string_view text) {
  return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
}
std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace

Encoder::Encoder() {
  nghttp2_hd_deflater* made = nullptr;
  if (nghttp2_hd_deflate_new(&made, kTableBytes) != 0) throw std::bad_alloc();
  deflater_.reset(made);
}

void Encoder::set_table_size(std::uint32_t bytes) {
  nghttp2_hd_deflate_change_table_size(deflater_.get(), std::min<std::size_t>(bytes, kTableBytes));
}

void Encoder::add(std::string_view name, std::string_view value) {
  fields_.push_back({raw(name), raw(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE});
}

std::string_view Encoder::encode() {
  const std::size_t most = nghttp2_hd_deflate_bound(deflater_.get(), fields_.data(), fields_.size());
  if (block_.size() < most) block_.resize(most);
  const ssize_t size =
      nghttp2_hd_deflate_hd(deflater_.get(), raw(block_), block_.size(), fields_.data(), fields_.size());
  if (size < 0) throw std::bad_alloc();
  return std::string_view(block_).substr(0, static_cast<std::size_t>(size));
}

Decoder::Decoder(std::size_t most_fields) : most_fields_(most_fields) {
  nghttp2_hd_inflater* made = nullptr;
  if (nghttp2_hd_inflate_new(&made) != 0) throw std::bad_alloc();
  inflater_.reset(made);
}

void Decoder::begin(Arena& arena, Headers& fields) {
  arena_ = &arena;
  fields_ = &fields;
  bytes_ = 0;
  is_too_large_ = false;
}

Decoder::Result Decoder::decode(std::string_view piece, bool is_last) {
  for (;;) {
    nghttp2_nv field{};
    int flags = 0;
    const ssize_t taken =
        nghttp2_hd_inflate_hd2(inflater_.get(), &field, &flags, raw(piece), piece.size(), is_last ? 1 : 0);
    if (taken < 0) return Result::kBroken;
    piece.remove_prefix(static_cast<std::size_t>(taken));
    if ((flags & NGHTTP2_HD_INFLATE_EMIT) != 0) {
      bytes_ += field.namelen + field.valuelen + 32;
      is_too_large_ |= bytes_ > kMostBytes || fields_->size() >= most_fields_;
      if (!is_too_large_) {
        const std::string_view name = text_of(field.name, field.namelen);
        const HeaderId id = id_of(name);
        // The library keeps what it emits only until the next call.
        fields_->add(*arena_, {id == HeaderId::kOther ? arena_->copy(name) : name_of(id),
                               arena_->copy(text_of(field.value, field.valuelen)), id});
      }
    }
    if ((flags & NGHTTP2_HD_INFLATE_FINAL) != 0) {
      nghttp2_hd_inflate_end_headers(inflater_.get());
      return piece.empty() ? Result::kGood : Result::kBroken;
    }
    if ((flags & NGHTTP2_HD_INFLATE_EMIT) == 0 && piece.empty()) return Result::kGood;
  }
}

}  // namespace hone::mesh::http2
