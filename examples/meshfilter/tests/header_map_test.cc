#include "http/header_map.h"

#include <gtest/gtest.h>

#include <string>

#include "http/encoder.h"

namespace mesh {
namespace {

class Dump : public HeaderVisitor {
 public:
  bool onHeader(std::string_view name, std::string_view value) override {
    text.append(name).append("=").append(value).append(";");
    return true;
  }
  std::string text;
};

std::string dump(const HeaderMap& headers) {
  Dump visitor;
  headers.visit(visitor);
  return visitor.text;
}

TEST(HeaderIds, EveryKnownNameFindsItself) {
  for (size_t i = 0; i < kKnownHeaders; ++i) {
    const HeaderId id = static_cast<HeaderId>(i);
    EXPECT_EQ(headerIdOf(headerName(id)), id) << headerName(id);
  }
  EXPECT_EQ(headerIdOf("host"), HeaderId::kAuthority);
}

TEST(HeaderIds, NeighboursOfKnownNamesAreUnknown) {
  for (const char* name : {"", "x", "hosts", "xccept", "cookiex", "user-agenx", "authorizatiox",
                           "accept-encodinx", "xontent-length", "dat\xff"}) {
    EXPECT_EQ(headerIdOf(name), HeaderId::kOther) << name;
  }
}

TEST(HeaderMap, KeepsOrderAndRepeats) {
  const auto headers = makeHeaderMap();
  headers->add("vary", "a");
  headers->add("x-one", "1");
  headers->add("vary", "b");
  headers->add("x-one", "2");
  EXPECT_EQ(dump(*headers), "vary=a;x-one=1;vary=b;x-one=2;");
  EXPECT_EQ(headers->get(HeaderId::kVary), "a");
  EXPECT_EQ(headers->get("x-one"), "1");
  EXPECT_EQ(headers->size(), 4u);
}

TEST(HeaderMap, SetReplacesAllOfAName) {
  const auto headers = makeHeaderMap();
  headers->add("vary", "a");
  headers->add("vary", "b");
  headers->add("x-one", "1");
  headers->add("x-one", "2");
  headers->set(HeaderId::kVary, "c");
  headers->set("x-one", "3");
  EXPECT_EQ(dump(*headers), "vary=c;x-one=3;");
}

TEST(HeaderMap, RemovedHeadersAreGoneFromTheirSlots) {
  const auto headers = makeHeaderMap();
  headers->add("etag", "a");
  headers->add("etag", "b");
  headers->add("x-one", "1");
  headers->remove("etag");
  headers->remove("x-one");
  EXPECT_FALSE(headers->get(HeaderId::kEtag));
  EXPECT_FALSE(headers->get("x-one"));
  headers->add("etag", "c");
  EXPECT_EQ(headers->get(HeaderId::kEtag), "c");
}

class StartsWithX : public NameFilter {
 public:
  bool selects(std::string_view name) const override { return name[0] == 'x' || name[0] == ':'; }
};

TEST(HeaderMap, RemoveIfSparesPseudoHeaders) {
  const auto headers = makeHeaderMap();
  headers->set(HeaderId::kPath, "/");
  headers->add("x-request-id", "7");
  headers->add("x-other", "8");
  headers->add("accept", "*/*");
  EXPECT_EQ(headers->removeIf(StartsWithX()), 2u);
  EXPECT_EQ(dump(*headers), ":path=/;accept=*/*;");
  EXPECT_FALSE(headers->get(HeaderId::kRequestId));
}

TEST(Encoder, WritesHeads) {
  const auto headers = makeHeaderMap();
  headers->set(HeaderId::kMethod, "PUT");
  headers->set(HeaderId::kPath, "/a?b");
  headers->set(HeaderId::kAuthority, "h");
  headers->add("x-a", "1");
  std::string out;
  encodeRequestHead(*headers, out);
  EXPECT_EQ(out, "PUT /a?b HTTP/1.1\r\nhost: h\r\nx-a: 1\r\n\r\n");
  out.clear();
  encodeResponseHead(429, *headers, out);
  EXPECT_EQ(out, "HTTP/1.1 429 Too Many Requests\r\nx-a: 1\r\n\r\n");
}

}  // namespace
}  // namespace mesh
