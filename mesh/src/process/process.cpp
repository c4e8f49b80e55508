#include "process/process.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <optional>
#include <random>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "cluster/upkeep.hpp"
#include "config/yaml.hpp"
#include "event/graveyard.hpp"
#include "process/admin.hpp"
#include "process/agent_sender.hpp"
#include "process/cpus.hpp"
#include "process/log_file.hpp"
#include "process/overload.hpp"
#include "process/pages.hpp"
#include "process/restart.hpp"
#include "process/rotation.hpp"
#include "process/span_exporter.hpp"
#include "process/worker.hpp"
#include "serve/served.hpp"
#include "xds/client.hpp"

namespace hone::mesh {
namespace {

// The longest time for the last spans when everything else has ended.
constexpr Duration kLastSpans = std::chrono::seconds(2);

sigset_t our_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1, SIGUSR2, SIGHUP}) sigaddset(&set, signal);
  return set;
}

// Blocks the signals, in the threads that are made later too, and returns the descriptor that reports them.
Descriptor signals_blocked() {
  const sigset_t set = our_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  const int number = ::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  if (number < 0) throw std::system_error(errno, std::generic_category(), "signalfd");
  return Descriptor(number);
}

// The number of descriptors that are no connections: listeners, files, the operator's pages and loops.
constexpr std::uint64_t kOtherDescriptors = 256;

// Raises the limit of the process's descriptors as far as it may. Returns the number of clients' connections for each
// worker: three of four descriptors, since not every such connection has another one to an endpoint behind it.
std::size_t most_sessions(std::size_t workers) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t before = std::exchange(limit.rlim_cur, limit.rlim_max);
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  const std::uint64_t others = std::min<std::uint64_t>(kOtherDescriptors, limit.rlim_cur / 2);
  return std::max<std::size_t>((limit.rlim_cur - others) * 3 / 4 / workers, 1);
}

// Returns the numbers of listeners and clusters that change, as a text for people.
std::string summary(const Change& change) {
  return std::to_string(change.listeners.size()) + " listeners and " + std::to_string(change.clusters.size()) +
         " clusters are new, gone or others";
}

// Process holds the state of the main thread.
class Process {
 public:
  Process(std::string file, config::Names names, std::unique_ptr<Snapshot> snapshot)
      : file_(std::move(file)),
        names_(std::move(names)),
        workers_wanted_(snapshot->workers),
        signals_(signals_blocked()),
        signals_watch_(signals_.get(), Delegate<void(Ready)>::of<&Process::on_signal>(*this)),
        random_(std::random_device{}()),
        drained_(Delegate<void()>::of<&Process::stop_workers>(*this)),
        last_spans_(Delegate<void()>::of<&Process::stop>(*this)),
        served_(workers_wanted_ > 0 ? workers_wanted_ : usable_cpus(group_)),
        exporters_gone_(loop_) {
    const std::size_t sessions = most_sessions(served_.workers());
    for (std::size_t number = 0; number < served_.workers(); ++number) {
      workers_.push_back(std::make_unique<Worker>(number, served_.workers(), sessions, pressure_, random_.next(),
                                                  Delegate<void()>::of<&Process::wake>(*this)));
    }
    route_profile_.emplace(loop_, names_.routes, workers_);
    rotation_.emplace(loop_, served_);
    admin_.emplace(parts(), pages(), *route_profile_);
    agent_.emplace(loop_, Delegate<Measures()>::of<&Process::measured>(*this));
    overload_.emplace(loop_, group_, pressure_, Delegate<void()>::of<&Process::have_workers_shed>(*this));
    restart_.emplace(loop_, file_,
                     Restart::Host{.served = served_,
                                   .admin = *admin_,
                                   .is_ready = Delegate<bool()>::of<&Process::is_ready>(*this),
                                   .serve = Delegate<void()>::of<&Process::serve>(*this),
                                   .hand_over = Delegate<void()>::of<&Process::hand_over>(*this),
                                   .take_back = Delegate<void()>::of<&Process::take_back>(*this),
                                   .leave = Delegate<void()>::of<&Process::leave>(*this)});
    take(std::move(snapshot));
    loop_.watch(signals_watch_, {.readable = true});
    loop_.on_wake(Delegate<void()>::of<&Process::on_wake>(*this));
  }
  ~Process() {
    stop_workers();
    for (std::thread& thread : threads_) thread.join();
    write_log();
    agent_->change(std::nullopt);
    loop_.forget(signals_watch_);
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
    restart_->serves();
    loop_.run();
  }

