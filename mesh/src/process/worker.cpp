#include "process/worker.hpp"

#include <algorithm>
#include <cerrno>

namespace hone::mesh {
namespace {

// The most connections that are accepted in one turn, so that open connections get their turn.
constexpr int kAcceptsAtOnce = 16;
// The wait for descriptors or memory that the system does not have.
constexpr Duration kPause = std::chrono::milliseconds(100);

}  // namespace

// Acceptor takes connections from one listening socket.
class Worker::Acceptor {
 public:
  Acceptor(Worker& worker, Held<Listener> listener, std::shared_ptr<const Descriptor> socket)
      : worker_(worker),
        listener_(std::move(listener)),
        socket_(std::move(socket)),
        watch_(socket_->get(), Delegate<void(Ready)>::of<&Acceptor::on_ready>(*this)),
        pause_(Delegate<void()>::of<&Acceptor::resume>(*this)) {
    resume();
  }
  ~Acceptor() { worker_.loop_.forget(watch_); }

  // Takes all connections that wait: they would be lost with the socket.
  void take_all() {
    for (Accepted accepted = accept_from(socket_->get()); accepted.error == 0; accepted = accept_from(socket_->get())) {
      worker_.accepted(listener_, std::move(accepted));
    }
  }

 private:
  void resume() { worker_.loop_.watch(watch_, {.readable = true}); }

  void on_ready(Ready) {
    for (int count = 0; count < kAcceptsAtOnce; ++count) {
      Accepted accepted = accept_from(socket_->get());
      if (accepted.error == EAGAIN) return;
      if (accepted.error != 0) {
        worker_.loop_.watch(watch_, {});
        return worker_.loop_.set(pause_, worker_.loop_.now() + kPause);
      }
      worker_.accepted(listener_, std::move(accepted));
    }
  }

