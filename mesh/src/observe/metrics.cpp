#include "observe/metrics.hpp"

#include <cstdio>

namespace hone::mesh {
namespace {

// Text writes series of one label, each the sum of all workers.
class Text {
 public:
  void head(const char* name, const char* type, const char* help) {
    text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
    text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
  }
  void line(const char* name, const std::string& labels, std::uint64_t value) {
    line(name, labels, std::to_string(value));
  }
  void number(const char* name, const char* help, std::uint64_t value) {
    head(name, "counter", help);
    line(name, "", value);
  }

  // Writes a counter or gauge for each that is measured.
  template <class Counts>
  void series(const char* name, const char* type, const char* help, const std::vector<Measured<Counts>>& all,
              Counter Counts::* member) {
    head(name, type, help);
    for (const Measured<Counts>& one : all) {
      line(name, labelled(one, ""),
           one.counts->sum([member](const Counts& counts) { return (counts.*member).read(); }));
    }
  }

  // Writes a number of each cluster that is no sum of workers.
  void shared(const char* name, const char* type, const char* help, const Measures& measures,
              std::uint64_t ClusterGauges::* member) {
    head(name, type, help);
    for (std::size_t at = 0; at < measures.clusters.size(); ++at) {
      line(name, labelled(measures.clusters[at], ""), measures.gauges[at].*member);
    }
  }

  template <class Counts>
  void classes(const char* name, const char* help, const std::vector<Measured<Counts>>& all) {
    head(name, "counter", help);
    for (const Measured<Counts>& one : all) {
      for (std::size_t digit = 1; digit <= 5; ++digit) {
        const auto value = one.counts->sum([digit](const Counts& counts) { return counts.responses.read(digit); });
        line(name, labelled(one, ",class=\"" + std::to_string(digit) + "xx\""), value);
      }
    }
  }

