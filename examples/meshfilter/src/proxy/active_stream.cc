#include "proxy/active_stream.h"

#include "core/text.h"
#include "http/encoder.h"

namespace mesh {

ActiveStream::ActiveStream(ProxyContext& context, std::string_view remoteAddress)
    : context_(context), request_(makeHeaderMap()), response_(makeHeaderMap()) {
  info_.streamId = context.nextStreamId++;
  info_.startUs = context.time.nowUs();
  info_.remoteAddress = remoteAddress;
  filters_.reserve(context.config.chain().size());
  for (const auto& factory : context.config.chain()) filters_.push_back(factory->create(*this));
}

void ActiveStream::runRequestHeaders(bool hasBody) {
  info_.originalPath.assign(request_->get(HeaderId::kPath).value_or(""));
  for (const auto& filter : filters_) {
    ++filtersReached_;
    if (filter->onRequestHeaders(*request_, hasBody) == FilterStatus::kStop) return;
  }
}

void ActiveStream::runRequestData(std::string_view bytes) {
  info_.requestBodyBytes += bytes.size();
  if (replied_) return;
  for (const auto& filter : filters_) {
    if (filter->onRequestData(bytes) == FilterStatus::kStop) return;
  }
}

void ActiveStream::finish() {
  if (!replied_) {
    for (const auto& filter : filters_) {
      if (filter->onRequestEnd() == FilterStatus::kStop) break;
    }
  }
  if (!replied_) forward();
  sendResponse(localBody_);
  complete();
}

void ActiveStream::sendLocalReply(unsigned status, std::string_view body, std::string_view detail) {
  replied_ = true;
  info_.status = status;
  info_.detail = detail;
  info_.responseBodyBytes = body.size();
  localBody_.assign(body);
  response_->set(HeaderId::kServer, "mesh");
  if (body.empty()) return;
  response_->set(HeaderId::kContentType, "text/plain");
  std::string length;
  appendDecimal(length, body.size());
  response_->set(HeaderId::kContentLength, length);
}

void ActiveStream::forward() {
  if (info_.endpoint.empty()) {
    sendLocalReply(503, "nowhere to go\n", "no_endpoint");
    return;
  }
  wire_.reserve(1024);
  encodeRequestHead(*request_, wire_);
  const UpstreamReply reply = context_.upstream.exchange(info_, wire_, *response_);
  info_.status = reply.status;
  info_.responseBodyBytes = reply.bodyBytes;
  info_.durationUs = reply.latencyUs;
}

void ActiveStream::sendResponse(std::string_view body) {
  info_.durationUs += context_.time.nowUs() - info_.startUs;
  for (size_t i = filtersReached_; i-- > 0;) filters_[i]->onResponseHeaders(*response_);
  wire_.clear();
  encodeResponseHead(info_.status, *response_, wire_);
  wire_.append(body);
  context_.downstream.write(wire_);
}

void ActiveStream::complete() {
  for (size_t i = 0; i < filtersReached_; ++i) filters_[i]->onComplete(*request_, *response_);
}

}  // namespace mesh
