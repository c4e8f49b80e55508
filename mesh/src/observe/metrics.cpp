#include "observe/metrics.hpp"

#include <cstdio>

namespace hone::mesh {
namespace {

// Text writes series of one label, each the sum of all workers.
class Text {
 public:
  explicit Text(const std::vector<const WorkerMetrics*>& workers) : workers_(workers) {}

  void head(const char* name, const char* type, const char* help) {
    text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
    text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
  }
  void line(const char* name, const std::string& labels, const std::string& value) {
    text_.append(name).append(labels).append(" ").append(value).append("\n");
  }
  template <class Read>
  std::uint64_t sum(Read read) const {
    std::uint64_t total = 0;
    for (const WorkerMetrics* worker : workers_) total += read(*worker);
    return total;
  }

  // Writes a counter or gauge for each name.
  template <class Read>
  void series(const char* name, const char* type, const char* help, const char* label,
              const std::vector<std::string>& names, Read read) {
    head(name, type, help);
    for (std::size_t at = 0; at < names.size(); ++at) {
      const auto value = sum([&](const WorkerMetrics& worker) { return read(worker, at).read(); });
      line(name, labelled(label, names[at], ""), std::to_string(value));
    }
  }

  // Writes a number of each cluster that is no sum of workers.
  void shared(const char* name, const char* type, const char* help, const std::vector<std::string>& names,
              const std::vector<ClusterGauges>& gauges, std::uint64_t ClusterGauges::* member) {
    head(name, type, help);
    for (std::size_t at = 0; at < names.size(); ++at) {
      line(name, labelled("cluster", names[at], ""), std::to_string(gauges[at].*member));
    }
  }

  template <class Read>
  void classes(const char* name, const char* help, const char* label, const std::vector<std::string>& names,
               Read read) {
    head(name, "counter", help);
    for (std::size_t at = 0; at < names.size(); ++at) {
      for (std::size_t digit = 1; digit <= 5; ++digit) {
        const auto value = sum([&](const WorkerMetrics& worker) { return read(worker, at).read(digit); });
        line(name, labelled(label, names[at], ",class=\"" + std::to_string(digit) + "xx\""), std::to_string(value));
      }
    }
  }

  template <class Read>
  void histogram(const char* name, const char* help, const char* label, const std::vector<std::string>& names,
                 Read read) {
    head(name, "histogram", help);
    const std::string bucket = std::string(name) + "_bucket";
    for (std::size_t at = 0; at < names.size(); ++at) {
      std::uint64_t below = 0;
      for (std::size_t bound = 0; bound < Histogram::kCounts; ++bound) {
        below += sum([&](const WorkerMetrics& worker) { return read(worker, at).count(bound); });
        const bool is_last = bound == Histogram::kBounds_us.size();
        const std::string le = is_last ? "+Inf" : seconds(Histogram::kBounds_us[bound]);
        line(bucket.c_str(), labelled(label, names[at], ",le=\"" + le + "\""), std::to_string(below));
      }
      const auto us = sum([&](const WorkerMetrics& worker) { return read(worker, at).sum_us(); });
      line((std::string(name) + "_sum").c_str(), labelled(label, names[at], ""), seconds(us));
      line((std::string(name) + "_count").c_str(), labelled(label, names[at], ""), std::to_string(below));
    }
  }

  std::string take() { return std::move(text_); }

 private:
  static std::string seconds(std::uint64_t us) {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", static_cast<double>(us) / 1e6);
    return text;
  }
  static std::string labelled(const char* label, const std::string& name, const std::string& more) {
    return std::string("{").append(label).append("=\"").append(name).append("\"").append(more).append("}");
  }

