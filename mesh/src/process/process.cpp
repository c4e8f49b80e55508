#include "process/process.hpp"

#include <signal.h>
#include <sys/signalfd.h>

#include <cstdio>
#include <optional>
#include <random>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/upkeep.hpp"
#include "process/admin.hpp"
#include "process/cpus.hpp"
#include "process/log_file.hpp"
#include "process/pages.hpp"
#include "process/span_exporter.hpp"
#include "process/worker.hpp"

namespace hone::mesh {
namespace {

// How long the last spans may take when everything else has ended.
constexpr Duration kLastSpans = std::chrono::seconds(2);

sigset_t our_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) sigaddset(&set, signal);
  return set;
}

// Blocks the signals, in the threads that are made later too, and returns the descriptor that tells them.
Descriptor signals_blocked() {
  const sigset_t set = our_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  const int number = ::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  if (number < 0) throw std::system_error(errno, std::generic_category(), "signalfd");
  return Descriptor(number);
}

// Returns the address that a socket really listens on, where the kernel has chosen the port.
Address bound_address(int socket) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&storage), &size);
  return Address::of(storage, size);
}

// Process is what the main thread holds.
class Process {
 public:
  explicit Process(std::shared_ptr<const Snapshot> snapshot)
      : snapshot_(std::move(snapshot)),
        signals_(signals_blocked()),
        signals_watch_(signals_.get(), Delegate<void(Ready)>::of<&Process::on_signal>(*this)),
        random_(std::random_device{}()),
        drained_(Delegate<void()>::of<&Process::stop_workers>(*this)),
        last_spans_(Delegate<void()>::of<&Process::stop>(*this)) {
    if (snapshot_->access_log) log_.emplace(snapshot_->access_log->path);
    make_workers();
    if (const auto& tracing = snapshot_->tracing) {
      exporter_.emplace(parts(), snapshot_->clusters[tracing->cluster], *tracing,
                        Delegate<void()>::of<&Process::on_wake>(*this));
    }
    for (const ClusterSpec& cluster : snapshot_->clusters) {
      upkeep_.push_back(std::make_unique<Upkeep>(
          parts(), cluster, Delegate<std::vector<EndpointTotals>(const ClusterSpec&)>::of<&Process::totals_of>(*this)));
    }
    if (snapshot_->admin) open_admin(*snapshot_->admin);
    loop_.watch(signals_watch_, {.readable = true});
    loop_.on_wake(Delegate<void()>::of<&Process::on_wake>(*this));
  }
  ~Process() {
    stop_workers();
    for (std::thread& thread : threads_) thread.join();
    write_log();
    loop_.forget(signals_watch_);
    remove_unix_sockets();
  }

  void run() {
    running_ = workers_.size();
    for (const auto& worker : workers_) {
      threads_.emplace_back([this, &worker = *worker] {
        worker.run();
        running_.fetch_sub(1);
        loop_.wake();
      });
    }
    std::fprintf(stderr, "hone-mesh: ready, %zu workers\n", workers_.size());
    loop_.run();
  }

 private:
  Parts parts() { return {loop_, buffers_, blocks_, random_}; }
  void make_workers();
  void open_admin(const Address& address);

