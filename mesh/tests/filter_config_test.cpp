// Filters as a configuration writes them.
#include <gtest/gtest.h>

#include <string>

#include "config/yaml.hpp"
#include "filter/chain.hpp"

namespace hone::mesh::testing {
namespace {

std::string with_filters(const std::string& listener, const std::string& route) {
  return "listeners:\n  - name: in\n    address: 127.0.0.1:1\n    filters:\n" + listener +
         "    routes:\n      - reply: {status: 204}\n" + route;
}

TEST(FilterConfigurations, MakeTheChainOfEachRoute) {
  const std::string listener = R"(      - request_id
      - cors: {origins: [https://a.example, {suffix: .b.example}], methods: [GET], credentials: true, max_age: 90s}
      - access:
          deny: [{match: {prefix: /admin}, clients: [0.0.0.0/0], name: no-admin}]
          allow: [{match: {methods: [GET]}}]
          shadow: true
      - rate_limit: {requests: 100, per: 1m, burst: 5}
      - fault: {abort: {percent: 0.01, status: 500}, delay: {percent: 100, time: 1ms, waiting: 3}}
      - headers: {request: {set: {X-A: "1"}}, response: {add: {x-b: 2}, remove: [Server]}}
)";
  const auto read =
      config::read_yaml(with_filters(listener,
                                     "        match: {path: /skip}\n        skip: [rate_limit, fault]\n"
                                     "        filters: [{headers: {request: {remove: [x-c]}}}]\n      - reply: {}\n"),
                        "m.yaml");
  ASSERT_NE(read.snapshot, nullptr) << read.faults.front();
  const ListenerSpec& spec = read.snapshot->listeners[0];
  EXPECT_EQ(spec.filters->on_request().size(), 6u);
  EXPECT_EQ(spec.filters->on_response().size(), 2u) << "cors and headers";
  Head head;
  head.path = "/skip";
  EXPECT_EQ(spec.hosts.find(head)->filters->on_request().size(), 5u);
  head.path = "/other";
  EXPECT_EQ(spec.hosts.find(head)->filters, spec.filters) << "routes without filters of their own share one chain";
}

TEST(FilterConfigurations, OfNoFilterCostNothing) {
  const auto read = config::read_yaml("listeners: [{name: in, address: 127.0.0.1:1, routes: [{reply: {}}]}]", "m.yaml");
  ASSERT_NE(read.snapshot, nullptr);
  EXPECT_EQ(read.snapshot->listeners[0].filters, nullptr);
  Head head;
  head.path = "/";
  EXPECT_EQ(read.snapshot->listeners[0].hosts.find(head)->filters, nullptr);
}

TEST(FilterConfigurations, SayWhereWhatIsWrongAndWhatWouldBeRight) {
  const std::string at = "m.yaml:5: listeners[0].filters[0]";
  const std::pair<const char*, std::string> cases[] = {
      {"rate",
       at + ": there is no filter \"rate\"; write one of: request_id, cors, access, rate_limit, fault, headers, trace"},
      {"[a]", at + ": a filter is one word with what it says; begin each with a dash, and one of: request_id, "},
      {"{cors: {}, fault: {}}", at + ": a filter is one word with what it says; "},
      {"rate_limit", at + ": the key \"requests\" is missing; write requests: 100, say"},
      {"rate_limit: {requests: 0}", at + ".rate_limit.requests: \"0\" is not possible; "},
      {"rate_limit: {requests: 1, per: 5}", at + ".rate_limit.per: \"5\" has no unit; write 5s or 5ms"},
      {"rate_limit: {requests: 1, per: 1000000m, burst: 1000000}",
       at + ".rate_limit: it takes years until the bucket is full; write a smaller burst:"},
      {"request_id: {keep: maybe}", at + ".request_id.keep: \"maybe\" is not known; write one of: true, false"},
      {"cors: {}", at + ".cors: the key \"origins\" is missing; "},
      {"cors: {origins: [a.example]}", at + ".cors.origins[0]: \"a.example\" is no origin; write one such as "},
      {"cors: {origins: [{suffix: a.example}]}",
       at + ".cors.origins[0]: \"a.example\" is the end of names of others too; begin with a dot"},
      {"cors: {origins: [{prefix: https://a}]}", at + ".cors.origins[0]: origins that begin alike may be anybody's; "},
      {"cors: {origins: [{regex: '('}]}", at + ".cors.origins[0].regex: \"(\" is no regular expression: "},
      {"cors: {origins: ['*'], credentials: true}", at + ".cors: credentials for all origins would give them to "},
      {"cors: {origins: ['*'], headers: ['a b']}", at + ".cors.headers[0]: \"a b\" is no name; "},
      {"access: {}", at + ".access: there are no rules; write deny:, allow: or both"},
      {"access: {allow: []}", at + ".access.allow: there is no rule; write at least one, or take it out"},
      {"access: {deny: [{clients: [10.0.0.1/8]}]}", at + ".access.deny[0].clients[0]: \"10.0.0.1/8\" is no network; "},
      {"access: {deny: [{clients: []}]}", at + ".access.deny[0].clients: there is no client; "},
      {"access: {deny: [{path: /a}]}", at + ".access.deny[0]: there is no key \"path\"; did you mean match?"},
      {"fault: {}", at + ".fault: there is no fault; write abort:, delay: or both"},
      {"fault: {abort: {percent: 101}}",
       at + ".fault.abort.percent: \"101\" is not possible; write a number from 0 to 100, such as 12.5"},
      {"fault: {abort: {percent: nan}}", at + ".fault.abort.percent: \"nan\" is not possible; "},
      {"fault: {delay: {percent: 1, time: 2m}}", at + ".fault.delay: a delay has at most a minute; "},
      {"headers: {request: {}}", at + ".headers.request: nothing is changed; write set:, add: or remove:"},
      {"headers: {request: {set: {Host: a}}}", at + ".headers.request.set.Host: \"host\" belongs to the connection; "},
      {"headers: {request: {set: {'a:': a}}}", at + ".headers.request.set.a:: \"a:\" is no name of a field; "},
      {"headers: {request: {set: {a: \"b\\nc: d\"}}}",
       at + ".headers.request.set.a: \"b\nc: d\" is no value of a field"},
      {"headers: {response: {remove: [content-length]}}",
       at + ".headers.response.remove[0]: \"content-length\" belongs"},
  };
  for (const auto& [text, said] : cases) {
    const auto read = config::read_yaml(with_filters(std::string("      - ") + text + "\n", ""), "m.yaml");
    EXPECT_EQ(read.snapshot, nullptr) << text;
    ASSERT_FALSE(read.faults.empty()) << text;
    EXPECT_EQ(read.faults.front().substr(0, said.size()), said);
  }
  const auto skipped = config::read_yaml(with_filters("      - request_id\n", "        skip: [cors]\n"), "m.yaml");
  ASSERT_FALSE(skipped.faults.empty());
  EXPECT_EQ(skipped.faults.front(),
            "m.yaml:8: listeners[0].routes[0].skip[0]: the listener has no filter \"cors\"; leave it out");
}

}  // namespace
}  // namespace hone::mesh::testing
