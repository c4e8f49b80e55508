// Who the other side of a connection is by its certificate, and who it may be.
#pragma once

#include <openssl/x509.h>

#include <string>
#include <string_view>
#include <vector>

namespace hone::mesh {

// Returns the URI of a certificate, such as spiffe://shop.example/cart; where it has none, its first name of a host.
// Empty where there is neither, where there are several URIs, since each would be somebody else, and where it has
// characters that would end it for those who read it.
std::string identity_of(const X509* certificate);

// Returns the trust domain of a SPIFFE id: what stands behind "spiffe://", up to the path. Empty for other texts.
std::string_view trust_domain_of(std::string_view identity);

// IdentityMatch is an identity, or with a star at its end, all that begin with what stands before it.
class IdentityMatch {
 public:
  explicit IdentityMatch(std::string text) : text_(std::move(text)) {}

  // Nobody without an identity is matched.
  bool matches(std::string_view identity) const;
  const std::string& text() const { return text_; }
  bool operator==(const IdentityMatch&) const = default;

 private:
  std::string text_;
};

bool is_one_of(std::string_view identity, const std::vector<IdentityMatch>& all);

}  // namespace hone::mesh
