#include "config/health.hpp"

#include <algorithm>

namespace hone::mesh::config {
namespace {

// The longest name that fits into a message of gRPC whose length takes one byte.
constexpr std::size_t kLongestService = 100;
constexpr Duration kLongestJitter = std::chrono::minutes(10);

const auto kCount = [](const Value& value) { return value.number(1, 1000); };
// Zero stands for never.
const auto kLimit = [](const Value& value) { return value.number(0, 1000); };

}  // namespace

HealthRule read_check(const Value& value) {
  using Kind = HealthRule::Kind;
  HealthRule rule;
  const Section section(value, {"protocol", "path", "host", "statuses", "service", "interval", "jitter", "timeout",
                                "failures", "successes"});
  section.set("protocol", rule.kind, [](const Value& one) {
    return one.choice<Kind>({{"http", Kind::kHttp}, {"tcp", Kind::kTcp}, {"grpc", Kind::kGrpc}});
  });
  for (const std::string_view key : {"path", "host", "statuses"}) {
    const auto found = section.find(key);
    if (found && rule.kind != Kind::kHttp) found->fault("this is for checks of HTTP", "take it out");
  }
  section.set("path", rule.path, kTarget);
  section.set("host", rule.host, kAuthority);
  if (const auto found = section.find("statuses")) {
    const Section statuses(*found, {"from", "to"});
    const auto status = [](const Value& one) { return one.number(200, 599); };
    statuses.set("from", rule.least_status, status);
    statuses.set("to", rule.most_status, status);
    if (rule.least_status > rule.most_status)
      found->fault("no status is between these", "write from: 200, to: 399, say");
  }
  if (const auto service = section.find("service")) {
    rule.service = service->text().value_or("");
    if (rule.kind != Kind::kGrpc) service->fault("this is for checks of gRPC", "take it out");
    if (rule.service.size() > kLongestService)
      service->fault("the name has more than 100 bytes", "write a shorter one");
  }
  section.set("interval", rule.interval, kDuration);
  rule.jitter = std::min(rule.interval / 10, kLongestJitter);
  section.set("jitter", rule.jitter, kDuration);
  if (rule.jitter > kLongestJitter) section.find("jitter")->fault("jitter has at most 10 minutes", "write less");
  section.set("timeout", rule.timeout, kDuration);
  section.set("failures", rule.failures, kCount);
  section.set("successes", rule.successes, kCount);
  return rule;
}

OutlierRule read_outlier(const Value& value) {
  OutlierRule rule;
  const Section section(value,
                        {"gateway_failures", "local_failures", "success_rate", "interval", "time", "longest", "most"});
  section.set("gateway_failures", rule.gateway_failures, kLimit);
  section.set("local_failures", rule.local_failures, kLimit);
  section.set("interval", rule.interval, kDuration);
  section.set("time", rule.time, kDuration);
  section.set("longest", rule.longest, kDuration);
  section.set("most", rule.most_percent, [](const Value& one) { return one.number(0, 100); });
  const auto rate = section.find("success_rate");
  if (rate && rate->is_text() && rate->text() == "none") {
    rule.success_rate.reset();
  } else if (rate) {
    const Section parts(*rate, {"endpoints", "requests", "deviations"});
    parts.set("endpoints", rule.success_rate->endpoints, kCount);
    parts.set("requests", rule.success_rate->requests, [](const Value& one) { return one.number(1, 1'000'000); });
    parts.set("deviations", rule.success_rate->deviations, [](const Value& one) { return one.real(0, 10); });
  }
  return rule;
}

}  // namespace hone::mesh::config