 private:
  Parts parts() { return {loop_, buffers_, blocks_, random_}; }

  // Configurations.
  std::string take(std::unique_ptr<Snapshot> snapshot);
  void have_workers_make(Change change);
  void tell_workers(Change change);
  void free_route_numbers();
  void take_upkeep(const Change& change);
  void take_tracing(const Snapshot& before);
  void take_control_plane(const Snapshot& before);
  void connect_control_plane();
  std::string take_from_control_plane(Update update);
  std::string reload();
  std::string read_again();

  void on_signal(Ready) {
    signalfd_siginfo info;
    while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
      if (info.ssi_signo == SIGHUP) {
        reload();
      } else if (info.ssi_signo == SIGUSR1) {
        if (log_) log_->reopen();
      } else if (info.ssi_signo == SIGUSR2) {
        if (const std::string why = restart(); !why.empty()) std::fprintf(stderr, "hone-mesh: %s\n", why.c_str());
      } else {
        // An older process passes on a signal that its sender may have sent to this process already.
        const bool is_passed_on = restart_->is_on_trial() && info.ssi_pid == static_cast<std::uint32_t>(::getppid());
        if (!is_draining_) {
          drain();
        } else if (!is_passed_on) {
          stop_workers();
        }
      }
    }
  }

  void drain() {
    if (std::exchange(is_draining_, true)) return;
    restart_->end();
    served_.let_go();
    for (const auto& worker : workers_) worker->drain();
    loop_.set(drained_, loop_.now() + snapshot_->drain_timeout);
  }
  // Restarts: the steps of this process while another one takes over.
  std::string restart() {
    if (is_draining_ || is_leaving_) return "the process is ending; next step: start another one";
    return restart_->begin(snapshot_->restart, snapshot_->admin);
  }
  void serve() {
    have_workers_make(served_.listen_again());
    admin_->resume();
  }
  void hand_over() {
    // The control plane's client would open listeners that the other process has.
    control_plane_.reset();
    tell_workers(served_.stop_listening(restart_->handed()));
  }
  void take_back() {
    try {
      have_workers_make(served_.listen_again());
    } catch (const std::system_error& error) {
      std::fprintf(stderr, "hone-mesh: %s; next step: free the address and restart\n", error.what());
    }
    connect_control_plane();
  }
  void leave() {
    is_leaving_ = true;
    served_.let_go();
    for (const auto& worker : workers_) worker->leave();
    loop_.set(drained_, loop_.now() + snapshot_->drain_timeout);
  }

  void have_workers_shed() {
    for (const auto& worker : workers_) worker->look_at_room();
  }
  void stop_workers() {
    for (const auto& worker : workers_) worker->stop();
  }

  // Called in workers' threads.
  void wake() { loop_.wake(); }
  // Called in the main thread, when a worker has lines for the log or spans, or has ended, and when all spans are sent.
  void on_wake() {
    write_log();
    send_spans();
    if (running_ > 0) return;
    if (exporters_.empty() || (exporters_.size() == 1 && exporters_[0]->is_idle())) return stop();
    if (!last_spans_.is_set()) loop_.set(last_spans_, loop_.now() + kLastSpans);
  }
  void stop() { loop_.stop(); }
  void write_log() {
    if (!log_) return;
    for (const auto& worker : workers_) log_->write_all(worker->log_ring());
  }
  // Hands the workers' spans to the last exporter. Earlier exporters end once they have sent their own.
  void send_spans() {
    if (exporters_.empty()) return;
    for (const auto& worker : workers_) exporters_.back()->take(worker->span_ring());
    const std::size_t stays = snapshot_->tracing ? 1 : 0;
    for (std::size_t at = exporters_.size() - stays; at > 0; --at) {
      const SpanExporter& exporter = *exporters_[at - 1];
      if (!exporter.is_idle()) continue;
      spans_lost_ += exporter.lost();
      exporters_gone_.take_from(exporters_, exporter);
    }
  }

  std::string metrics_page() const { return prometheus_text(measured()); }
  Measures measured() const {
    Measures measures{.reloads_taken = reloads_taken_, .reloads_refused = reloads_refused_};
    for (const auto& [name, one] : served_.listeners()) measures.listeners.push_back({name, one.spec->metrics});
    for (const auto& [number, one] : served_.clusters()) {
      const ClusterSpec& spec = *one.spec;
      measures.clusters.push_back({spec.name, spec.metrics});
      ClusterGauges& gauges = measures.gauges.emplace_back();
      for (const EndpointSpec& endpoint : spec.endpoints) gauges.endpoints_up += endpoint.health->is_up() ? 1 : 0;
      gauges.endpoints = spec.endpoints.size();
      gauges.ejections = spec.health->ejections.load(std::memory_order_relaxed);
    }
    if (control_plane_) {
      measures.control_plane = {control_plane_->is_connected(), control_plane_->taken(), control_plane_->refused()};
    }
    measures.memory = overload_->memory();
    measures.cpu = overload_->cpu();
    measures.restarts_refused = restart_->refused();
    measures.certificates = certificates();
    measures.rotations_taken = rotation_->taken();
    measures.rotations_refused = rotation_->refused();
    measures.spans_lost = spans_lost_;
    for (const auto& exporter : exporters_) measures.spans_lost += exporter->lost();
    for (const auto& worker : workers_) {
      measures.log_lines_lost += worker->metrics().log_lines_lost.read();
      measures.spans_lost += worker->metrics().spans_lost.read();
      measures.shared_in_memory += worker->metrics().shared_memory.in_memory.read();
      measures.shared_on_sockets += worker->metrics().shared_memory.on_sockets.read();
    }
    measures.agent_samples_lost = agent_->lost();
    return measures;
  }
  std::vector<CertificateNumbers> certificates() const {
    std::vector<CertificateNumbers> all;
    const auto add = [&](bool is_of_listener, const std::string& name, const Tls* tls) {
      const std::shared_ptr<const TlsContext> context = tls == nullptr ? nullptr : tls->context();
      if (context == nullptr || !context->expires_s()) return;
      all.push_back({is_of_listener, name, *context->expires_s()});
    };
    for (const auto& [name, one] : served_.listeners()) add(true, name, one.spec->tls.get());
    for (const auto& [number, one] : served_.clusters()) add(false, one.spec->name, one.spec->tls.get());
    return all;
  }
  std::string clusters_page() const { return mesh::clusters_page(served_.clusters(), loop_.now()); }
  std::string listeners_page() const { return mesh::listeners_page(served_.listeners()); }
  std::string config_page() const { return snapshot_->source; }
  bool is_ready() const { return state() == kReady && (!snapshot_->control_plane || !served_.lacks_told_listeners()); }
  std::string_view state() const {
    if (is_draining_) return "draining";
    if (is_leaving_ || restart_->is_handed_over()) return "another process serves";
    return control_plane_ && !control_plane_->is_ready() ? "waiting for the control plane" : kReady;
  }
  AdminPages pages() {
    return {.metrics = Delegate<std::string()>::of<&Process::metrics_page>(*this),
            .clusters = Delegate<std::string()>::of<&Process::clusters_page>(*this),
            .listeners = Delegate<std::string()>::of<&Process::listeners_page>(*this),
            .config = Delegate<std::string()>::of<&Process::config_page>(*this),
            .state = Delegate<std::string_view()>::of<&Process::state>(*this),
            .reload = Delegate<std::string()>::of<&Process::reload>(*this),
            .restart = Delegate<std::string()>::of<&Process::restart>(*this),
            .drain = Delegate<void()>::of<&Process::drain>(*this)};
  }

  const std::string file_;
  config::Names names_;
  // Zero stands for one worker for each CPU that the process may use.
  const std::uint32_t workers_wanted_;
  // The configuration in force. Its listeners and clusters are those of served_.
  std::unique_ptr<const Snapshot> snapshot_ = std::make_unique<const Snapshot>();
  const ControlGroup group_;
  Pressure pressure_;
  EpollLoop loop_;
  BufferPool buffers_;
  BlockPool blocks_;
  Descriptor signals_;
  Watch signals_watch_;
  Random random_;
  Timer drained_;
  Timer last_spans_;
  Served served_;
  std::optional<LogFile> log_;
  std::vector<std::unique_ptr<Worker>> workers_;
  // The last exporter is that of the configuration, if it has one.
  std::vector<std::unique_ptr<SpanExporter>> exporters_;
  Graveyard<SpanExporter> exporters_gone_;
  // The cluster of the last exporter's collectors.
  std::shared_ptr<const ClusterSpec> collectors_;
  std::uint64_t spans_lost_ = 0;
  std::optional<xds::Client> control_plane_;
  // The cluster of control planes.
  std::shared_ptr<const ClusterSpec> planes_;
  // The upkeep of clusters by their numbers, for those that have had a rule.
  std::map<std::uint32_t, Upkeep> upkeep_;
  std::optional<Rotation> rotation_;
  std::optional<RouteProfile> route_profile_;
  std::optional<Admin> admin_;
  std::optional<Overload> overload_;
  std::optional<Restart> restart_;
  std::optional<AgentSender> agent_;
  std::vector<std::thread> threads_;
  std::atomic<std::size_t> running_{0};
  // The largest id of a listener whose address was reported.
  std::uint64_t told_ = 0;
  std::uint64_t reloads_taken_ = 0;
  std::uint64_t reloads_refused_ = 0;
  bool is_draining_ = false;
  // True once everything belongs to another process.
  bool is_leaving_ = false;
};