  void on_signal(Ready) {
    signalfd_siginfo info;
    while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
      if (info.ssi_signo == SIGUSR1) {
        if (log_) log_->reopen();
      } else {
        is_draining_ ? stop_workers() : drain();
      }
    }
  }

  void drain() {
    if (std::exchange(is_draining_, true)) return;
    for (const auto& worker : workers_) worker->drain();
    loop_.set(drained_, loop_.now() + snapshot_->drain_timeout);
  }
  void stop_workers() {
    for (const auto& worker : workers_) worker->stop();
  }

  // Called in workers' threads.
  void wake() { loop_.wake(); }
  // Called in the main thread, when a worker has lines for the log or spans, or has ended, and when all spans are sent.
  void on_wake() {
    write_log();
    if (exporter_) {
      for (const auto& worker : workers_) exporter_->take(*worker->span_ring());
    }
    if (running_ > 0) return;
    if (!exporter_ || exporter_->is_idle()) return stop();
    if (!last_spans_.is_set()) loop_.set(last_spans_, loop_.now() + kLastSpans);
  }
  void stop() { loop_.stop(); }
  void write_log() {
    if (!log_) return;
    for (const auto& worker : workers_) log_->write_all(*worker->log_ring());
  }

  std::vector<EndpointTotals> totals_of(const ClusterSpec& cluster) const {
    const auto place = static_cast<std::size_t>(&cluster - snapshot_->clusters.data());
    std::vector<EndpointTotals> totals(cluster.endpoints.size());
    for (const auto& worker : workers_) {
      for (std::size_t at = 0; at < totals.size(); ++at) {
        const EndpointCounts& counts = worker->cluster(place).counts(at);
        totals[at].requests += counts.requests.read();
        totals[at].failures += counts.failures.read();
      }
    }
    return totals;
  }

  std::string metrics_page() const {
    std::vector<std::string> listeners;
    std::vector<std::string> clusters;
    std::vector<const WorkerMetrics*> workers;
    for (const ListenerSpec& spec : snapshot_->listeners) listeners.push_back(spec.name);
    for (const ClusterSpec& spec : snapshot_->clusters) clusters.push_back(spec.name);
    for (const auto& worker : workers_) workers.push_back(&worker->metrics());
    return prometheus_text(listeners, clusters, workers,
                           {.clusters = health_of_clusters(), .spans_lost = exporter_ ? exporter_->lost() : 0});
  }
  std::vector<ClusterGauges> health_of_clusters() const {
    std::vector<ClusterGauges> all;
    for (const ClusterSpec& spec : snapshot_->clusters) {
      ClusterGauges& gauges = all.emplace_back();
      for (const EndpointSpec& endpoint : spec.endpoints) gauges.endpoints_up += endpoint.health->is_up() ? 1 : 0;
      gauges.endpoints = spec.endpoints.size();
      gauges.ejections = spec.health->ejections.load(std::memory_order_relaxed);
    }
    return all;
  }
  std::string clusters_page() const {
    std::vector<std::vector<EndpointTotals>> totals;
    for (const ClusterSpec& spec : snapshot_->clusters) totals.push_back(totals_of(spec));
    return mesh::clusters_page(*snapshot_, totals, loop_.now());
  }
  std::string listeners_page() const { return mesh::listeners_page(*snapshot_, bound_); }
  std::string config_page() const { return snapshot_->source; }
  bool is_ready() const { return !is_draining_; }

  void remove_unix_sockets() {
    for (const ListenerSpec& spec : snapshot_->listeners) {
      if (spec.address.is_unix()) ::unlink(std::string(spec.address.path()).c_str());
    }
  }

  const std::shared_ptr<const Snapshot> snapshot_;
  EpollLoop loop_;
  BufferPool buffers_;
  BlockPool blocks_;
  Descriptor signals_;
  Watch signals_watch_;
  Random random_;
  Timer drained_;
  Timer last_spans_;
  std::optional<LogFile> log_;
  // Addresses of the listeners.
  std::vector<Address> bound_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::optional<SpanExporter> exporter_;
  std::vector<std::unique_ptr<Upkeep>> upkeep_;
  std::optional<RouteProfile> route_profile_;
  std::optional<Admin> admin_;
  std::vector<std::thread> threads_;
  std::atomic<std::size_t> running_{0};
  bool is_draining_ = false;
};

void Process::make_workers() {
  const std::uint32_t count = snapshot_->workers > 0 ? snapshot_->workers : usable_cpus();
  std::vector<std::vector<Listening>> sockets(count);
  for (std::size_t at = 0; at < snapshot_->listeners.size(); ++at) {
    const ListenerSpec& spec = snapshot_->listeners[at];
    const auto first = std::make_shared<const Descriptor>(listen_on(spec.address));
    const Address bound = bound_.emplace_back(bound_address(first->get()));
    std::fprintf(stderr, "hone-mesh: %s listens on %s\n", spec.name.c_str(), bound.text().c_str());
    for (std::uint32_t worker = 0; worker < count; ++worker) {
      const bool is_shared = worker == 0 || spec.address.is_unix();
      sockets[worker].push_back({at, is_shared ? first : std::make_shared<const Descriptor>(listen_on(bound))});
    }
  }
  for (std::vector<Listening>& listening : sockets) {
    workers_.push_back(std::make_unique<Worker>(snapshot_, std::move(listening), random_.next(),
                                                Delegate<void()>::of<&Process::wake>(*this)));
  }
}

void Process::open_admin(const Address& address) {
  Descriptor socket = listen_on(address);
  std::fprintf(stderr, "hone-mesh: admin listens on %s\n", bound_address(socket.get()).text().c_str());
  route_profile_.emplace(loop_, snapshot_->routes, workers_);
  admin_.emplace(parts(), std::move(socket),
                 AdminPages{.metrics = Delegate<std::string()>::of<&Process::metrics_page>(*this),
                            .clusters = Delegate<std::string()>::of<&Process::clusters_page>(*this),
                            .listeners = Delegate<std::string()>::of<&Process::listeners_page>(*this),
                            .config = Delegate<std::string()>::of<&Process::config_page>(*this),
                            .is_ready = Delegate<bool()>::of<&Process::is_ready>(*this),
                            .drain = Delegate<void()>::of<&Process::drain>(*this)},
                 *route_profile_);
}

}  // namespace

void run_process(std::shared_ptr<const Snapshot> snapshot) {
  Process process(std::move(snapshot));
  process.run();
}

}  // namespace hone::mesh