  Worker& worker_;
  const Held<Listener> listener_;
  const std::shared_ptr<const Descriptor> socket_;
  Watch watch_;
  Timer pause_;
};

Worker::Worker(std::size_t number, std::size_t workers, std::size_t sessions, const Pressure& pressure,
               std::uint64_t seed, Delegate<void()> text_ready)
    : number_(number),
      workers_(workers),
      most_sessions_(sessions),
      room_(pressure, workers),
      random_(seed),
      shared_memory_(loop_, workers, metrics_.shared_memory),
      log_(loop_, metrics_.log_lines_lost, text_ready),
      spans_(loop_, metrics_.spans_lost, text_ready),
      around_{.parts = {loop_, buffers_, blocks_, random_, &shared_memory_}, .pressure = &pressure},
      retired_timer_(Delegate<void()>::of<&Worker::close_retired>(*this)),
      shed_(Delegate<void()>::of<&Worker::shed>(*this)),
      graveyard_(loop_) {
  buffers_.on_growth(Delegate<void()>::of<&Worker::shed_later>(*this));
  loop_.on_wake(Delegate<void()>::of<&Worker::on_wake>(*this));
}

Worker::~Worker() = default;

void Worker::run() {
  loop_.run();
  listening_.clear();
  while (!sessions_.empty()) sessions_.back()->close();
  // Sessions that have ended are destroyed at the end of a turn.
  loop_.turn(Duration(0));
  log_.flush();
  spans_.flush();
}

void Worker::change(std::shared_ptr<const Change> change) {
  {
    const std::lock_guard<std::mutex> lock(changes_lock_);
    changes_.push_back(std::move(change));
  }
  loop_.wake();
}

void Worker::ask(Wish wish) {
  Wish before = wish_.load();
  while (before < wish && !wish_.compare_exchange_weak(before, wish)) {
  }
  loop_.wake();
}

void Worker::on_wake() {
  std::vector<std::shared_ptr<const Change>> changes;
  {
    const std::lock_guard<std::mutex> lock(changes_lock_);
    changes.swap(changes_);
  }
  for (const auto& one : changes) make(*one);
  shed();
  const Wish wish = wish_.load();
  if (wish == Wish::kStop) return loop_.stop();
  if (wish == Wish::kNone || is_draining_) return;
  is_leaving_ = true;
  if (wish == Wish::kLeave) {
    if (sessions_.empty()) loop_.stop();
    return;
  }
  is_draining_ = true;
  listening_.clear();
  // Each session that has nothing under way ends, and the last session takes its place.
  for (std::size_t at = sessions_.size(); at > 0; --at) sessions_[at - 1]->drain();
  for (const Held<Cluster>& cluster : around_.clusters) {
    if (cluster) cluster->drain();
  }
  if (sessions_.empty()) loop_.stop();
}

void Worker::make(const Change& change) {
  loop_.meter().reserve(change.routes);
  shared_memory_.change(change.shared_memory);
  if (!change.log) log_.flush();
  if (!change.has_spans) spans_.flush();
  log_.set_format(change.log.value_or(LogFormat::kText));
  around_.log = change.log ? &log_ : nullptr;
  around_.spans = change.has_spans ? &spans_ : nullptr;
  for (const ClusterChange& one : change.clusters) {
    if (around_.clusters.size() <= one.number) around_.clusters.resize(one.number + 1);
    Held<Cluster>& cluster = around_.clusters[one.number];
    if (one.spec != nullptr) {
      cluster = make_cluster(around_.parts, one.spec, number_, cluster.get());
    } else if (cluster) {
      cluster->drain();
      cluster = {};
    }
  }
  if (is_leaving_) return;
  for (const ListenerChange& one : change.listeners) make(one, change.drain_timeout);
}

void Worker::make(const ListenerChange& change, Duration drain_timeout) {
  const auto found = std::find_if(listening_.begin(), listening_.end(), [&](auto& one) { return one.id == change.id; });
  if (change.spec == nullptr) {
    retire(*found, drain_timeout);
    listening_.erase(found);
  } else if (found != listening_.end()) {
    found->listener->change(change.spec);
  } else {
    const auto listener = Held<Listener>::make(change.spec, number_);
    Listening& listening = listening_.emplace_back(Listening{change.id, listener, {}});
    for (std::size_t at = number_; at < change.sockets.size(); at += workers_) {
      listening.acceptors.push_back(std::make_unique<Acceptor>(*this, listener, change.sockets[at]));
    }
  }
}

void Worker::retire(Listening& listening, Duration drain_timeout) {
  for (const auto& acceptor : listening.acceptors) acceptor->take_all();
  listening.acceptors.clear();
  for (std::size_t at = sessions_.size(); at > 0; --at) {
    if (&sessions_[at - 1]->listener() == listening.listener.get()) sessions_[at - 1]->retire();
  }
  retired_.push_back({listening.listener, loop_.now() + drain_timeout});
  if (!retired_timer_.is_set()) loop_.set(retired_timer_, retired_.back().end);
}

void Worker::close_retired() {
  const auto is_over = [&](const Retired& one) { return one.end <= loop_.now(); };
  for (const Retired& one : retired_) {
    if (!is_over(one)) continue;
    for (std::size_t at = sessions_.size(); at > 0; --at) {
      if (&sessions_[at - 1]->listener() == one.listener.get()) sessions_[at - 1]->close();
    }
  }
  std::erase_if(retired_, is_over);
  Moment next = kNever;
  for (const Retired& one : retired_) next = std::min(next, one.end);
  if (next != kNever) loop_.set(retired_timer_, next);
}

std::uint64_t Worker::own_bytes() const {
  return buffers_.held_bytes() + blocks_.held_bytes() + shared_memory_.bytes() +
         sessions_.size() * Pressure::kConnectionBytes;
}

// Closes connections whose clients have been waited for longest, until there is room.
void Worker::shed() {
  const std::uint64_t excess = room_.excess(own_bytes(), Pressure::kFull);
  if (excess == 0) return;
  std::vector<std::pair<Moment, Session*>> standing;
  for (const auto& session : sessions_) {
    if (const std::optional<Moment> since = session->stands_since()) standing.emplace_back(*since, session.get());
  }
  // Each connection has a buffer at most, and its share of everything else.
  const std::size_t wanted = excess / (Pressure::kConnectionBytes + kBufferBytes) + 1;
  const auto last = standing.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, standing.size()));
  std::partial_sort(standing.begin(), last, standing.end());
  for (auto one = standing.begin(); one != last; ++one) one->second->shed();
}

void Worker::accepted(const Held<Listener>& listener, Accepted accepted) {
  const ListenerSpec& spec = listener->spec();
  const std::uint64_t own = room_.has_limit() ? own_bytes() : 0;
  const bool is_full = room_.excess(own, Pressure::kFull) > 0;
  // A client that sends a request at once is served before its connection is the oldest that stands still.
  if (is_full) shed_later();
  shared_memory_.hold_back(is_full);
  const bool is_over = room_.excess(own, Pressure::kOver) > 0;
  if (is_over || sessions_.size() >= most_sessions_) return listener->metrics().connections_refused.add();
  if (spec.connections_open->fetch_add(1, std::memory_order_relaxed) >= spec.connections) {
    spec.connections_open->fetch_sub(1, std::memory_order_relaxed);
    return listener->metrics().connections_refused.add();
  }
  auto session = std::make_unique<Session>(around_, listener, accepted.peer,
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
  if (is_leaving_ && sessions_.empty()) loop_.stop();
}

}  // namespace hone::mesh
