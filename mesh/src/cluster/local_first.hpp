// Local first: as many requests as possible stay at the place that they come from, a machine or a zone, while every
// endpoint has its fair share of all requests.
//
// The numbers are those of go/rpc/policy/localfirst, whose package comment explains the method and names its sources; a
// file with weights there is a test of both.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hone::mesh::local_first {

// Callee is an endpoint: the id that all callers know it by, its place, and its fair share of all requests in relation
// to others'.
struct Callee {
  std::string id;
  std::string place;
  double capacity = 1;
};

// Caller is a place that requests come from, and their rate in relation to other places.
struct Caller {
  std::string place;
  double rate = 1;
};

struct Options {
  // The largest distance of an endpoint's load from its fair share, so that more requests stay local.
  double tolerance = 0.05;
  // The number of endpoints of other places that a place's requests go to, or more where these are a large part of all
  // such requests; zero for no bound.
  std::size_t subset = 0;
};

// Returns the weight of each endpoint for the requests of one place, from 0 to 1; the weights add up to 1. Capacities
// and rates are not negative, and some of each are positive.
std::vector<double> weights(std::span<const Callee> callees, std::span<const Caller> callers, std::string_view place,
                            const Options& options);

}  // namespace hone::mesh::local_first