  template <class Counts>
  void histogram(const char* name, const char* help, const std::vector<Measured<Counts>>& all) {
    head(name, "histogram", help);
    const std::string bucket = std::string(name) + "_bucket";
    for (const Measured<Counts>& one : all) {
      std::uint64_t below = 0;
      for (std::size_t bound = 0; bound < Histogram::kCounts; ++bound) {
        below += one.counts->sum([bound](const Counts& counts) { return counts.seconds.count(bound); });
        const bool is_last = bound == Histogram::kBounds_us.size();
        const std::string le = is_last ? "+Inf" : seconds(Histogram::kBounds_us[bound]);
        line(bucket.c_str(), labelled(one, ",le=\"" + le + "\""), below);
      }
      const auto us = one.counts->sum([](const Counts& counts) { return counts.seconds.sum_us(); });
      line((std::string(name) + "_sum").c_str(), labelled(one, ""), seconds(us));
      line((std::string(name) + "_count").c_str(), labelled(one, ""), below);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  static std::string seconds(std::uint64_t us) {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", static_cast<double>(us) / 1e6);
    return text;
  }
  static std::string labelled(const Measured<ListenerMetrics>& one, const std::string& more) {
    return "{listener=\"" + one.name + "\"" + more + "}";
  }
  static std::string labelled(const Measured<ClusterMetrics>& one, const std::string& more) {
    return "{cluster=\"" + one.name + "\"" + more + "}";
  }
  void line(const char* name, const std::string& labels, const std::string& value) {
    text_.append(name).append(labels).append(" ").append(value).append("\n");
  }

  std::string text_;
};

}  // namespace

std::string prometheus_text(const Measures& measures) {
  Text text;
  const auto& listeners = measures.listeners;
  const auto& clusters = measures.clusters;
  text.series("hone_mesh_connections_total", "counter", "Connections that clients made.", listeners,
              &ListenerMetrics::connections);
  text.series("hone_mesh_connections_open", "gauge", "Connections of clients that are open.", listeners,
              &ListenerMetrics::connections_open);
  text.series("hone_mesh_connections_refused_total", "counter", "Connections closed since there were too many.",
              listeners, &ListenerMetrics::connections_refused);
  text.series("hone_mesh_connections_shed_total", "counter", "Connections that stood still and were closed for memory.",
              listeners, &ListenerMetrics::connections_shed);
  text.series("hone_mesh_requests_shed_total", "counter", "Requests turned away for want of memory or CPU time.",
              listeners, &ListenerMetrics::requests_shed);
  text.series("hone_mesh_handshake_failures_total", "counter", "Connections whose handshake of TLS failed.", listeners,
              &ListenerMetrics::handshake_failures);
  text.classes("hone_mesh_responses_total", "Responses to clients.", listeners);
  text.series("hone_mesh_requests_refused_total", "counter", "Requests refused for their form.", listeners,
              &ListenerMetrics::requests_refused);
  text.series("hone_mesh_requests_abandoned_total", "counter", "Requests whose client went away.", listeners,
              &ListenerMetrics::requests_abandoned);
  text.series("hone_mesh_access_refused_total", "counter", "Requests that rules of access refused.", listeners,
              &ListenerMetrics::access_refused);
  text.series("hone_mesh_access_shadow_total", "counter", "Requests that rules of access in shadow mode would refuse.",
              listeners, &ListenerMetrics::access_shadow);
  text.series("hone_mesh_rate_limited_total", "counter", "Requests refused since there were too many.", listeners,
              &ListenerMetrics::rate_limited);
  text.series("hone_mesh_rate_limit_shadow_total", "counter", "Requests that limits in shadow mode would refuse.",
              listeners, &ListenerMetrics::rate_limit_shadow);
  text.series("hone_mesh_faults_delayed_total", "counter", "Requests held up on purpose.", listeners,
              &ListenerMetrics::faults_delayed);
  text.series("hone_mesh_faults_aborted_total", "counter", "Requests failed on purpose.", listeners,
              &ListenerMetrics::faults_aborted);
  text.histogram("hone_mesh_request_seconds", "Time from a request's head to the end of its response.", listeners);
  text.series("hone_mesh_tcp_received_bytes_total", "counter", "Bytes that came from clients of TCP.", listeners,
              &ListenerMetrics::tcp_received);
  text.series("hone_mesh_tcp_sent_bytes_total", "counter", "Bytes for clients of TCP.", listeners,
              &ListenerMetrics::tcp_sent);
  text.classes("hone_mesh_upstream_responses_total", "Responses of endpoints.", clusters);
  text.series("hone_mesh_upstream_connect_failures_total", "counter", "Connections that did not come about.", clusters,
              &ClusterMetrics::connect_failures);
  text.series("hone_mesh_upstream_timeouts_total", "counter", "Tries that took too long.", clusters,
              &ClusterMetrics::timeouts);
  text.series("hone_mesh_upstream_resets_total", "counter", "Tries whose connection ended before the response.",
              clusters, &ClusterMetrics::resets);
  text.series("hone_mesh_upstream_overflows_total", "counter", "Requests refused since the cluster had enough.",
              clusters, &ClusterMetrics::overflows);
  text.series("hone_mesh_upstream_retries_total", "counter", "Further tries of requests.", clusters,
              &ClusterMetrics::retries);
  text.histogram("hone_mesh_upstream_seconds", "Time from a try's begin to the end of its response.", clusters);
  text.shared("hone_mesh_endpoints", "gauge", "Endpoints of the cluster.", measures, &ClusterGauges::endpoints);
  text.shared("hone_mesh_endpoints_up", "gauge", "Endpoints that pass their checks and are not ejected.", measures,
              &ClusterGauges::endpoints_up);
  text.shared("hone_mesh_ejections_total", "counter", "Endpoints left out for a time since they failed.", measures,
              &ClusterGauges::ejections);
  text.number("hone_mesh_access_log_lost_total", "Lines of the access log that found no room.",
              measures.log_lines_lost);
  text.number("hone_mesh_spans_lost_total", "Spans that found no room, or that no collector took.",
              measures.spans_lost);
  text.number("hone_mesh_reloads_taken_total", "Configurations that were read again and are in force since.",
              measures.reloads_taken);
  text.number("hone_mesh_reloads_refused_total", "Configurations that were read again and had faults.",
              measures.reloads_refused);
  text.head("hone_mesh_memory_used_permille", "gauge", "Memory that is used of what may be.");
  text.line("hone_mesh_memory_used_permille", "", measures.memory);
  text.head("hone_mesh_cpu_used_permille", "gauge", "CPU time that is used of what may be, 960 for all of it.");
  text.line("hone_mesh_cpu_used_permille", "", measures.cpu);
  text.number("hone_mesh_restarts_refused_total", "Processes that were to take over and did not.",
              measures.restarts_refused);
  text.number("hone_mesh_rotations_taken_total", "Certificates written anew into their files and in force since.",
              measures.rotations_taken);
  text.number("hone_mesh_rotations_refused_total", "Certificates written anew into their files and not in force.",
              measures.rotations_refused);
  if (!measures.certificates.empty()) {
    text.head("hone_mesh_certificate_expires_seconds", "gauge", "Unix time at which the first certificate is over.");
  }
  for (const CertificateNumbers& one : measures.certificates) {
    const std::string label = std::string(one.is_of_listener ? "{listener=\"" : "{cluster=\"") + one.name + "\"}";
    text.line("hone_mesh_certificate_expires_seconds", label, static_cast<std::uint64_t>(one.expires_s));
  }
  if (const auto& plane = measures.control_plane) {
    text.head("hone_mesh_control_plane_connected", "gauge", "1 while a control plane is connected.");
    text.line("hone_mesh_control_plane_connected", "", plane->is_connected ? 1 : 0);
    text.number("hone_mesh_control_plane_taken_total", "Responses of the control plane that are in force.",
                plane->taken);
    text.number("hone_mesh_control_plane_refused_total", "Responses of the control plane with something wrong.",
                plane->refused);
  }
  return text.take();
}

}  // namespace hone::mesh
