#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "filters/filter.h"
#include "proxy/connection.h"

namespace mesh {

/// One request on its way through the chain and back. Owns the headers and the filter instances.
class ActiveStream : public StreamCallbacks {
 public:
  ActiveStream(ProxyContext& context, std::string_view remoteAddress);

  HeaderMap& request() { return *request_; }
  void runRequestHeaders(bool hasBody);
  void runRequestData(std::string_view bytes);
  /// The request is complete: forwards it unless a filter has replied, then ends the stream.
  void finish();

  StreamInfo& info() override { return info_; }
  const TimeSource& time() const override { return context_.time; }
  void sendLocalReply(unsigned status, std::string_view body, std::string_view detail) override;

 private:
  void forward();
  void sendResponse(std::string_view body);
  void complete();

  ProxyContext& context_;
  StreamInfo info_;
  std::unique_ptr<HeaderMap> request_;
  std::unique_ptr<HeaderMap> response_;
  std::vector<std::unique_ptr<StreamFilter>> filters_;
  size_t filtersReached_ = 0;  // those that saw the request headers see the response too
  std::string wire_;           // head that is being encoded
  std::string localBody_;
  bool replied_ = false;
};

}  // namespace mesh
