// The identity of the other side of a connection by its certificate, and conditions on it.
#pragma once

#include <openssl/x509.h>

#include <string>
#include <string_view>
#include <vector>

namespace hone::mesh {

// Returns the URI of a certificate, such as spiffe://shop.example/cart; where it has none, its first host name. Empty
// where there is neither, where there are several URIs, since each would be another identity, and where the text has
// characters that would end it for its readers.
std::string identity_of(const X509* certificate);

// Returns the trust domain of a SPIFFE id: the text behind "spiffe://", up to the path. Empty for other texts.
std::string_view trust_domain_of(std::string_view identity);

// IdentityMatch is an identity, or, with a star at its end, all identities that begin with the text before the star.
class IdentityMatch {
 public:
  explicit IdentityMatch(std::string text) : text_(std::move(text)) {}

  // True if the identity matches. An empty one never does.
  bool matches(std::string_view identity) const;
  const std::string& text() const { return text_; }
  bool operator==(const IdentityMatch&) const = default;

 private:
  std::string text_;
};

bool is_one_of(std::string_view identity, const std::vector<IdentityMatch>& all);

}  // namespace hone::mesh
