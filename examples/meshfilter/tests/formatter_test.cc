#include "filters/formatter.h"

#include <gtest/gtest.h>

#include "fake_stream.h"

namespace mesh {
namespace {

const Directive kPlace = parseConfig("f.conf", "format x\n").children[0];

class FormatTest : public testing::Test {
 protected:
  std::string format(std::string_view text, Escape escape = Escape::kNone) {
    std::string out;
    Format(text, escape, kPlace).append({info, *request, response.get()}, out);
    return out;
  }

  StreamInfo info;
  std::unique_ptr<HeaderMap> request = makeHeaderMap();
  std::unique_ptr<HeaderMap> response = makeHeaderMap();
};

TEST_F(FormatTest, FieldsAndLiterals) {
  info.status = 503;
  info.originalPath = "/p";
  info.durationUs = 42;
  request->set(HeaderId::kMethod, "GET");
  request->add("x-tag", "abcdef");
  response->add("etag", "e");
  EXPECT_EQ(format("%METHOD% %PATH% -> %STATUS%/%STATUS_CLASS%xx in %DURATION_US%, 100%%"),
            "GET /p -> 503/5xx in 42, 100%");
  EXPECT_EQ(format("%REQ(X-Tag):3% %RESP(etag)% %REQ(none)% %PROTOCOL%"), "abc e - HTTP/1.1");
  EXPECT_EQ(format("plain"), "plain");
  EXPECT_EQ(format(""), "");
}

TEST_F(FormatTest, WithoutAResponseItsHeadersAreMissing) {
  response.reset();
  EXPECT_EQ(format("%RESP(etag)%"), "-");
}

TEST_F(FormatTest, TimesAreCalendarTimes) {
  info.startUs = 1'767'225'600'000'000;
  EXPECT_EQ(format("%START_TIME%"), "2026-01-01T00:00:00.000Z");
  info.startUs = 951'826'149'987'654;
  EXPECT_EQ(format("%START_TIME%"), "2000-02-29T12:09:09.987Z");
  info.startUs = 0;
  EXPECT_EQ(format("%START_TIME%"), "1970-01-01T00:00:00.000Z");
}

TEST_F(FormatTest, JsonEscapesValuesOnly) {
  request->add("x-tag",
               "a\"b\\c\x01"
               "d");
  EXPECT_EQ(format("\"%REQ(x-tag)%\"", Escape::kJson), "\"a\\\"b\\\\c\\u0001d\"");
  EXPECT_EQ(format("\"%REQ(x-tag):1%\"", Escape::kJson), "\"a\"");
}

TEST_F(FormatTest, MistakesNameTheDirective) {
  EXPECT_EQ(configErrorOf([&] { format("%STATUS"); }),
            "f.conf:1: a '%' in the format has no partner");
  EXPECT_EQ(configErrorOf([&] { format("%WHAT%"); }), "f.conf:1: unknown format command %WHAT%");
  EXPECT_EQ(configErrorOf([&] { format("%REQ()%"); }), "f.conf:1: unknown format command %REQ()%");
  EXPECT_EQ(configErrorOf([&] { format("%REQ(a)x%"); }), "f.conf:1: bad limit in %REQ(a)x%");
}

}  // namespace
}  // namespace mesh