  const std::vector<const WorkerMetrics*>& workers_;
  std::string text_;
};

}  // namespace

std::string prometheus_text(const std::vector<std::string>& listeners, const std::vector<std::string>& clusters,
                            const std::vector<const WorkerMetrics*>& workers, const SharedNumbers& shared) {
  Text text(workers);
  const std::vector<ClusterGauges>& gauges = shared.clusters;
  const auto of_listener = [](auto member) {
    return [member](const WorkerMetrics& worker, std::size_t at) -> auto& { return worker.listeners[at].*member; };
  };
  const auto of_cluster = [](auto member) {
    return [member](const WorkerMetrics& worker, std::size_t at) -> auto& { return worker.clusters[at].*member; };
  };
  text.series("hone_mesh_connections_total", "counter", "Connections that clients made.", "listener", listeners,
              of_listener(&ListenerMetrics::connections));
  text.series("hone_mesh_connections_open", "gauge", "Connections of clients that are open.", "listener", listeners,
              of_listener(&ListenerMetrics::connections_open));
  text.series("hone_mesh_connections_refused_total", "counter", "Connections closed since there were too many.",
              "listener", listeners, of_listener(&ListenerMetrics::connections_refused));
  text.series("hone_mesh_handshake_failures_total", "counter", "Connections whose handshake of TLS failed.", "listener",
              listeners, of_listener(&ListenerMetrics::handshake_failures));
  text.classes("hone_mesh_responses_total", "Responses to clients.", "listener", listeners,
               of_listener(&ListenerMetrics::responses));
  text.series("hone_mesh_requests_refused_total", "counter", "Requests refused for their form.", "listener", listeners,
              of_listener(&ListenerMetrics::requests_refused));
  text.series("hone_mesh_requests_abandoned_total", "counter", "Requests whose client went away.", "listener",
              listeners, of_listener(&ListenerMetrics::requests_abandoned));
  text.series("hone_mesh_access_refused_total", "counter", "Requests that rules of access refused.", "listener",
              listeners, of_listener(&ListenerMetrics::access_refused));
  text.series("hone_mesh_access_shadow_total", "counter", "Requests that rules of access in shadow mode would refuse.",
              "listener", listeners, of_listener(&ListenerMetrics::access_shadow));
  text.series("hone_mesh_rate_limited_total", "counter", "Requests refused since there were too many.", "listener",
              listeners, of_listener(&ListenerMetrics::rate_limited));
  text.series("hone_mesh_rate_limit_shadow_total", "counter", "Requests that limits in shadow mode would refuse.",
              "listener", listeners, of_listener(&ListenerMetrics::rate_limit_shadow));
  text.series("hone_mesh_faults_delayed_total", "counter", "Requests held up on purpose.", "listener", listeners,
              of_listener(&ListenerMetrics::faults_delayed));
  text.series("hone_mesh_faults_aborted_total", "counter", "Requests failed on purpose.", "listener", listeners,
              of_listener(&ListenerMetrics::faults_aborted));
  text.histogram("hone_mesh_request_seconds", "Time from a request's head to the end of its response.", "listener",
                 listeners, of_listener(&ListenerMetrics::seconds));
  text.series("hone_mesh_tcp_received_bytes_total", "counter", "Bytes that came from clients of TCP.", "listener",
              listeners, of_listener(&ListenerMetrics::tcp_received));
  text.series("hone_mesh_tcp_sent_bytes_total", "counter", "Bytes for clients of TCP.", "listener", listeners,
              of_listener(&ListenerMetrics::tcp_sent));
  text.classes("hone_mesh_upstream_responses_total", "Responses of endpoints.", "cluster", clusters,
               of_cluster(&ClusterMetrics::responses));
  text.series("hone_mesh_upstream_connect_failures_total", "counter", "Connections that did not come about.", "cluster",
              clusters, of_cluster(&ClusterMetrics::connect_failures));
  text.series("hone_mesh_upstream_timeouts_total", "counter", "Tries that took too long.", "cluster", clusters,
              of_cluster(&ClusterMetrics::timeouts));
  text.series("hone_mesh_upstream_resets_total", "counter", "Tries whose connection ended before the response.",
              "cluster", clusters, of_cluster(&ClusterMetrics::resets));
  text.series("hone_mesh_upstream_overflows_total", "counter", "Requests refused since the cluster had enough.",
              "cluster", clusters, of_cluster(&ClusterMetrics::overflows));
  text.series("hone_mesh_upstream_retries_total", "counter", "Further tries of requests.", "cluster", clusters,
              of_cluster(&ClusterMetrics::retries));
  text.histogram("hone_mesh_upstream_seconds", "Time from a try's begin to the end of its response.", "cluster",
                 clusters, of_cluster(&ClusterMetrics::seconds));
  text.shared("hone_mesh_endpoints", "gauge", "Endpoints of the cluster.", clusters, gauges, &ClusterGauges::endpoints);
  text.shared("hone_mesh_endpoints_up", "gauge", "Endpoints that pass their checks and are not ejected.", clusters,
              gauges, &ClusterGauges::endpoints_up);
  text.shared("hone_mesh_ejections_total", "counter", "Endpoints left out for a time since they failed.", clusters,
              gauges, &ClusterGauges::ejections);
  text.head("hone_mesh_access_log_lost_total", "counter", "Lines of the access log that found no room.");
  const auto lost = text.sum([](const WorkerMetrics& worker) { return worker.log_lines_lost.read(); });
  text.line("hone_mesh_access_log_lost_total", "", std::to_string(lost));
  text.head("hone_mesh_spans_lost_total", "counter", "Spans that found no room, or that no collector took.");
  const auto spans = text.sum([](const WorkerMetrics& worker) { return worker.spans_lost.read(); });
  text.line("hone_mesh_spans_lost_total", "", std::to_string(spans + shared.spans_lost));
  return text.take();
}

}  // namespace hone::mesh
