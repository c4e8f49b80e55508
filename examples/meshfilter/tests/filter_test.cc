#include <gtest/gtest.h>

#include "fake_stream.h"
#include "filters/token.h"

namespace mesh {
namespace {

constexpr std::string_view kAuth =
    "issuer me\nkey k secret\napi_key ak-1 robot\nanonymous prefix /open/\n"
    "require_scope admin prefix /admin/\nsubject_header x-subject";

std::string bearer(std::string_view issuer, uint64_t expiresS, std::string_view scopes) {
  const TokenKey key{"k", SipKey::fromSecret("secret")};
  return "Bearer " + issueToken(key, {std::string(issuer), "ann", std::string(scopes), expiresS});
}

TEST(Auth, KnowsTheBearer) {
  FilterHarness t("auth", kAuth);
  t.request->set(HeaderId::kAuthorization, bearer("me", 2000, "read"));
  t.request->set("x-subject", "forged");
  EXPECT_EQ(t.get("/x"), FilterStatus::kContinue);
  EXPECT_EQ(t.stream.streamInfo.subject, "ann");
  EXPECT_EQ(t.request->get("x-subject"), "ann");
  EXPECT_EQ(t.counter("auth.allowed"), 1u);
}

TEST(Auth, RefusalsSayWhy) {
  const auto detailOf = [](std::string_view header, std::string_view path) {
    FilterHarness t("auth", kAuth);
    if (!header.empty()) t.request->set(HeaderId::kAuthorization, header);
    EXPECT_EQ(t.get(path), FilterStatus::kStop);
    EXPECT_EQ(t.counter("auth.denied"), 1u);
    return std::to_string(t.stream.replyStatus) + " " + t.stream.replyDetail;
  };
  EXPECT_EQ(detailOf("", "/x"), "401 no_credentials");
  EXPECT_EQ(detailOf("Basic abc", "/x"), "401 scheme_unknown");
  EXPECT_EQ(detailOf("Bearer abc", "/x"), "401 token_malformed");
  EXPECT_EQ(detailOf(bearer("you", 2000, ""), "/x"), "401 token_foreign_issuer");
  EXPECT_EQ(detailOf(bearer("me", 1000, ""), "/x"), "401 token_expired");
  EXPECT_EQ(detailOf(bearer("me", 2000, "read"), "/admin/x"), "403 missing_scope");
}

TEST(Auth, ApiKeysAndOpenPaths) {
  FilterHarness t("auth", kAuth);
  t.request->set(HeaderId::kApiKey, "ak-1");
  EXPECT_EQ(t.get("/x"), FilterStatus::kContinue);
  EXPECT_EQ(t.stream.streamInfo.subject, "robot");
  EXPECT_FALSE(t.request->get(HeaderId::kApiKey));
  t.restart();
  t.request->set(HeaderId::kApiKey, "ak-2");
  EXPECT_EQ(t.get("/x"), FilterStatus::kStop);
  t.filter->onResponseHeaders(*t.response);
  EXPECT_TRUE(t.response->get(HeaderId::kWwwAuthenticate));
  t.restart();
  EXPECT_EQ(t.get("/open/x"), FilterStatus::kContinue);
}

TEST(RateLimit, BucketsEmptyAndFillAgain) {
  FilterHarness t("rate_limit", "limit l {\nkey remote\nrate_per_s 10\nburst 3\n}");
  const auto ask = [&t] {
    t.restart();
    return t.get("/");
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(), FilterStatus::kContinue);
  EXPECT_EQ(ask(), FilterStatus::kStop);
  EXPECT_EQ(t.stream.replyStatus, 429u);
  t.filter->onResponseHeaders(*t.response);
  EXPECT_EQ(t.response->get(HeaderId::kRetryAfter), "1");
  t.stream.clock.advance(99'000);
  EXPECT_EQ(ask(), FilterStatus::kStop);
  t.stream.clock.advance(1000);
  EXPECT_EQ(ask(), FilterStatus::kContinue);
  EXPECT_EQ(ask(), FilterStatus::kStop);
  EXPECT_EQ(t.counter("rate_limit.l.limited"), 3u);
}

TEST(RateLimit, KeysHaveBucketsOfTheirOwn) {
  FilterHarness t("rate_limit",
                  "limit l {\nkey header x-tenant\nkey path 1\npath prefix /api\nrate_per_s 1\n}");
  const auto ask = [&t](std::string_view path, std::string_view tenant) {
    t.restart();
    if (!tenant.empty()) t.request->set("x-tenant", tenant);
    return t.get(path);
  };
  EXPECT_EQ(ask("/api/a", "t1"), FilterStatus::kContinue);
  EXPECT_EQ(ask("/api/b", "t1"), FilterStatus::kStop);
  EXPECT_EQ(ask("/api/a", "t2"), FilterStatus::kContinue);
  EXPECT_EQ(ask("/apis/a", "t1"), FilterStatus::kContinue);
  EXPECT_EQ(ask("/other", "t1"), FilterStatus::kContinue);
  EXPECT_EQ(ask("/api/a", ""), FilterStatus::kContinue);
}

TEST(RateLimit, TooManyKeysLetRequestsPass) {
  FilterHarness t("rate_limit", "keys_max 2\nlimit l {\nkey header k\nrate_per_s 1\n}");
  const auto ask = [&t](std::string_view key) {
    t.restart();
    t.request->set("k", key);
    return t.get("/");
  };
  EXPECT_EQ(ask("a"), FilterStatus::kContinue);
  EXPECT_EQ(ask("b"), FilterStatus::kContinue);
  EXPECT_EQ(ask("c"), FilterStatus::kContinue);
  EXPECT_EQ(ask("c"), FilterStatus::kContinue);  // there is no room to count it
  EXPECT_EQ(ask("a"), FilterStatus::kStop);
  t.stream.clock.advance(2'000'000);  // a and b are full again and give way
  EXPECT_EQ(ask("c"), FilterStatus::kContinue);
  EXPECT_EQ(ask("c"), FilterStatus::kStop);
}

constexpr std::string_view kPolicies =
    "policy watch shadow {\nheader x-old present\n}\n"
    "policy staff allow {\npath prefix /admin/\nany {\nsubject exact ann\nremote 10.20.0.0 24\n}\n"
    "none {\nmethod DELETE\n}\n}\n"
    "policy admin deny {\npath prefix /admin/\n}\n"
    "policy big deny {\nquery limit glob ???*\n}";

TEST(AccessPolicy, TheFirstThatHoldsDecides) {
  FilterHarness t("access_policy", kPolicies);
  EXPECT_EQ(t.get("/admin/x"), FilterStatus::kContinue);
  EXPECT_EQ(t.counter("access_policy.staff"), 1u);
  t.restart();
  t.stream.streamInfo.remoteAddress = "10.20.1.1";
  EXPECT_EQ(t.get("/admin/x"), FilterStatus::kStop);
  EXPECT_EQ(t.stream.replyStatus, 403u);
  t.restart();
  t.stream.streamInfo.remoteAddress = "::1";
  t.stream.streamInfo.subject = "ann";
  EXPECT_EQ(t.get("/admin/x"), FilterStatus::kContinue);
  t.restart();
  t.request->set(HeaderId::kPath, "/admin/x");
  t.request->set(HeaderId::kMethod, "DELETE");
  EXPECT_EQ(t.filter->onRequestHeaders(*t.request, false), FilterStatus::kStop);
}

TEST(AccessPolicy, ShadowsOnlyCount) {
  FilterHarness t("access_policy", kPolicies);
  t.request->set("x-old", "1");
  EXPECT_EQ(t.get("/?limit=10"), FilterStatus::kContinue);
  EXPECT_EQ(t.counter("access_policy.watch"), 1u);
  t.restart();
  EXPECT_EQ(t.get("/?limit=1000"), FilterStatus::kStop);
}

TEST(AccessPolicy, DefaultMayBeToDeny) {
  FilterHarness t("access_policy", "default deny\npolicy p allow {\npath exact /ok\n}");
  EXPECT_EQ(t.get("/ok"), FilterStatus::kContinue);
  t.restart();
  EXPECT_EQ(t.get("/no"), FilterStatus::kStop);
}

TEST(HeaderGuard, EachRuleRefuses) {
  const auto allowed = [](std::string_view rule, std::string_view name, std::string_view value) {
    FilterHarness t("header_guard", rule);
    t.request->add(name, value);
    return t.get("/") == FilterStatus::kContinue;
  };
  EXPECT_TRUE(allowed("deny_underscore", "x-a", "_"));
  EXPECT_FALSE(allowed("deny_underscore", "x_a", ""));
  EXPECT_FALSE(allowed("deny_name prefix x-orig", "x-original-url", ""));
  EXPECT_FALSE(allowed("deny_value user-agent contains bot", "user-agent", "a bot"));
  EXPECT_TRUE(allowed("deny_value user-agent contains bot", "referer", "a bot"));
  EXPECT_FALSE(allowed("value_bytes_max 3", "a", "1234"));
  EXPECT_TRUE(allowed("value_bytes_max 3", "a", "123"));
  EXPECT_TRUE(allowed("require_utf8", "a", "caf\xc3\xa9 \xe2\x82\xac"));
  for (const char* bad : {"\xc3", "\xc3(", "\xff", "\xc0\xaf", "\x80"}) {
    EXPECT_FALSE(allowed("require_utf8", "a", bad));
  }
}

TEST(PathGuard, NormalisesAndRefuses) {
  FilterHarness t("path_guard", "deny suffix .php\ndeny glob /**/.git/**");
  EXPECT_EQ(t.get("/a//b/../c?d=//"), FilterStatus::kContinue);
  EXPECT_EQ(t.request->get(HeaderId::kPath), "/a/c?d=//");
  EXPECT_EQ(t.counter("path_guard.normalised"), 1u);
  for (const char* path : {"/x.php", "/x.ph%70?q", "/a/.git/config", "/../x", "/%zz", "*"}) {
    t.restart();
    EXPECT_EQ(t.get(path), FilterStatus::kStop) << path;
    EXPECT_EQ(t.stream.replyStatus, 400u);
  }
}

TEST(RequestId, MakesIdsAndKeepsSoundOnes) {
  FilterHarness t("request_id", "keep_foreign yes\nseed 5");
  t.stream.streamInfo.streamId = 1;
  t.get("/");
  const std::string first(t.request->get(HeaderId::kRequestId).value_or(""));
  EXPECT_EQ(first.size(), 36u);
  EXPECT_EQ(first[14], '4');
  t.filter->onResponseHeaders(*t.response);
  EXPECT_EQ(t.response->get(HeaderId::kRequestId), first);
  t.restart();
  t.stream.streamInfo.streamId = 2;
  t.get("/");
  EXPECT_NE(t.request->get(HeaderId::kRequestId), first);
  t.restart();
  t.request->set(HeaderId::kRequestId, first);
  t.get("/");
  EXPECT_EQ(t.request->get(HeaderId::kRequestId), first);
  t.restart();
  t.request->set(HeaderId::kRequestId, "evil\"id");
  t.get("/");
  EXPECT_NE(t.request->get(HeaderId::kRequestId), "evil\"id");
}

TEST(RequestId, ContinuesTraces) {
  FilterHarness t("request_id", "");
  const std::string trace = "00-0af7651916cd43dd8448eb211c80319c-";
  t.request->set(HeaderId::kTraceParent, trace + "b7ad6b7169203331-01");
  t.get("/");
  const std::string next(t.request->get(HeaderId::kTraceParent).value_or(""));
  EXPECT_EQ(next.substr(0, 36), trace);
  EXPECT_EQ(next.substr(52), "-01");
  EXPECT_NE(next.substr(36, 16), "b7ad6b7169203331");
  t.restart();
  t.request->set(HeaderId::kTraceParent, "00-zz");
  t.get("/");
  EXPECT_EQ(t.request->get(HeaderId::kTraceParent)->size(), 55u);
}

TEST(Session, ReadsOrIssuesACookie) {
  FilterHarness t("session", "cookie sid");
  t.request->set(HeaderId::kCookie, "a=1; sid=abc; sidx=2");
  t.get("/");
  EXPECT_EQ(t.stream.streamInfo.affinity, "abc");
  t.filter->onResponseHeaders(*t.response);
  EXPECT_FALSE(t.response->get(HeaderId::kSetCookie));
  t.restart();
  t.request->set(HeaderId::kRequestId, "r");
  t.get("/");
  EXPECT_EQ(t.stream.streamInfo.affinity.size(), 16u);
  t.filter->onResponseHeaders(*t.response);
  EXPECT_EQ(t.response->get(HeaderId::kSetCookie),
            "sid=" + t.stream.streamInfo.affinity + "; Path=/; HttpOnly");
}

TEST(Cors, AnswersPreflightsOfKnownOrigins) {
  FilterHarness t("cors", "origin glob https://*.example.com");
  t.request->set(HeaderId::kMethod, "OPTIONS");
  t.request->set(HeaderId::kPath, "/");
  t.request->set(HeaderId::kOrigin, "https://a.example.com");
  t.request->set("access-control-request-method", "PUT");
  EXPECT_EQ(t.filter->onRequestHeaders(*t.request, false), FilterStatus::kStop);
  EXPECT_EQ(t.stream.replyStatus, 204u);
  t.filter->onResponseHeaders(*t.response);
  EXPECT_EQ(t.response->get(HeaderId::kAllowOrigin), "https://a.example.com");
  EXPECT_TRUE(t.response->get("access-control-allow-methods"));
}

TEST(Cors, ForeignOriginsGetNothing) {
  FilterHarness t("cors", "origin exact https://a");
  t.request->set(HeaderId::kOrigin, "https://b");
  EXPECT_EQ(t.get("/"), FilterStatus::kContinue);
  t.filter->onResponseHeaders(*t.response);
  EXPECT_EQ(t.response->size(), 0u);
  t.restart();
  t.request->set(HeaderId::kOrigin, "https://a");
  EXPECT_EQ(t.get("/"), FilterStatus::kContinue);
  t.filter->onResponseHeaders(*t.response);
  EXPECT_EQ(t.response->get(HeaderId::kAllowOrigin), "https://a");
  EXPECT_FALSE(t.response->get("access-control-allow-methods"));
}

class JsonGuardTest : public testing::Test {
 protected:
  /// The outcome of a body that comes in pieces of one byte.
  std::string outcome(std::string_view type, std::string_view body) {
    t.restart();
    t.request->set(HeaderId::kContentType, type);
    t.filter->onRequestHeaders(*t.request, true);
    for (const char c : body) {
      if (t.filter->onRequestData({&c, 1}) == FilterStatus::kStop) return t.stream.replyDetail;
    }
    return t.filter->onRequestEnd() == FilterStatus::kStop ? t.stream.replyDetail : "passed";
  }

  FilterHarness t{"json_guard", "bytes_max 20\ndepth_max 2"};
};

TEST_F(JsonGuardTest, JudgesJsonBodies) {
  EXPECT_EQ(outcome("application/json; charset=utf-8", "{\"a\":[1]}"), "passed");
  EXPECT_EQ(outcome("application/json", "{\"a\":[[1]]}"), "json_malformed");
  EXPECT_EQ(outcome("application/json", "{\"a\":1"), "json_incomplete");
  EXPECT_EQ(outcome("application/json", "[1,2,3,4,5,6,7,8,9,10]"), "json_too_large");
  EXPECT_EQ(t.stream.replyStatus, 413u);
  EXPECT_EQ(outcome("text/plain", "{not json"), "passed");
  EXPECT_EQ(t.counter("json_guard.refused"), 3u);
}

TEST(HeaderRewrite, EveryStepInItsDirection) {
  FilterHarness t(
      "header_rewrite",
      "request {\nremove prefix x-int-\nset x-from \"%REMOTE%\"\nappend via \"1.1 m\"\n"
      "default x-d one\nrename x-old x-new\nadd x-many 2\n}\n"
      "response {\nremove {\nname exact server\n}\nset x-of \"%PATH% %RESP(etag)%\"\n}");
  t.stream.streamInfo.originalPath = "/p";
  for (const char* name : {"x-int-a", "via", "x-old", "x-many"}) t.request->add(name, "0");
  EXPECT_EQ(t.get("/p"), FilterStatus::kContinue);
  EXPECT_FALSE(t.request->get("x-int-a"));
  EXPECT_EQ(t.request->get("x-from"), "10.20.0.1");
  EXPECT_EQ(t.request->get(HeaderId::kVia), "0, 1.1 m");
  EXPECT_EQ(t.request->get("x-d"), "one");
  EXPECT_FALSE(t.request->get("x-old"));
  EXPECT_EQ(t.request->get("x-new"), "0");
  EXPECT_EQ(t.request->size(), 8u);  // method, path and x-many twice among them
  t.response->add("server", "s");
  t.response->add("etag", "e");
  t.filter->onResponseHeaders(*t.response);
  EXPECT_FALSE(t.response->get(HeaderId::kServer));
  EXPECT_EQ(t.response->get("x-of"), "/p e");
}

TEST(AccessLog, WritesWantedLines) {
  FilterHarness t("access_log",
                  "only status 500 599\nonly slower_than_us 100\nformat \"%STATUS%\"");
  const auto complete = [&t](unsigned status, uint64_t durationUs) {
    t.restart();
    t.stream.streamInfo.status = status;
    t.stream.streamInfo.durationUs = durationUs;
    t.filter->onComplete(*t.request, *t.response);
  };
  complete(200, 99);
  complete(200, 100);
  complete(503, 1);
  EXPECT_EQ(t.log.text, "200\n503\n");
}

TEST(Stats, CountsByClassAndCluster) {
  FilterHarness t("stats", "", "cluster c {\nendpoint e:1\n}\n");
  t.get("/");
  t.stream.streamInfo.status = 404;
  t.stream.streamInfo.cluster = "c";
  t.stream.streamInfo.requestBodyBytes = 5;
  t.filter->onComplete(*t.request, *t.response);
  t.restart();
  t.stream.streamInfo.status = 777;
  t.stream.streamInfo.detail = "x";
  t.filter->onComplete(*t.request, *t.response);
  EXPECT_EQ(t.counter("mesh.requests_4xx"), 1u);
  EXPECT_EQ(t.counter("mesh.requests_other"), 1u);
  EXPECT_EQ(t.counter("cluster.c.requests_4xx"), 1u);
  EXPECT_EQ(t.counter("mesh.bytes_in"), 5u);
  EXPECT_EQ(t.counter("mesh.local_replies"), 1u);
}

}  // namespace
}  // namespace mesh
