#include "process/worker.hpp"

#include <cerrno>

namespace hone::mesh {
namespace {

// How many connections are accepted in one turn, so that those that are there get theirs.
constexpr int kAcceptsAtOnce = 16;
// How long to wait for descriptors or memory that the system has not.
constexpr Duration kPause = std::chrono::milliseconds(100);

}  // namespace

// Acceptor takes connections from one listening socket.
class Worker::Acceptor {
 public:
  Acceptor(Worker& worker, Listening listening)
      : worker_(worker),
        listening_(std::move(listening)),
        watch_(listening_.socket->get(), Delegate<void(Ready)>::of<&Acceptor::on_ready>(*this)),
        pause_(Delegate<void()>::of<&Acceptor::resume>(*this)) {
    resume();
  }
  ~Acceptor() { worker_.loop_.forget(watch_); }

 private:
  void resume() { worker_.loop_.watch(watch_, {.readable = true}); }

  void on_ready(Ready) {
    for (int count = 0; count < kAcceptsAtOnce; ++count) {
      Accepted accepted = accept_from(listening_.socket->get());
      if (accepted.error == EAGAIN) return;
      if (accepted.error != 0) {
        worker_.loop_.watch(watch_, {});
        return worker_.loop_.set(pause_, worker_.loop_.now() + kPause);
      }
      worker_.accepted(listening_.listener, std::move(accepted));
    }
  }

  Worker& worker_;
  Listening listening_;
  Watch watch_;
  Timer pause_;
};

Worker::Worker(std::shared_ptr<const Snapshot> snapshot, std::vector<Listening> listening, std::uint64_t seed,
               Delegate<void()> text_ready)
    : snapshot_(std::move(snapshot)),
      random_(seed),
      metrics_(snapshot_->listeners.size(), snapshot_->clusters.size()),
      around_{.parts = {loop_, buffers_, blocks_, random_}, .clusters = clusters_, .metrics = metrics_},
      graveyard_(loop_) {
  loop_.meter().reserve(static_cast<Payer>(snapshot_->routes.size()));
  if (snapshot_->access_log) {
    log_.emplace(loop_, snapshot_->access_log->format, metrics_.log_lines_lost, text_ready);
    around_.log = &*log_;
  }
  if (snapshot_->tracing) {
    spans_.emplace(loop_, metrics_.spans_lost, text_ready);
    around_.spans = &*spans_;
  }
  for (const ClusterSpec& spec : snapshot_->clusters) {
    clusters_.push_back(make_cluster(around_.parts, spec));
  }
  for (Listening& one : listening) acceptors_.push_back(std::make_unique<Acceptor>(*this, std::move(one)));
  loop_.on_wake(Delegate<void()>::of<&Worker::on_wake>(*this));
}

Worker::~Worker() = default;

void Worker::run() {
  loop_.run();
  stop_accepting();
  while (!sessions_.empty()) sessions_.back()->close();
  // What has ended is destroyed at the end of a turn.
  loop_.turn(Duration(0));
  if (log_) log_->flush();
  if (spans_) spans_->flush();
}

void Worker::ask(Wish wish) {
  Wish before = wish_.load();
  while (before < wish && !wish_.compare_exchange_weak(before, wish)) {
  }
  loop_.wake();
}

void Worker::on_wake() {
  const Wish wish = wish_.load();
  if (wish == Wish::kStop) return loop_.stop();
  if (wish != Wish::kDrain || is_draining_) return;
  is_draining_ = true;
  stop_accepting();
  // Each that has nothing under way ends, and changes places with the last one.
  for (std::size_t at = sessions_.size(); at > 0; --at) sessions_[at - 1]->drain();
  for (const auto& cluster : clusters_) cluster->drain();
  if (sessions_.empty()) loop_.stop();
}

void Worker::stop_accepting() {
  acceptors_.clear();
}

void Worker::accepted(std::size_t listener, Accepted accepted) {
  const ListenerSpec& spec = snapshot_->listeners[listener];
  if (spec.connections_open->fetch_add(1, std::memory_order_relaxed) >= spec.connections) {
    spec.connections_open->fetch_sub(1, std::memory_order_relaxed);
    return metrics_.listeners[listener].connections_refused.add();
  }
  auto session = std::make_unique<Session>(around_, snapshot_, listener, accepted.peer,
                                           Delegate<void(Session&)>::of<&Worker::on_ended>(*this));
  session->place = sessions_.size();
  sessions_.push_back(std::move(session));
  sessions_.back()->start(std::move(accepted.socket));
}

void Worker::on_ended(Session& session) {
  const std::size_t place = session.place;
  graveyard_.take(std::move(sessions_[place]));
  if (place + 1 != sessions_.size()) {
    sessions_[place] = std::move(sessions_.back());
    sessions_[place]->place = place;
  }
  sessions_.pop_back();
  if (is_draining_ && sessions_.empty()) loop_.stop();
}

}  // namespace hone::mesh
