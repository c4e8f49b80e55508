// Filters in the order in which a route's requests and responses pass them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "filter/filter.hpp"

namespace hone::mesh {

// Chain holds, for each event, only the filters that handle it.
class Chain {
 public:
  explicit Chain(std::vector<std::shared_ptr<const Filter>> filters) : filters_(std::move(filters)) {
    for (const auto& filter : filters_) {
      if (filter->events().request) on_request_.push_back(filter.get());
      if (filter->events().done) on_done_.push_back(filter.get());
    }
    for (auto filter = filters_.rbegin(); filter != filters_.rend(); ++filter) {
      if ((*filter)->events().response) on_response_.push_back(filter->get());
    }
  }

  std::span<const Filter* const> on_request() const { return on_request_; }
  // The last filter of the request comes first.
  std::span<const Filter* const> on_response() const { return on_response_; }
  std::span<const Filter* const> on_done() const { return on_done_; }

 private:
  std::vector<std::shared_ptr<const Filter>> filters_;
  std::vector<const Filter*> on_request_;
  std::vector<const Filter*> on_response_;
  std::vector<const Filter*> on_done_;
};

}  // namespace hone::mesh
