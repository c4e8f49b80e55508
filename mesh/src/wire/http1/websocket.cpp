#include "wire/http1/websocket.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <stdexcept>

namespace hone::mesh::http1 {
namespace {

// The number of bytes of a key, before they are text.
constexpr std::size_t kKeyBytes = 16;
constexpr std::string_view kSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

std::string base64(const unsigned char* bytes, std::size_t size) {
  // OpenSSL writes a zero byte behind the text.
  std::string text((size + 2) / 3 * 4 + 1, '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes, static_cast<int>(size));
  text.pop_back();
  return text;
}

}  // namespace

std::string make_websocket_key() {
  unsigned char bytes[kKeyBytes];
  if (RAND_bytes(bytes, sizeof bytes) != 1) throw std::runtime_error("the system gives no random bytes");
  return base64(bytes, sizeof bytes);
}

std::string websocket_accept(std::string_view key) {
  const std::string text = std::string(key).append(kSuffix);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha1(), nullptr);
  return base64(digest, size);
}

}  // namespace hone::mesh::http1
