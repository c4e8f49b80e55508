#include "driver/generator.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/random.h"
#include "core/text.h"

namespace mesh {

namespace {

class Generator {
 public:
  Generator(const Mix& mix, uint64_t seed, uint64_t startUs)
      : mix_(mix), random_(seed), startS_(startUs / 1'000'000) {
    for (const RequestTemplate& request : mix.templates) totalWeight_ += request.weight;
  }

  RawRequest next() {
    const RequestTemplate& request = pickTemplate();
    RawRequest raw;
    std::string& out = raw.bytes;
    out.append(pick(request.methods)).append(" ");
    out.append(expand(pick(request.paths))).append(" HTTP/1.1\r\nHost: ");
    out.append(expand(pick(request.hosts))).append("\r\n");
    for (const RequestTemplate::Header& header : request.headers) {
      if (!chance(header.perMille)) continue;
      out.append(header.name).append(": ").append(expand(header.value)).append("\r\n");
    }
    addToken(request, out);
    if (chance(request.malformedPerMille)) out.append("Broken Header: yes\r\n");
    addBody(request, out);
    cut(raw);
    return raw;
  }

 private:
  bool chance(uint64_t perMille) { return random_.below(1000) < perMille; }

  const std::string& pick(const std::vector<std::string>& choices) {
    return choices[random_.below(choices.size())];
  }

  const RequestTemplate& pickTemplate() {
    uint64_t left = random_.below(totalWeight_);
    for (const RequestTemplate& request : mix_.templates) {
      if (left < request.weight) return request;
      left -= request.weight;
    }
    return mix_.templates.back();
  }

  std::string expand(std::string_view text) {
    std::string out;
    while (!text.empty()) {
      const size_t open = text.find('{');
      out.append(text.substr(0, open));
      if (open == std::string_view::npos) break;
      const size_t close = text.find('}', open);
      if (close == std::string_view::npos) throw std::runtime_error("'{' without '}' in the mix");
      std::string_view words = text.substr(open + 1, close - open - 1);
      text.remove_prefix(close + 1);
      const std::string_view kind = cutToken(words, ' ');
      addPlaceholder(kind, words, out);
    }
    return out;
  }

  void addPlaceholder(std::string_view kind, std::string_view words, std::string& out) {
    if (kind == "pick") {
      const auto list = mix_.lists.find(words);
      if (list == mix_.lists.end() || list->second.empty()) {
        throw std::runtime_error("the mix has no list '" + std::string(words) + "'");
      }
      out.append(pick(list->second));
    } else if (kind == "number") {
      const uint64_t low = parseDecimal(cutToken(words, ' ')).value_or(0);
      const uint64_t high = parseDecimal(words).value_or(low);
      appendDecimal(out, random_.between(low, std::max(low, high)));
    } else if (kind == "hex") {
      const uint64_t digits = parseDecimal(words).value_or(8);
      for (uint64_t i = 0; i < digits; ++i) out.push_back("0123456789abcdef"[random_.below(16)]);
    } else {
      throw std::runtime_error("unknown placeholder '" + std::string(kind) + "' in the mix");
    }
  }

  void addToken(const RequestTemplate& request, std::string& out) {
    using Kind = RequestTemplate::TokenUse::Kind;
    if (request.tokens.empty()) return;
    uint64_t total = 0;
    for (const auto& use : request.tokens) total += use.weight;
    uint64_t left = random_.below(total);
    Kind kind = Kind::kNone;
    for (const auto& use : request.tokens) {
      if (left < use.weight) {
        kind = use.kind;
        break;
      }
      left -= use.weight;
    }
    if (kind == Kind::kNone) return;
    Claims claims;
    claims.issuer = mix_.issuer;
    claims.subject = "user-";
    appendDecimal(claims.subject, random_.below(500));
    claims.scopes = request.scopes;
    claims.expiresS = kind == Kind::kExpired ? startS_ - 60 : startS_ + 30 * 86'400;
    std::string token = issueToken(mix_.tokenKey, claims);
    if (kind == Kind::kForged) token.back() = token.back() == '0' ? '1' : '0';
    if (kind == Kind::kBroken) token.resize(token.size() / 2);
    out.append("Authorization: Bearer ").append(token).append("\r\n");
  }

  /// An array of small records, about as long as asked for.
  std::string jsonBody(uint64_t bytes) {
    std::string body = "{\"items\":[";
    for (unsigned item = 0; item == 0 || body.size() + 60 < bytes; ++item) {
      body.append(item == 0 ? "" : ",").append("{\"sku\":\"");
      for (int i = 0; i < 8; ++i) body.push_back(static_cast<char>('a' + random_.below(26)));
      body.append("\",\"count\":");
      appendDecimal(body, random_.below(100));
      body.append(",\"price\":");
      appendDecimal(body, random_.below(10'000));
      body.append(".5,\"gift\":").append(chance(200) ? "true" : "false");
      if (chance(150)) body.append(",\"note\":\"a \\\"short\\\" note\\n\"");
      body.append("}");
    }
    return body.append("]}");
  }

  void addBody(const RequestTemplate& request, std::string& out) {
    if (request.bodyBytesMost == 0) {
      out.append("\r\n");
      return;
    }
    std::string body = jsonBody(random_.between(request.bodyBytesLeast, request.bodyBytesMost));
    if (chance(request.brokenBodyPerMille)) body[body.size() / 2] = '\x01';
    out.append("Content-Type: application/json\r\n");
    if (!chance(request.chunkedPerMille)) {
      out.append("Content-Length: ");
      appendDecimal(out, body.size());
      out.append("\r\n\r\n").append(body);
      return;
    }
    out.append("Transfer-Encoding: chunked\r\n\r\n");
    std::string_view rest = body;
    while (!rest.empty()) {
      const size_t size = std::min<size_t>(rest.size(), random_.between(64, 512));
      appendHex(out, size, 4);
      out.append("\r\n").append(rest.substr(0, size)).append("\r\n");
      rest.remove_prefix(size);
    }
    out.append("0\r\n\r\n");
  }

  void cut(RawRequest& raw) {
    const bool split = chance(mix_.splitPerMille);
    size_t at = 0;
    while (at < raw.bytes.size()) {
      const uint64_t read = split ? random_.between(1, mix_.readBytes) : mix_.readBytes;
      at = std::min<size_t>(raw.bytes.size(), at + read);
      raw.cuts.push_back(at);
    }
  }

  const Mix& mix_;
  Random random_;
  const uint64_t startS_;
  uint64_t totalWeight_ = 0;
};

}  // namespace

std::vector<RawRequest> generateRequests(const Mix& mix, uint64_t seed, uint64_t startUs) {
  Generator generator(mix, seed, startUs);
  std::vector<RawRequest> requests;
  requests.reserve(mix.distinct);
  while (requests.size() < mix.distinct) requests.push_back(generator.next());
  return requests;
}

}  // namespace mesh
