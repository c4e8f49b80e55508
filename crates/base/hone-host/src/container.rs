//! What container runtimes write on a host about their containers: labels, and the service that they name.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Paths below the root of the host at which runtimes describe a container; `{id}` is its id, and `*` any one directory. The first
/// that is there is the container's.
pub const PATHS: [&str; 4] = [
    "var/lib/docker/containers/{id}/config.v2.json",
    "run/containerd/io.containerd.runtime.v2.task/*/{id}/config.json",
    "run/k3s/containerd/io.containerd.runtime.v2.task/*/{id}/config.json",
    "run/containers/storage/overlay-containers/{id}/userdata/config.json",
];

/// Labels that hold the name of a service as a whole: of Docker Compose, of Docker Swarm, of Nomad.
const SERVICE_LABELS: [&str; 3] = [
    "com.docker.compose.service",
    "com.docker.swarm.service.name",
    "com.hashicorp.nomad.job_name",
];
/// Labels that hold the name of a Kubernetes pod: of containerd; of CRI-O and Docker.
const POD_LABELS: [&str; 2] = ["io.kubernetes.cri.sandbox-name", "io.kubernetes.pod.name"];
/// Letters and digits of the random parts of pods' names (`SafeEncodeString` in Kubernetes' apimachinery).
const RANDOM: &str = "bcdfghjklmnpqrstvwxz2456789";
/// Limit on bytes of a service's name.
const NAME_BYTES_MAX: usize = 200;

/// Labels by their keys.
pub type Labels = BTreeMap<String, String>;

/// What a runtime writes, of which little is read: labels of Docker, or annotations of the OCI's runtime specification.
#[derive(Deserialize)]
struct Written {
    #[serde(rename = "Config")]
    docker: Option<DockerConfig>,
    annotations: Option<Labels>,
}

#[derive(Deserialize)]
struct DockerConfig {
    #[serde(rename = "Labels")]
    labels: Option<Labels>,
}

/// Reads the labels in what a runtime wrote at one of [`PATHS`]; none if it is something else.
pub fn labels(text: &[u8]) -> Labels {
    let Ok(written) = serde_json::from_slice::<Written>(text) else {
        return Labels::new();
    };
    let of_docker = written.docker.and_then(|config| config.labels);
    of_docker.or(written.annotations).unwrap_or_default()
}

/// Returns the service that labels name: that of Docker Compose, Swarm or Nomad, or the workload of a pod of Kubernetes.
pub fn service(labels: &Labels) -> Option<&str> {
    let named = SERVICE_LABELS.iter().find_map(|key| labels.get(*key));
    let pod = || POD_LABELS.iter().find_map(|key| labels.get(*key));
    let name = named.map(String::as_str);
    let name = name.or_else(|| pod().map(|pod| workload(pod)));
    name.filter(|name| is_name(name))
}

/// True for a text that may be the name of a service.
pub fn is_name(text: &str) -> bool {
    (1..=NAME_BYTES_MAX).contains(&text.len()) && !text.chars().any(char::is_control)
}

/// Returns the name of the workload that made a pod: `checkout` of `checkout-7d9f8b6c5-x2x4z` (Deployment), `proxy` of
/// `proxy-x2x4z` (DaemonSet, Job), `redis` of `redis-0` (StatefulSet).
pub fn workload(pod: &str) -> &str {
    let split = |name| str::rsplit_once(name, '-').filter(|(before, _)| !before.is_empty());
    let is_random = |part: &str| part.chars().all(|c| RANDOM.contains(c));
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let Some((before, last)) = split(pod) else {
        return pod;
    };
    if last.len() == 5 && is_random(last) {
        // A hash of the template, or the minute of a CronJob.
        let is_of_controller = |part: &str| {
            (6..=10).contains(&part.len()) && is_random(part) || part.len() == 8 && are_digits(part)
        };
        return match split(before) {
            Some((workload, part)) if is_of_controller(part) => workload,
            _ => before,
        };
    }
    match !last.is_empty() && are_digits(last) {
        true => before,
        false => pod,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_docker_and_annotations_of_other_runtimes_are_read() {
        let docker = br#"{"StreamConfig":{},"ID":"0a","Config":{"Image":"shop","Env":["A=b"],"Labels":{"com.docker.compose.service":"till"}}}"#;
        assert_eq!(service(&labels(docker)), Some("till"));
        let oci = br#"{"ociVersion":"1.1.0","process":{"args":["x"]},"annotations":{"io.kubernetes.cri.container-name":"app","io.kubernetes.cri.sandbox-name":"checkout-7d9f8b6c5-x2x4z"}}"#;
        let oci = labels(oci);
        assert_eq!(oci["io.kubernetes.cri.container-name"], "app");
        assert_eq!(service(&oci), Some("checkout"));
        for other in [
            &b"{}"[..],
            b"",
            b"[1]",
            br#"{"Config":{"Labels":null}}"#,
            br#"{"annotations":{"a":1}}"#,
        ] {
            assert_eq!(labels(other), Labels::new());
        }
    }

    #[test]
    fn names_that_cannot_be_services_name_none() {
        let of = |name: &str| Labels::from([(SERVICE_LABELS[0].to_owned(), name.to_owned())]);
        for odd in ["", "a\nb", &"x".repeat(201)] {
            assert_eq!(service(&of(odd)), None);
        }
        assert_eq!(service(&of("größe")), Some("größe"));
        assert_eq!(service(&Labels::new()), None);
    }

    #[test]
    fn pods_are_of_the_workload_that_made_them() {
        for (pod, name) in [
            ("checkout-7d9f8b6c5-x2x4z", "checkout"),
            ("shop-checkout-v2-b6c57d9f8-x2x4z", "shop-checkout-v2"),
            ("kube-proxy-x2x4z", "kube-proxy"),
            ("nightly-28912345-x2x4z", "nightly"),
            ("redis-0", "redis"),
            ("redis-cluster-12", "redis-cluster"),
            ("etcd-node1", "etcd-node1"),
            ("front-cache", "front-cache"),
            ("debug", "debug"),
            ("-", "-"),
            ("a-", "a-"),
            ("", ""),
        ] {
            assert_eq!(workload(pod), name, "{pod}");
        }
    }
}
