#include "observe/metrics.hpp"

#include <cstdio>
#include <iterator>

namespace hone::mesh {
namespace {

using Labels = MeasureSink::Labels;
using Type = MeasureSink::Type;
using Unit = MeasureSink::Unit;

std::pair<std::string_view, std::string_view> label_of(const Measured<ListenerMetrics>& one) {
  return {"listener", one.name};
}
std::pair<std::string_view, std::string_view> label_of(const Measured<ClusterMetrics>& one) {
  return {"cluster", one.name};
}

std::string seconds_text(std::uint64_t us) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", static_cast<double>(us) / 1e6);
  return text;
}

// Telling writes the series of listeners and clusters to a sink, each the sum of all workers.
class Telling {
 public:
  explicit Telling(MeasureSink& sink) : sink_(sink) {}

  void head(std::string_view name, Type type, std::string_view help) { sink_.series(name, type, help); }
  void value(Labels labels, std::uint64_t value) { sink_.sample({}, labels, value, Unit::kOne); }
  void number(std::string_view name, Type type, std::string_view help, std::uint64_t number) {
    head(name, type, help);
    value({}, number);
  }

  // Writes a counter or gauge for each listener or cluster.
  template <class Counts>
  void series(std::string_view name, Type type, std::string_view help, const std::vector<Measured<Counts>>& all,
              Counter Counts::* member) {
    head(name, type, help);
    for (const Measured<Counts>& one : all) {
      value({label_of(one)}, one.counts->sum([member](const Counts& counts) { return (counts.*member).read(); }));
    }
  }

  // Writes a number of each cluster that is no sum of workers.
  void shared(std::string_view name, Type type, std::string_view help, const Measures& measures,
              std::uint64_t ClusterGauges::* member) {
    head(name, type, help);
    for (std::size_t at = 0; at < measures.clusters.size(); ++at) {
      value({label_of(measures.clusters[at])}, measures.gauges[at].*member);
    }
  }

  template <class Counts>
  void classes(std::string_view name, std::string_view help, const std::vector<Measured<Counts>>& all) {
    static constexpr std::string_view kClasses[] = {"1xx", "2xx", "3xx", "4xx", "5xx"};
    head(name, Type::kCounter, help);
    for (const Measured<Counts>& one : all) {
      for (std::size_t digit = 1; digit <= std::size(kClasses); ++digit) {
        value({label_of(one), {"class", kClasses[digit - 1]}},
              one.counts->sum([digit](const Counts& counts) { return counts.responses.read(digit); }));
      }
    }
  }

  template <class Counts>
  void histogram(std::string_view name, std::string_view help, const std::vector<Measured<Counts>>& all) {
    head(name, Type::kHistogram, help);
    for (const Measured<Counts>& one : all) {
      std::uint64_t below = 0;
      for (std::size_t bound = 0; bound < Histogram::kCounts; ++bound) {
        below += one.counts->sum([bound](const Counts& counts) { return counts.seconds.count(bound); });
        const bool is_last = bound == Histogram::kBounds_us.size();
        const std::string le = is_last ? "+Inf" : seconds_text(Histogram::kBounds_us[bound]);
        sink_.sample("_bucket", {label_of(one), {"le", le}}, below, Unit::kOne);
      }
      const auto us = one.counts->sum([](const Counts& counts) { return counts.seconds.sum_us(); });
      sink_.sample("_sum", {label_of(one)}, us, Unit::kMicrosecond);
      sink_.sample("_count", {label_of(one)}, below, Unit::kOne);
    }
  }

 private:
  MeasureSink& sink_;
};

// Page writes measures in the text format of Prometheus.
class Page final : public MeasureSink {
 public:
  void series(std::string_view name, Type type, std::string_view help) override {
    static constexpr std::string_view kTypes[] = {"counter", "gauge", "histogram"};
    name_ = name;
    text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
    text_.append("# TYPE ").append(name).append(" ").append(kTypes[static_cast<std::size_t>(type)]).append("\n");
  }