// Serves the configuration of a snapshot, and returns a summary of the changes. Throws std::system_error where that is
// not possible: then everything is as it was.
std::string Process::take(std::unique_ptr<Snapshot> snapshot) {
  std::optional<LogFile> log;
  if (snapshot->access_log) log.emplace(snapshot->access_log->path);
  const bool has_other_admin = snapshot->admin != snapshot_->admin;
  Descriptor admin;
  if (has_other_admin && snapshot->admin) admin = restart_->listen_for_admin(*snapshot->admin);
  agent_->send_now();
  Change change =
      served_.take({.listeners = std::move(snapshot->listeners), .clusters = std::move(snapshot->clusters)});

  const std::unique_ptr<const Snapshot> before = std::exchange(snapshot_, std::move(snapshot));
  write_log();
  log_ = std::move(log);
  if (has_other_admin) {
    if (admin) std::fprintf(stderr, "hone-mesh: admin listens on %s\n", bound_address(admin.get()).text().c_str());
    admin_->listen(std::move(admin));
    if (restart_->is_waiting()) admin_->pause();
  }
  overload_->change(snapshot_->overload);
  agent_->change(snapshot_->agent);
  take_tracing(*before);
  std::string told = summary(change);
  have_workers_make(std::move(change));
  take_control_plane(*before);
  give_memory_back();
  return told;
}

