#include "proxy/connection.h"

#include <utility>

#include "core/text.h"
#include "http/encoder.h"
#include "proxy/active_stream.h"

namespace mesh {

namespace {

constexpr size_t kHeaderNameBytesMax = 128;

}  // namespace

Connection::Connection(ProxyContext& context, std::string remoteAddress)
    : context_(context),
      remoteAddress_(std::move(remoteAddress)),
      parser_(*this, context.config.limits()) {}

Connection::~Connection() = default;

bool Connection::onBytes(std::string_view bytes) {
  if (closed_) return false;
  pending_.append(bytes);
  size_t used = 0;
  while (used < pending_.size()) {
    const size_t consumed = parser_.consume(std::string_view(pending_).substr(used));
    used += consumed;
    if (parser_.error() != ParseError::kNone) {
      refuse(parser_.error());
      return false;
    }
    if (consumed == 0) break;
  }
  pending_.erase(0, used);
  return true;
}

void Connection::onRequestLine(std::string_view method, std::string_view target,
                               unsigned minorVersion) {
  stream_ = std::make_unique<ActiveStream>(context_, remoteAddress_);
  stream_->info().minorVersion = minorVersion;
  stream_->request().set(HeaderId::kMethod, method);
  stream_->request().set(HeaderId::kPath, target);
}

void Connection::onHeader(std::string_view name, std::string_view value) {
  char lowered[kHeaderNameBytesMax];
  if (name.size() > sizeof(lowered)) {
    stream_->request().add(std::string(name), value);
    return;
  }
  for (size_t i = 0; i < name.size(); ++i) lowered[i] = lowerAscii(name[i]);
  stream_->request().add(std::string_view(lowered, name.size()), value);
}

void Connection::onHeadComplete(bool hasBody) {
  stream_->runRequestHeaders(hasBody);
}

void Connection::onBody(std::string_view bytes) {
  stream_->runRequestData(bytes);
}

void Connection::onMessageComplete() {
  stream_->finish();
  stream_.reset();
}

void Connection::refuse(ParseError error) {
  closed_ = true;
  stream_.reset();
  context_.config.stats().add(
      context_.config.stats().counter("parser." + std::string(parseErrorText(error))));
  const std::unique_ptr<HeaderMap> headers = makeHeaderMap();
  headers->set(HeaderId::kConnection, "close");
  headers->set(HeaderId::kServer, "mesh");
  std::string wire;
  const bool tooLarge = error == ParseError::kHeadTooLarge || error == ParseError::kTooManyHeaders;
  encodeResponseHead(error == ParseError::kBodyTooLarge ? 413
                     : tooLarge                         ? 431
                                                        : 400,
                     *headers, wire);
  context_.downstream.write(wire);
}

}  // namespace mesh