  void sample(std::string_view suffix, Labels labels, std::uint64_t value, Unit unit) override {
    text_.append(name_).append(suffix);
    char before = '{';
    for (const auto& [name, of] : labels) {
      text_.append(1, std::exchange(before, ',')).append(name).append("=\"").append(of).append("\"");
    }
    if (labels.size() > 0) text_.append("}");
    text_.append(" ").append(unit == Unit::kOne ? std::to_string(value) : seconds_text(value)).append("\n");
  }

  std::string take() { return std::move(text_); }

 private:
  std::string_view name_;
  std::string text_;
};

}  // namespace

void tell(const Measures& measures, MeasureSink& sink) {
  Telling telling(sink);
  const auto& listeners = measures.listeners;
  const auto& clusters = measures.clusters;
  telling.series("hone_mesh_connections_total", Type::kCounter, "Connections that clients made.", listeners,
                 &ListenerMetrics::connections);
  telling.series("hone_mesh_connections_open", Type::kGauge, "Connections of clients that are open.", listeners,
                 &ListenerMetrics::connections_open);
  telling.series("hone_mesh_connections_refused_total", Type::kCounter, "Connections closed since there were too many.",
                 listeners, &ListenerMetrics::connections_refused);
  telling.series("hone_mesh_connections_shed_total", Type::kCounter,
                 "Connections that stood still and were closed for memory.", listeners,
                 &ListenerMetrics::connections_shed);
  telling.series("hone_mesh_requests_shed_total", Type::kCounter,
                 "Requests turned away for want of memory or CPU time.", listeners, &ListenerMetrics::requests_shed);
  telling.series("hone_mesh_handshake_failures_total", Type::kCounter, "Connections whose handshake of TLS failed.",
                 listeners, &ListenerMetrics::handshake_failures);
  telling.classes("hone_mesh_responses_total", "Responses to clients.", listeners);
  telling.series("hone_mesh_requests_refused_total", Type::kCounter, "Requests refused for their form.", listeners,
                 &ListenerMetrics::requests_refused);
  telling.series("hone_mesh_requests_abandoned_total", Type::kCounter, "Requests whose client went away.", listeners,
                 &ListenerMetrics::requests_abandoned);
  telling.series("hone_mesh_access_refused_total", Type::kCounter, "Requests that rules of access refused.", listeners,
                 &ListenerMetrics::access_refused);
  telling.series("hone_mesh_access_shadow_total", Type::kCounter,
                 "Requests that rules of access in shadow mode would refuse.", listeners,
                 &ListenerMetrics::access_shadow);
  telling.series("hone_mesh_rate_limited_total", Type::kCounter, "Requests refused since there were too many.",
                 listeners, &ListenerMetrics::rate_limited);
  telling.series("hone_mesh_rate_limit_shadow_total", Type::kCounter,
                 "Requests that limits in shadow mode would refuse.", listeners, &ListenerMetrics::rate_limit_shadow);
  telling.series("hone_mesh_faults_delayed_total", Type::kCounter, "Requests held up on purpose.", listeners,
                 &ListenerMetrics::faults_delayed);
  telling.series("hone_mesh_faults_aborted_total", Type::kCounter, "Requests failed on purpose.", listeners,
                 &ListenerMetrics::faults_aborted);
  telling.histogram("hone_mesh_request_seconds", "Time from a request's head to the end of its response.", listeners);
  telling.series("hone_mesh_tcp_received_bytes_total", Type::kCounter, "Bytes that came from clients of TCP.",
                 listeners, &ListenerMetrics::tcp_received);
  telling.series("hone_mesh_tcp_sent_bytes_total", Type::kCounter, "Bytes for clients of TCP.", listeners,
                 &ListenerMetrics::tcp_sent);
  telling.classes("hone_mesh_upstream_responses_total", "Responses of endpoints.", clusters);
  telling.series("hone_mesh_upstream_connect_failures_total", Type::kCounter, "Connections that did not come about.",
                 clusters, &ClusterMetrics::connect_failures);
  telling.series("hone_mesh_upstream_timeouts_total", Type::kCounter, "Tries that took too long.", clusters,
                 &ClusterMetrics::timeouts);
  telling.series("hone_mesh_upstream_resets_total", Type::kCounter, "Tries whose connection ended before the response.",
                 clusters, &ClusterMetrics::resets);
  telling.series("hone_mesh_upstream_overflows_total", Type::kCounter, "Requests refused since the cluster had enough.",
                 clusters, &ClusterMetrics::overflows);
  telling.series("hone_mesh_upstream_retries_total", Type::kCounter, "Further tries of requests.", clusters,
                 &ClusterMetrics::retries);
  telling.histogram("hone_mesh_upstream_seconds", "Time from a try's begin to the end of its response.", clusters);
  telling.shared("hone_mesh_endpoints", Type::kGauge, "Endpoints of the cluster.", measures, &ClusterGauges::endpoints);
  telling.shared("hone_mesh_endpoints_up", Type::kGauge, "Endpoints that pass their checks and are not ejected.",
                 measures, &ClusterGauges::endpoints_up);
  telling.shared("hone_mesh_ejections_total", Type::kCounter, "Endpoints left out for a time since they failed.",
                 measures, &ClusterGauges::ejections);
  telling.number("hone_mesh_access_log_lost_total", Type::kCounter, "Lines of the access log that found no room.",
                 measures.log_lines_lost);
  telling.number("hone_mesh_spans_lost_total", Type::kCounter, "Spans that found no room, or that no collector took.",
                 measures.spans_lost);
  telling.head("hone_mesh_shared_memory_connections", Type::kGauge,
               "Open connections of addresses shm:, by what carries them.");
  telling.value({{"carrier", "memory"}}, measures.shared_in_memory);
  telling.value({{"carrier", "socket"}}, measures.shared_on_sockets);
  telling.number("hone_mesh_reloads_taken_total", Type::kCounter,
                 "Configurations that were read again and are in force since.", measures.reloads_taken);
  telling.number("hone_mesh_reloads_refused_total", Type::kCounter,
                 "Configurations that were read again and had faults.", measures.reloads_refused);
  telling.number("hone_mesh_memory_used_permille", Type::kGauge, "Memory that is used of what may be.",
                 measures.memory);
  telling.number("hone_mesh_cpu_used_permille", Type::kGauge,
                 "CPU time that is used of what may be, 960 for all of it.", measures.cpu);
  telling.number("hone_mesh_agent_samples_lost_total", Type::kCounter, "Samples that the agent did not take.",
                 measures.agent_samples_lost);
  telling.number("hone_mesh_restarts_refused_total", Type::kCounter, "Processes that were to take over and did not.",
                 measures.restarts_refused);
  telling.number("hone_mesh_rotations_taken_total", Type::kCounter,
                 "Certificates written anew into their files and in force since.", measures.rotations_taken);
  telling.number("hone_mesh_rotations_refused_total", Type::kCounter,
                 "Certificates written anew into their files and not in force.", measures.rotations_refused);
  if (!measures.certificates.empty()) {
    telling.head("hone_mesh_certificate_expires_seconds", Type::kGauge,
                 "Unix time at which the first certificate is over.");
  }
  for (const CertificateNumbers& one : measures.certificates) {
    telling.value({{one.is_of_listener ? "listener" : "cluster", one.name}}, static_cast<std::uint64_t>(one.expires_s));
  }
  if (const auto& plane = measures.control_plane) {
    telling.number("hone_mesh_control_plane_connected", Type::kGauge, "1 while a control plane is connected.",
                   plane->is_connected ? 1 : 0);
    telling.number("hone_mesh_control_plane_taken_total", Type::kCounter,
                   "Responses of the control plane that are in force.", plane->taken);
    telling.number("hone_mesh_control_plane_refused_total", Type::kCounter,
                   "Responses of the control plane with something wrong.", plane->refused);
  }
}

std::string prometheus_text(const Measures& measures) {
  Page page;
  tell(measures, page);
  return page.take();
}

}  // namespace hone::mesh
