// What is known of how an endpoint does. All workers and the main thread write it together, without a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace hone::mesh {

// EndpointHealth stands on a line of the CPU's caches of its own.
struct alignas(64) EndpointHealth {
  // False once checks have failed often enough. Written by the main thread.
  std::atomic<bool> passes_checks{true};
  // When the endpoint comes back, in nanoseconds of a Moment; 0 while it is not ejected.
  std::atomic<std::int64_t> ejected_until_ns{0};
  // How often it was ejected, less one for each interval in which it was not: each time takes longer.
  std::atomic<std::uint32_t> ejections{0};
  // Failures since the last success.
  std::atomic<std::uint32_t> gateway_failures{0};
  std::atomic<std::uint32_t> local_failures{0};

  bool is_up() const {
    return passes_checks.load(std::memory_order_relaxed) && ejected_until_ns.load(std::memory_order_relaxed) == 0;
  }
};

// ClusterHealth is what an endpoint's health means to its cluster.
struct ClusterHealth {
  // Endpoints that are ejected now.
  std::atomic<std::uint32_t> ejected{0};
  std::atomic<std::uint64_t> ejections{0};
  // Changes whenever an endpoint goes or comes back, so that workers look again.
  std::atomic<std::uint64_t> version{0};

  void changed() { version.fetch_add(1, std::memory_order_release); }
};

// OutlierRule is when an endpoint that fails is left out for a time.
struct OutlierRule {
  // SuccessRate compares the endpoints of a cluster with each other.
  struct SuccessRate {
    // Endpoints that had enough requests in the interval, below which nothing is compared.
    std::uint32_t endpoints = 5;
    std::uint32_t requests = 100;
    // An endpoint is left out whose rate is this many standard deviations below the mean.
    double deviations = 1.9;

    bool operator==(const SuccessRate&) const = default;
  };

  // Answers of 502, 503 and 504 in a row, and tries without an answer in a row; never where it is zero.
  std::uint32_t gateway_failures = 5;
  std::uint32_t local_failures = 5;
  std::optional<SuccessRate> success_rate = SuccessRate();
  // How often rates are compared and endpoints come back.
  Duration interval = std::chrono::seconds(10);
  // How long an endpoint is left out, times how often it was, up to the longest.
  Duration time = std::chrono::seconds(30);
  Duration longest = std::chrono::minutes(5);
  // Percentage of the endpoints that may be left out at one time; one may always.
  std::uint32_t most_percent = 10;

  bool operator==(const OutlierRule&) const = default;
};

// HealthRule is how endpoints are asked whether they are well.
struct HealthRule {
  enum class Kind : std::uint8_t { kHttp, kTcp, kGrpc };

  Kind kind = Kind::kHttp;
  // HTTP: what is asked for, of whom, and the answers that are well. An empty host is the endpoint's address.
  std::string path = "/";
  std::string host;
  int least_status = 200;
  int most_status = 299;
  // gRPC: the service that is asked for; empty for the whole server.
  std::string service;
  Duration interval = std::chrono::seconds(5);
  // Up to this much is added to each interval at random, so that processes do not ask together.
  Duration jitter = std::chrono::milliseconds(500);
  Duration timeout = std::chrono::seconds(1);
  // In a row, after which an endpoint is not well any more, and is well again.
  std::uint32_t failures = 3;
  std::uint32_t successes = 2;

  bool operator==(const HealthRule&) const = default;
};

}  // namespace hone::mesh
