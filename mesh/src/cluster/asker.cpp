#include "cluster/asker.hpp"

#include <utility>

#include "http/reply.hpp"

namespace hone::mesh {

Asker::Asker(Parts parts, std::unique_ptr<Pool> pool, Delegate<void(const Answer&)> answered)
    : parts_(parts),
      pool_(std::move(pool)),
      answered_(answered),
      timeout_(Delegate<void()>::of<&Asker::on_timeout>(*this)),
      waiter_(*this, Delegate<void(Exchange&)>::of<&Asker::on_exchange>(*this),
              Delegate<void(PoolFailure)>::of<&Asker::on_no_exchange>(*this)) {}

Asker::~Asker() {
  give_up();
}

void Asker::ask(const Question& question, Duration timeout) {
  question_ = question;
  answer_ = {};
  waiter_.needs_fresh = false;
  parts_.loop.set(timeout_, parts_.loop.now() + timeout);
  pool_->acquire(waiter_);
}

void Asker::on_exchange(Exchange& exchange) {
  exchange_ = &exchange;
  Head head;
  Arena& arena = exchange.arena();
  head.method = question_.method;
  head.scheme = question_.scheme;
  head.authority = question_.authority;
  head.path = question_.path;
  head.headers.add(arena, HeaderId::kUserAgent, "hone-mesh");
  if (!question_.content_type.empty()) {
    head.body = {Body::Kind::kSized, question_.body.size()};
    head.headers.add(arena, HeaderId::kContentType, question_.content_type);
    // Every call of gRPC has this field, and other servers ignore it.
    head.headers.add(arena, HeaderId::kTe, "trailers");
  }
  exchange.write_head(head);
  write_copy(exchange, parts_.buffers, question_.body);
  exchange.write_end({});
}

void Asker::on_head(Head head) {
  if (!is_informational(head.status)) answer_.status = head.status;
}

void Asker::on_body(Slice slice) {
  answer_.body.append(slice.bytes.substr(0, kMostBody - answer_.body.size()));
}

void Asker::on_end(Headers trailers) {
  exchange_ = nullptr;
  const Header* const status = trailers.find(HeaderId::kGrpcStatus);
  if (status != nullptr) answer_.grpc_status = status->value;
  end();
}

void Asker::on_reset(Reset reason) {
  exchange_ = nullptr;
  answer_ = {};
  if (reason != Reset::kStale || waiter_.needs_fresh) return end();
  // A kept connection has been closed meanwhile, which says nothing about the endpoint.
  waiter_.needs_fresh = true;
  pool_->acquire(waiter_);
}

void Asker::on_timeout() {
  give_up();
  answer_ = {};
  end();
}

void Asker::give_up() {
  waiter_.take_back();
  if (exchange_ != nullptr) std::exchange(exchange_, nullptr)->reset(Reset::kCancelled);
}

void Asker::end() {
  timeout_.cancel();
  answered_(answer_);
}

}  // namespace hone::mesh
