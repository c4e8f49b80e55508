// The health of endpoints. All workers and the main thread write it together, without a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace hone::mesh {

// EndpointHealth has a line of the CPU's caches of its own.
struct alignas(64) EndpointHealth {
  // False once checks have failed often enough. Written by the main thread.
  std::atomic<bool> passes_checks{true};
  // The time at which the endpoint comes back, in nanoseconds of a Moment; 0 while it is not ejected.
  std::atomic<std::int64_t> ejected_until_ns{0};
  // The number of ejections, less one for each interval without one: each ejection takes longer.
  std::atomic<std::uint32_t> ejections{0};
  // Failures since the last success.
  std::atomic<std::uint32_t> gateway_failures{0};
  std::atomic<std::uint32_t> local_failures{0};

  bool is_up() const {
    return passes_checks.load(std::memory_order_relaxed) && ejected_until_ns.load(std::memory_order_relaxed) == 0;
  }
};

// ClusterHealth is the health of a cluster's endpoints as a whole.
struct ClusterHealth {
  // The number of endpoints that are ejected now.
  std::atomic<std::uint32_t> ejected{0};
  std::atomic<std::uint64_t> ejections{0};
  // Changes whenever an endpoint goes or comes back, so that workers look again.
  std::atomic<std::uint64_t> version{0};

  void changed() { version.fetch_add(1, std::memory_order_release); }
};

// OutlierRule holds the conditions under which an endpoint that fails is left out for a time.
struct OutlierRule {
  // SuccessRate compares the endpoints of a cluster with each other.
  struct SuccessRate {
    // Rates are compared if at least this many endpoints had at least this many requests each in the interval.
    std::uint32_t endpoints = 5;
    std::uint32_t requests = 100;
    // An endpoint is left out if its rate is more than this many standard deviations below the mean.
    double deviations = 1.9;

    bool operator==(const SuccessRate&) const = default;
  };

  // The numbers of answers of 502, 503 and 504 in a row, and of tries without an answer in a row, after which an
  // endpoint is left out; never where the number is zero.
  std::uint32_t gateway_failures = 5;
  std::uint32_t local_failures = 5;
  std::optional<SuccessRate> success_rate = SuccessRate();
  // The interval after which rates are compared and endpoints come back.
  Duration interval = std::chrono::seconds(10);
  // An endpoint is left out for `time`, times the number of its ejections, up to `longest`.
  Duration time = std::chrono::seconds(30);
  Duration longest = std::chrono::minutes(5);
  // Percentage of the endpoints that may be left out at one time; one endpoint always may.
  std::uint32_t most_percent = 10;

  bool operator==(const OutlierRule&) const = default;
};

// HealthRule is the rule for the checks whether endpoints are well.
struct HealthRule {
  enum class Kind : std::uint8_t { kHttp, kTcp, kGrpc };

  Kind kind = Kind::kHttp;
  // HTTP: the path and the host of the request, and the statuses of an endpoint that is well. An empty host is the
  // endpoint's address.
  std::string path = "/";
  std::string host;
  int least_status = 200;
  int most_status = 299;
  // gRPC: the service to ask about; empty for the whole server.
  std::string service;
  Duration interval = std::chrono::seconds(5);
  // A random time up to this one is added to each interval, so that processes do not ask together.
  Duration jitter = std::chrono::milliseconds(500);
  Duration timeout = std::chrono::seconds(1);
  // Failures in a row after which an endpoint is not well any more, and successes in a row after which it is well
  // again.
  std::uint32_t failures = 3;
  std::uint32_t successes = 2;

  bool operator==(const HealthRule&) const = default;
};

}  // namespace hone::mesh
