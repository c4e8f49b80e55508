//! OpenTelemetry's profiles, which must be switched on.

use opentelemetry_proto::tonic::collector::profiles::v1development::ExportProfilesServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::profiles::v1development::{
    Function, KeyValueAndUnit, Line, Location, Mapping, Profile, ProfilesDictionary,
    ResourceProfiles, Sample, ScopeProfiles, Stack, ValueType,
};
use opentelemetry_proto::tonic::resource::v1::Resource;
use prost::Message;
use tempfile::tempdir;

use super::profile::{gzip, send};
use super::{batch, folded};
use crate::common::{ANY_PORT, Hub};
use crate::fleet::now_s;

const PATH: &str = "/v1development/profiles";
const KIND: &str = "application/x-protobuf";

fn text(text: &str) -> Option<AnyValue> {
    Some(AnyValue {
        value: Some(Value::StringValue(text.to_owned())),
    })
}

/// What the eBPF profiler sends of a process: samples with times and without values, of a program without names and of the kernel.
fn request(start_s: u64) -> ExportProfilesServiceRequest {
    let strings = [
        "",
        "samples",
        "count",
        "cpu",
        "nanoseconds",
        "/srv/bin/shop",
        "do_syscall_64",
        "profile.frame.type",
        "process.executable.build_id.gnu",
        "thread.name",
        "worker",
        "main",
    ];
    let at = |text: &str| strings.iter().position(|own| *own == text).unwrap() as i32;
    let attribute = |key: &str, value: &str| KeyValueAndUnit {
        key_strindex: at(key),
        value: text(value),
        unit_strindex: 0,
    };
    let kind = |kind: &str, unit: &str| {
        Some(ValueType {
            type_strindex: at(kind),
            unit_strindex: at(unit),
        })
    };
    let dictionary = ProfilesDictionary {
        mapping_table: vec![
            Mapping::default(),
            Mapping {
                memory_start: 0x1000,
                memory_limit: 0x9000,
                file_offset: 0x1000,
                filename_strindex: at("/srv/bin/shop"),
                attribute_indices: vec![2],
            },
        ],
        location_table: vec![
            Location::default(),
            Location {
                mapping_index: 1,
                address: 0x2000,
                ..Location::default()
            },
            Location {
                lines: vec![Line {
                    function_index: 1,
                    ..Line::default()
                }],
                attribute_indices: vec![1],
                ..Location::default()
            },
            Location {
                mapping_index: 1,
                lines: vec![Line {
                    function_index: 2,
                    ..Line::default()
                }],
                ..Location::default()
            },
        ],
        function_table: vec![
            Function::default(),
            Function {
                name_strindex: at("do_syscall_64"),
                ..Function::default()
            },
            Function {
                name_strindex: at("main"),
                ..Function::default()
            },
        ],
        attribute_table: vec![
            KeyValueAndUnit::default(),
            attribute("profile.frame.type", "kernel"),
            attribute("process.executable.build_id.gnu", "ab01cd02"),
            attribute("thread.name", "worker"),
        ],
        string_table: strings.iter().map(|text| (*text).to_owned()).collect(),
        stack_table: vec![
            Stack::default(),
            Stack {
                location_indices: vec![2, 1, 3],
            },
            Stack {
                location_indices: vec![3],
            },
        ],
        ..ProfilesDictionary::default()
    };
    let sample = |stack_index, times: &[u64]| Sample {
        stack_index,
        attribute_indices: vec![3],
        timestamps_unix_nano: times
            .iter()
            .map(|after_s| (start_s + after_s) * 1_000_000_000)
            .collect(),
        ..Sample::default()
    };
    let profile = Profile {
        sample_type: kind("samples", "count"),
        period_type: kind("cpu", "nanoseconds"),
        period: 50_000_000,
        time_unix_nano: start_s * 1_000_000_000,
        samples: vec![sample(1, &[0, 1, 61]), sample(2, &[2])],
        ..Profile::default()
    };
    let resource = Resource {
        attributes: [
            ("service.name", "shop"),
            ("host.name", "web-1"),
            ("container.id", "c0ffee"),
        ]
        .map(|(key, value)| KeyValue {
            key: key.to_owned(),
            value: text(value),
            ..KeyValue::default()
        })
        .to_vec(),
        ..Resource::default()
    };
    ExportProfilesServiceRequest {
        resource_profiles: vec![ResourceProfiles {
            resource: Some(resource),
            scope_profiles: vec![ScopeProfiles {
                profiles: vec![profile],
                ..ScopeProfiles::default()
            }],
            ..ResourceProfiles::default()
        }],
        dictionary: Some(dictionary),
    }
}

