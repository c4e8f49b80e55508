#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/time.h"
#include "http/header_map.h"

namespace mesh {

/// What is known of one request besides its headers. Views point to the configuration or to text
/// that outlives the stream.
struct StreamInfo {
  uint64_t streamId = 0;
  uint64_t startUs = 0;
  uint64_t durationUs = 0;
  std::string_view remoteAddress;
  unsigned minorVersion = 1;
  std::string originalPath;  // as it came in, before any filter changed it
  std::string subject;       // who asks; empty if not known
  std::string affinity;      // requests of equal affinity should meet the same endpoint
  std::string_view route;
  std::string_view cluster;
  std::string_view endpoint;
  unsigned status = 0;
  std::string_view detail;  // why the proxy itself replied; empty if an endpoint did
  uint64_t requestBodyBytes = 0;
  uint64_t responseBodyBytes = 0;
};

enum class FilterStatus {
  kContinue,
  kStop,  // the filter has sent a local reply
};

/// What a filter may ask of the stream that it belongs to.
class StreamCallbacks {
 public:
  virtual ~StreamCallbacks() = default;
  virtual StreamInfo& info() = 0;
  virtual const TimeSource& time() const = 0;
  /// Answers without asking an endpoint. The filter must return kStop after it.
  virtual void sendLocalReply(unsigned status, std::string_view body, std::string_view detail) = 0;
};

/// One filter of one stream. Requests pass the chain from the first filter to the last, responses
/// from the last that saw the request back to the first.
class StreamFilter {
 public:
  virtual ~StreamFilter() = default;
  virtual FilterStatus onRequestHeaders(HeaderMap& headers, bool hasBody) = 0;
  virtual FilterStatus onRequestData(std::string_view bytes) = 0;
  /// The whole request was received.
  virtual FilterStatus onRequestEnd() = 0;
  virtual void onResponseHeaders(HeaderMap& headers) = 0;
  /// The stream is over; nothing can be changed any more.
  virtual void onComplete(const HeaderMap& request, const HeaderMap& response) = 0;
};

/// Lets everything pass, for filters that care for a part of the events only.
class PassThroughFilter : public StreamFilter {
 public:
  FilterStatus onRequestHeaders(HeaderMap&, bool) override { return FilterStatus::kContinue; }
  FilterStatus onRequestData(std::string_view) override { return FilterStatus::kContinue; }
  FilterStatus onRequestEnd() override { return FilterStatus::kContinue; }
  void onResponseHeaders(HeaderMap&) override {}
  void onComplete(const HeaderMap&, const HeaderMap&) override {}
};

/// Holds a filter's configuration and makes an instance for each stream.
class FilterFactory {
 public:
  virtual ~FilterFactory() = default;
  virtual std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) = 0;
};

}  // namespace mesh
