#include "net/identity.hpp"

#include <openssl/x509v3.h>

#include <algorithm>
#include <memory>

namespace hone::mesh {
namespace {

constexpr std::string_view kSpiffe = "spiffe://";

struct NamesFree {
  void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
};

std::string_view text_of(const ASN1_IA5STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

// True if the text is printable ASCII without spaces and these signs. Control characters would end a line of a log, or
// a field, and the signs an entry of X-Forwarded-Client-Cert.
bool is_plain(std::string_view text) {
  constexpr std::string_view kEnds = ",;\"\\";
  return std::all_of(text.begin(), text.end(),
                     [&](char one) { return one > ' ' && one < 0x7f && kEnds.find(one) == kEnds.npos; });
}

}  // namespace

std::string identity_of(const X509* certificate) {
  const std::unique_ptr<GENERAL_NAMES, NamesFree> names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  std::string_view uri;
  std::string_view host;
  int uris = 0;
  for (int at = 0; at < sk_GENERAL_NAME_num(names.get()); ++at) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names.get(), at);
    if (name->type == GEN_URI) {
      uri = text_of(name->d.uniformResourceIdentifier);
      ++uris;
    } else if (name->type == GEN_DNS && host.empty()) {
      host = text_of(name->d.dNSName);
    }
  }
  if (uris > 1) return {};
  // A host name that looks like a URI is no identity.
  const std::string_view found = uris == 1 ? uri : host.find_first_of(":/") == host.npos ? host : std::string_view();
  return is_plain(found) ? std::string(found) : std::string();
}

std::string_view trust_domain_of(std::string_view identity) {
  if (!identity.starts_with(kSpiffe)) return {};
  const std::string_view rest = identity.substr(kSpiffe.size());
  return rest.substr(0, rest.find('/'));
}

bool IdentityMatch::matches(std::string_view identity) const {
  if (identity.empty()) return false;
  const std::string_view text = text_;
  return text.ends_with('*') ? identity.starts_with(text.substr(0, text.size() - 1)) : identity == text;
}

bool is_one_of(std::string_view identity, const std::vector<IdentityMatch>& all) {
  return std::any_of(all.begin(), all.end(), [&](const IdentityMatch& one) { return one.matches(identity); });
}

}  // namespace hone::mesh