fn switched_on() -> String {
    format!("{ANY_PORT}[experimental]\notlp_profiles = true\n")
}

#[test]
fn profiles_of_the_ebpf_profiler_are_taken_once_they_are_switched_on() {
    let directory = tempdir().unwrap();
    let start_s = (now_s() - 600) / 60 * 60;
    let body = gzip(&request(start_s).encode_to_vec());
    {
        let hub = Hub::start(directory.path(), ANY_PORT);
        send(&hub, PATH, KIND, &body).refuses(404, "otlp_profiles = true");
    }
    let hub = Hub::start(directory.path(), &switched_on());
    let answer = send(&hub, PATH, KIND, &body);
    assert_eq!((answer.status, answer.text()), (200, String::new()));
    assert_eq!(
        folded(&hub, "shop"),
        "main 50000000\nmain;[shop];do_syscall_64 150000000\n"
    );
    let batch = batch(&hub, "shop");
    let group = &batch.groups[0];
    let told = (&*group.host, &*group.container, &*group.thread);
    assert_eq!(told, ("web-1", "c0ffee", "worker"));
    let mut minutes: Vec<u64> = batch.samples.iter().map(|row| row.bucket).collect();
    minutes.sort_unstable();
    minutes.dedup();
    assert_eq!(minutes, [start_s / 60, start_s / 60 + 1]);
    let code = batch.places.iter().find_map(|place| match place {
        hone_batch::Place::Code { binary, offset } => Some((binary.index(), *offset)),
        hone_batch::Place::Named { .. } => None,
    });
    let (binary, offset) = code.unwrap();
    assert_eq!(offset, 0x2001, "just after the call");
    assert_eq!(
        batch.binaries[binary]
            .build_id
            .as_ref()
            .unwrap()
            .to_string(),
        "ab01cd02"
    );
}

#[test]
fn samples_without_values_are_refused_loudly() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), &switched_on());
    let mut odd = request(now_s());
    for sample in &mut odd.resource_profiles[0].scope_profiles[0].profiles[0].samples {
        sample.timestamps_unix_nano.clear();
    }
    send(&hub, PATH, KIND, &odd.encode_to_vec()).refuses(400, "update the sender");
    send(&hub, PATH, "application/json", b"{}").refuses(415, "send application/x-protobuf");
    send(&hub, PATH, KIND, b"\x0a\xff\xff").refuses(400, "the request");
    // Indices that lead nowhere.
    let mut odd = request(now_s());
    let profile = &mut odd.resource_profiles[0].scope_profiles[0].profiles[0];
    profile.samples[0].stack_index = i32::MAX;
    profile.samples[1].stack_index = -1;
    let answer = send(&hub, PATH, KIND, &odd.encode_to_vec());
    assert_eq!(answer.status, 200);
    assert_eq!(hub.figure("hone_hub_left_out_total{what=\"samples\"}"), 4);
    let mut heap = request(now_s());
    let profile = &mut heap.resource_profiles[0].scope_profiles[0].profiles[0];
    profile.period_type = None;
    assert_eq!(send(&hub, PATH, KIND, &heap.encode_to_vec()).status, 200);
    assert_eq!(hub.figure("hone_hub_left_out_total{what=\"profiles\"}"), 1);
    assert_eq!(hub.figure("hone_hub_checkers_lost_total"), 0);
}