void Process::have_workers_make(Change change) {
  if (restart_->is_waiting()) change.listeners.clear();
  for (const ListenerChange& one : change.listeners) {
    if (one.spec == nullptr || one.id <= told_) continue;
    told_ = one.id;
    const Address& bound = served_.listeners().at(one.spec->name).bound;
    std::fprintf(stderr, "hone-mesh: %s listens on %s\n", one.spec->name.c_str(), bound.text().c_str());
  }
  take_upkeep(change);
  if (!change.listeners.empty()) free_route_numbers();
  tell_workers(std::move(change));
}

void Process::tell_workers(Change change) {
  if (snapshot_->access_log) change.log = snapshot_->access_log->format;
  change.shared_memory = snapshot_->shared_memory;
  change.has_spans = snapshot_->tracing.has_value();
  change.routes = names_.routes.size();
  change.drain_timeout = snapshot_->drain_timeout;
  const auto shared = std::make_shared<const Change>(std::move(change));
  for (const auto& worker : workers_) worker->change(shared);
}

// Frees the numbers of routes that no listener has any more. They serve only to count CPU time by routes.
void Process::free_route_numbers() {
  std::vector<bool> used(names_.routes.size());
  for (const auto& [name, listener] : served_.listeners()) {
    for (const std::uint32_t number : listener.spec->routes) used[number - 1] = true;
  }
  names_.routes.keep_only(used);
}

