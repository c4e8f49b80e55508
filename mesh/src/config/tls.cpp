#include "config/tls.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace hone::mesh::config {
namespace {

// All authorities of the world have 250 KB.
constexpr std::size_t kMostPemBytes = 4 * 1024 * 1024;

// Reads the file that a value names. What is wrong is told by the path alone: the text may be a key.
std::optional<std::string> read_file(const Value& value) {
  const auto path = value.text();
  if (!path) return std::nullopt;
  // Reading from a pipe or a device could take for ever.
  std::error_code error;
  if (std::filesystem::exists(*path, error) && !std::filesystem::is_regular_file(*path, error)) {
    value.fault("\"" + *path + "\" is no file", "name a file with text between BEGIN and END lines (PEM)");
    return std::nullopt;
  }
  std::ifstream file(*path, std::ios::binary);
  std::string text(kMostPemBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (!file.eof() || text.empty()) {
    const bool is_long = text.size() > kMostPemBytes;
    const std::string problem = is_long ? "more than 4 MiB" : file.is_open() ? "nothing to read" : std::strerror(errno);
    value.fault("\"" + *path + "\": " + problem, "name a file with text between BEGIN and END lines (PEM)");
    return std::nullopt;
  }
  return text;
}

// Reads a file by a function that returns what is wrong with its text.
template <class Read>
bool read_pem(const Value& value, const std::string& remedy, Read read) {
  const auto text = read_file(value);
  if (!text) return false;
  const std::string problem = read(*text);
  if (!problem.empty()) value.fault("\"" + value.text().value_or("") + "\": " + problem, remedy);
  return problem.empty();
}

void read_identity(const Section& section, TlsContext& context) {
  const auto certificate =
      section.need("certificate", "write certificate: and a file with the certificate and its chain");
  const auto key = section.need("key", "write key: and the file with the key of the certificate");
  if (!certificate || !key) return;
  const bool is_read = read_pem(*certificate, "name a file with a certificate in PEM, and those of its chain behind it",
                                [&](const std::string& text) { return context.add_certificates(text); });
  if (!is_read) return;
  read_pem(*key, "name the file with the key of this certificate in PEM, without a password",
           [&](const std::string& text) { return context.add_key(text); });
}

void read_authorities(const Value& value, TlsContext& context) {
  read_pem(value, "name a file with certificates of authorities in PEM",
           [&](const std::string& text) { return context.trust(text); });
}

TlsVersion read_version(const Section& section) {
  TlsVersion least = TlsVersion::k12;
  section.set("least", least, [](const Value& one) {
    return one.choice<TlsVersion>({{"1.2", TlsVersion::k12}, {"1.3", TlsVersion::k13}});
  });
  return least;
}

}  // namespace

std::shared_ptr<const TlsContext> read_listener_tls(const Value& value, Alpn alpn) {
  const Section section(value, {"certificates", "client_ca", "least"});
  const auto context = std::make_shared<TlsContext>(TlsSide::kServer, read_version(section), alpn);
  if (const auto list = section.need("certificates", "write certificates: with certificate: and key: below it")) {
    if (list->list().empty()) list->fault("there is no certificate", "write certificate: and key: below it");
    for (const Value& one : list->list()) read_identity(Section(one, {"certificate", "key"}), *context);
  }
  if (const auto found = section.find("client_ca")) read_authorities(*found, *context);
  return context;
}

std::shared_ptr<const TlsContext> read_cluster_tls(const Value& value) {
  const Section section(value, {"name", "ca", "certificate", "key", "least"});
  const auto context = std::make_shared<TlsContext>(TlsSide::kClient, read_version(section), Alpn::kNone);
  if (const auto name = section.need("name", "write name: and the one that the endpoints' certificates are for")) {
    const auto text = name->text();
    if (text && (text->empty() || text->find_first_of(":/* ") != text->npos)) {
      name->fault("\"" + *text + "\" is no name of a host",
                  "write one such as shop.example.com, or a number such as 10.0.0.1");
    }
    context->expect(text.value_or(""));
  }
  if (const auto found = section.find("ca")) {
    read_authorities(*found, *context);
  } else if (const std::string problem = context->trust_system(); !problem.empty()) {
    value.fault(problem, "write ca: and a file with the authorities of the endpoints' certificates");
  }
  if (section.has("certificate") || section.has("key")) read_identity(section, *context);
  return context;
}

}  // namespace hone::mesh::config
