#include "stream/tunnel.hpp"

#include <algorithm>
#include <string>

#include "base/hash.hpp"

namespace hone::mesh {
namespace {

// The most endpoints that are tried, one after the other.
constexpr std::size_t kMostTries = 3;

}  // namespace

void Tunnel::Side::open(std::unique_ptr<Transport> transport) {
  const Parts& parts = home.around_.parts;
  channel.emplace(parts.loop, parts.buffers, std::move(transport),
                  Channel::Events{.readable = Delegate<void()>::of<&Side::on_readable>(*this),
                                  .flushed = Delegate<void(bool)>::of<&Side::on_flushed>(*this),
                                  .broken = Delegate<void()>::of<&Side::on_broken>(*this)});
}

void Tunnel::Side::on_readable() {
  const Channel::Fill fill = channel->fill();
  if (fill.transfer.would_block()) return;
  if (fill.transfer.error != 0) return home.finish(home.flag_of(*this));
  if (fill.transfer.is_end()) {
    has_ended = true;
    channel->hold();
    return other->end_if_written();
  }
  const std::string_view input = channel->input();
  bytes += input.size();
  Counter& counter = this == &home.client_side_ ? home.client_.listener.metrics().tcp_received
                                                : home.client_.listener.metrics().tcp_sent;
  counter.add(input.size());
  other->channel->output().append(Slice{channel->keeper(), input});
  other->channel->flush_later();
  channel->take(input.size());
  channel->release_if_taken();
  if (other->channel->waiting() > kHighWater) channel->hold();
}

void Tunnel::Side::on_flushed(bool has_room_again) {
  if (has_room_again && !other->has_ended) other->channel->resume();
  if (channel->waiting() == 0) other->channel->release_if_taken();
  end_if_written();
}

void Tunnel::Side::end_if_written() {
  if (!other->has_ended || has_shut_writes || channel->waiting() > 0) return;
  has_shut_writes = true;
  channel->shut_writes();
  if (other->has_shut_writes) home.finish(std::nullopt);
}

Tunnel::Tunnel(Surroundings& around, const Client& client, std::unique_ptr<Transport> transport, Delegate<void()> ended)
    : around_(around),
      client_(client),
      ended_(ended),
      longest_idle_(client.listener.spec().limits.tunnel),
      cluster_(around.cluster(*client.listener.spec().tcp)),
      client_side_(*this),
      server_side_(*this),
      try_again_(Delegate<void()>::of<&Tunnel::begin_try>(*this)),
      idle_(Delegate<void()>::of<&Tunnel::on_timer>(*this)),
      began_(around.parts.loop.now()) {
  client_side_.other = &server_side_;
  server_side_.other = &client_side_;
  client_side_.open(std::move(transport));
}

Tunnel::~Tunnel() {
  if (is_trying_) cluster_->ended(endpoint_);
}

void Tunnel::start() {
  cluster_ ? begin_try() : finish(Flag::kNoCluster);
}

void Tunnel::begin_try() {
  // Clients of a cluster with a table of hashes each keep to one endpoint.
  const Choice choice{around_.parts.random, hash_of(client_.address)};
  const std::optional<std::size_t> picked = cluster_->pick(tried_, choice);
  if (!picked) return finish(Flag::kNoEndpoint);
  endpoint_ = *picked;
  tried_.push_back(endpoint_);
  cluster_->began(endpoint_);
  is_trying_ = true;
  dialler_.emplace(
      around_.parts, cluster_->spec(), cluster_->spec().endpoints[endpoint_].address, Alpn::kNone,
      Dialler::Events{.connected = Delegate<void(std::unique_ptr<Transport>, Alpn)>::of<&Tunnel::on_connected>(*this),
                      .failed = Delegate<void(PoolFailure, std::string_view)>::of<&Tunnel::on_not_connected>(*this)});
  if (const PoolFailure failure = dialler_->dial_one(); failure != PoolFailure::kNone) on_not_connected(failure, {});
}

void Tunnel::on_not_connected(PoolFailure failure, std::string_view detail) {
  is_trying_ = false;
  cluster_->ended(endpoint_);
  cluster_->metrics().connect_failures.add();
  detail_ = detail;
  if (failure == PoolFailure::kOverflow) {
    cluster_->metrics().overflows.add();
    return finish(Flag::kOverflow);
  }
  cluster_->failed(endpoint_, around_.parts.loop.now());
  if (tried_.size() == std::min(kMostTries, cluster_->spec().endpoints.size())) {
    if (tried_.size() > 1) flags_.add(Flag::kRetriesExhausted);
    return finish(Flag::kConnectFailure);
  }
  cluster_->metrics().retries.add();
  around_.parts.loop.at_turn_end(try_again_);
}

void Tunnel::on_connected(std::unique_ptr<Transport> transport, Alpn) {
  // The connection is all that is known about an endpoint's health.
  cluster_->answered(endpoint_, 200, around_.parts.loop.now());
  server_side_.open(std::move(transport));
  server_side_.channel->start();
  client_side_.channel->start();
  set_timer();
}

Moment Tunnel::idle_at() const {
  const Moment moved = std::max(client_side_.channel->last_moved(), server_side_.channel->last_moved());
  return moved + longest_idle_;
}

void Tunnel::set_timer() {
  around_.parts.loop.set(idle_, idle_at());
}

void Tunnel::on_timer() {
  if (around_.parts.loop.now() < idle_at()) return set_timer();
  finish(Flag::kClientStalled);
}

void Tunnel::finish(std::optional<Flag> flag) {
  if (std::exchange(is_finished_, true)) return;
  if (flag) flags_.add(*flag);
  idle_.cancel();
  client_side_.channel->close();
  if (server_side_.channel) {
    server_side_.channel->close();
    dialler_->give_back();
  }
  if (std::exchange(is_trying_, false)) cluster_->ended(endpoint_);
  if (around_.log != nullptr) write_log();
  ended_();
}

void Tunnel::write_log() {
  LogRecord record{
      .protocol = client_.protocol,
      .peer = client_.address,
      .detail = detail_,
      .flags = flags_,
      .bytes_in = client_side_.bytes,
      .bytes_out = server_side_.bytes,
      .tries = static_cast<std::uint32_t>(tried_.size()),
      .took = around_.parts.loop.now() - began_,
  };
  std::string endpoint;
  if (cluster_) {
    record.cluster = cluster_->spec().name;
    if (!tried_.empty()) endpoint = cluster_->spec().endpoints[endpoint_].address.text();
    record.endpoint = endpoint;
  }
  around_.log->write(record);
}

}  // namespace hone::mesh