void Process::take_upkeep(const Change& change) {
  for (const ClusterChange& one : change.clusters) {
    const auto known = upkeep_.find(one.number);
    if (one.spec == nullptr) {
      upkeep_.erase(one.number);
    } else if (known != upkeep_.end()) {
      known->second.change(one.spec);
    } else if (one.spec->check || one.spec->outlier) {
      upkeep_.try_emplace(one.number, parts(), one.spec);
    }
  }
}

void Process::take_tracing(const Snapshot& before) {
  const auto& tracing = snapshot_->tracing;
  if (!tracing) return;
  const std::shared_ptr<const ClusterSpec> cluster = served_.cluster(tracing->cluster);
  if (before.tracing == tracing && collectors_ == cluster) return;
  collectors_ = cluster;
  exporters_.push_back(
      std::make_unique<SpanExporter>(parts(), *cluster, *tracing, Delegate<void()>::of<&Process::on_wake>(*this)));
}

void Process::take_control_plane(const Snapshot& before) {
  const auto& spec = snapshot_->control_plane;
  const std::shared_ptr<const ClusterSpec> planes =
      spec && spec->files.empty() ? served_.cluster(spec->cluster) : nullptr;
  const bool is_same = spec == before.control_plane && planes == planes_ && snapshot_->access_log == before.access_log;
  if (is_same) return;
  planes_ = planes;
  control_plane_.reset();
  if (spec) return connect_control_plane();
  // The resources that the control plane had sent go with it.
  take_from_control_plane({.origin = Origin::kControlPlane});
}

void Process::connect_control_plane() {
  const auto& spec = snapshot_->control_plane;
  if (!spec) return;
  const xds::Host host{served_, names_, Delegate<std::string(Update)>::of<&Process::take_from_control_plane>(*this)};
  control_plane_.emplace(parts(), *spec, planes_.get(), snapshot_->access_log, host);
}

// Serves an update of a control plane. Returns the reason why that is not possible; empty where it is done.
std::string Process::take_from_control_plane(Update update) {
  if (is_draining_) return "the process is ending";
  if (!update.listeners_gone.empty() || !update.clusters_gone.empty()) agent_->send_now();
  try {
    have_workers_make(served_.take(std::move(update)));
  } catch (const std::system_error& error) {
    return error.what();
  }
  return {};
}

// Reads the file again, and counts the reload as taken or refused. Returns the faults, a line each.
std::string Process::reload() {
  std::string faults;
  if (is_draining_) {
    faults = "hone-mesh: the process is ending; next step: start another one\n";
  } else if (is_leaving_ || restart_->is_under_way() || restart_->is_on_trial()) {
    faults = "hone-mesh: another process is taking over; next step: wait for its trial's end\n";
  } else {
    faults = read_again();
  }
  ++(faults.empty() ? reloads_taken_ : reloads_refused_);
  if (!faults.empty()) std::fprintf(stderr, "%shone-mesh: everything stays as it was\n", faults.c_str());
  return faults;
}

std::string Process::read_again() {
  config::Read read = config::read_file(file_, names_);
  if (read.snapshot == nullptr) {
    std::string faults;
    for (const std::string& fault : read.faults) faults += fault + "\n";
    return faults;
  }
  if (read.snapshot->workers != workers_wanted_) {
    std::fprintf(stderr, "hone-mesh: the number of workers stays until the process is started again\n");
  }
  try {
    const std::string told = take(std::move(read.snapshot));
    std::fprintf(stderr, "hone-mesh: %s is in force: %s\n", file_.c_str(), told.c_str());
  } catch (const std::system_error& error) {
    return std::string(error.what()) + "; next step: choose another address or path, or free this one\n";
  }
  return {};
}

}  // namespace

void run_process(std::string file, config::Names names, std::unique_ptr<Snapshot> snapshot) {
  Process process(std::move(file), std::move(names), std::move(snapshot));
  process.run();
}

}  // namespace hone::mesh
