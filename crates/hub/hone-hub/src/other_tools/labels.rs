//! What labels of other tools mean here: the service, the host, the container and the thread have places of their own.

use hone_batch::{Group, GroupField, LABELS_MAX};
use hone_profile::Label;

use super::LeftOut;
use super::limits::LABEL_BYTES_MAX;

/// Keys that tell the service; the first that is there counts, as with the following.
const SERVICE: &[&str] = &["service_name", "service.name"];
/// Keys that tell the host.
const HOST: &[&str] = &[
    "host",
    "hostname",
    "host.name",
    "node",
    "k8s.node.name",
    "instance",
    "pod",
    "k8s.pod.name",
];
/// Keys that tell the container.
const CONTAINER: &[&str] = &[
    "container.id",
    "container_id",
    "container",
    "k8s.container.name",
];
/// Keys that tell the thread.
const THREAD: &[&str] = &["thread", "thread_name", "thread.name"];
/// Keys whose values are different all the time, so that nothing would add up.
const FLEETING: &[&str] = &[
    "pid",
    "process_id",
    "process.pid",
    "thread_id",
    "thread.id",
    "span_id",
    "trace_id",
    "profile_id",
    "cpu.logical_number",
];

/// Returns `base` with these labels, which win over those that it has.
pub(super) fn described(base: &Group, labels: &[(&str, &str)], left_out: &mut LeftOut) -> Group {
    let mut group = base.clone();
    let mut rest: Vec<(&str, &str)> = labels
        .iter()
        .copied()
        .filter(|(key, value)| !key.is_empty() && !value.is_empty() && !key.starts_with("__"))
        .collect();
    for (keys, field) in [
        (SERVICE, GroupField::Service),
        (HOST, GroupField::Host),
        (CONTAINER, GroupField::Container),
        (THREAD, GroupField::Thread),
    ] {
        let mut found = keys
            .iter()
            .filter_map(|key| rest.iter().position(|(known, _)| known == key));
        if let Some(at) = found.next() {
            *field.of_mut(&mut group) = rest.remove(at).1.to_owned();
        }
    }
    let mut own: Vec<Label> = group.labels.to_vec();
    for (key, value) in rest {
        if FLEETING.contains(&key) {
            left_out.labels += 1;
            continue;
        }
        own.retain(|label| &*label.key != key);
        if key.len().max(value.len()) > LABEL_BYTES_MAX || own.len() >= LABELS_MAX {
            left_out.labels += 1;
            continue;
        }
        own.push(Label {
            key: key.into(),
            value: value.into(),
        });
    }
    group.labels = own.into_iter().collect();
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_with_a_place_of_their_own_go_there() {
        let labels = [
            ("__name__", "process_cpu"),
            ("service_name", "shop"),
            ("instance", "10.0.0.1:80"),
            ("node", "web-1"),
            ("container", "c0ffee"),
            ("region", "eu"),
            ("span_id", "9a51"),
            ("empty", ""),
        ];
        let mut left_out = LeftOut::default();
        let group = described(&Group::default(), &labels, &mut left_out);
        assert_eq!((&*group.service, &*group.host), ("shop", "web-1"));
        assert_eq!(group.container, "c0ffee");
        let kept: Vec<String> = group.labels.iter().map(Label::to_string).collect();
        assert_eq!(kept, ["instance=10.0.0.1:80", "region=eu"]);
        assert_eq!(left_out.labels, 1);
        let of_sample = described(&group, &[("region", "us"), ("thread", "io")], &mut left_out);
        assert_eq!((&*of_sample.service, &*of_sample.thread), ("shop", "io"));
        assert!(of_sample.labels.iter().any(|label| &*label.value == "us"));
        assert_eq!(of_sample.labels.len(), 2);
    }

    #[test]
    fn long_and_many_labels_are_left_out_and_counted() {
        let long = "x".repeat(LABEL_BYTES_MAX + 1);
        let keys: Vec<String> = (0..LABELS_MAX + 5).map(|n| format!("key{n}")).collect();
        let mut labels: Vec<(&str, &str)> = keys.iter().map(|key| (&**key, "v")).collect();
        labels.insert(0, ("long", &long));
        let mut left_out = LeftOut::default();
        let group = described(&Group::default(), &labels, &mut left_out);
        assert_eq!(group.labels.len(), LABELS_MAX);
        assert_eq!(left_out.labels, 6);
    }
}
