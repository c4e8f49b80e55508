#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/byte_sink.h"
#include "http/request_parser.h"
#include "proxy/mesh_config.h"
#include "proxy/upstream.h"

namespace mesh {

/// What all connections of a proxy share. Everything outlives the connections.
struct ProxyContext {
  MeshConfig& config;
  Upstream& upstream;
  const TimeSource& time;
  ByteSink& downstream;  // takes encoded responses
  uint64_t nextStreamId = 1;
};

class ActiveStream;

/// One client's connection: bytes in, responses out. Requests on it are handled in order.
class Connection : private ParserEvents {
 public:
  Connection(ProxyContext& context, std::string remoteAddress);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Takes what one read from a socket gave. False once the connection must be closed because the
  /// client does not speak HTTP/1.1 properly; an error response was sent then.
  bool onBytes(std::string_view bytes);

  bool idle() const { return stream_ == nullptr && pending_.empty(); }

 private:
  void onRequestLine(std::string_view method, std::string_view target,
                     unsigned minorVersion) override;
  void onHeader(std::string_view name, std::string_view value) override;
  void onHeadComplete(bool hasBody) override;
  void onBody(std::string_view bytes) override;
  void onMessageComplete() override;
  void refuse(ParseError error);

  ProxyContext& context_;
  const std::string remoteAddress_;
  RequestParser parser_;
  std::string pending_;  // bytes that are not consumed yet
  std::unique_ptr<ActiveStream> stream_;
  bool closed_ = false;
};

}  // namespace mesh
