//! Jobs: what is made of rows that Spark has added up is what the hub makes of its own tables, to the last byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hone_batch::{
    BUCKET_S, Batch, BinaryIndex, FrameIndex, Group, GroupIndex, NameIndex, Place, PlaceIndex,
    Samples,
};
use hone_files::files::copy_tree;
use hone_hub::regressions::STEP_S;
use hone_hub::store::{Location, Options, Store};
use hone_hub::symbols::limits::Limits;
use hone_hub::symbols::{InProcess, Symbols};
use hone_profile::Label;
use tempfile::tempdir;
use testkit::fleet::{NOW_S, Recording};
use testkit::python_with;

use crate::common::run;
use crate::steps::{self, counts};
use crate::upkeep::received;

/// Steps of history: a week and a day, and the two that looks are made up for.
const STEPS: u64 = 33;
/// Hosts of a service that is small enough for hosts to be told apart, and of one that is not.
const FLEETS: [(&str, u64); 2] = [("shop", 6), ("till & größe/42", 70)];
/// Settings of the hub: the recording has few samples.
const SETTINGS: &str = "[pgo]\nmemory_gib = 2\n[pgo.services.zip.gates]\nsamples_min = 1000\n[pgo.services.wide.gates]\nsamples_min = 1000\n";

/// What a host recorded in a step, on two threads of two containers, in one of two builds; hosts send at other minutes.
fn batch(service: &str, host: u64, step: u64, counts: [u64; 3]) -> Batch {
    let mut batch = steps::batch(service, host, step, counts);
    let start_s = batch.span_s.start + 60 * (host % 50);
    batch.span_s = start_s..start_s + 120;
    batch.origin.run = service.len() as u128;
    // Instructions of `write` have a place of their own.
    batch.names.push("copy".to_owned());
    batch.places.push(Place::Named {
        binary: BinaryIndex(0),
        name: NameIndex(4),
    });
    let group = |number: u64| Group {
        service: service.into(),
        container: format!("{number}"),
        build: format!("{:02x}", host % 2).repeat(20),
        thread: format!("worker-{number}"),
        labels: [Label {
            key: "region".into(),
            value: format!("{number}").into(),
        }]
        .into_iter()
        .collect(),
        ..Group::default()
    };
    batch.groups = [0, 1].map(group).into();
    let samples = batch.samples.iter().flat_map(|samples| {
        [0, 1].map(|group| {
            let times = samples.times + u64::from(group);
            Samples {
                group: GroupIndex(group),
                ip: (samples.stack == FrameIndex(3)).then_some(PlaceIndex(4)),
                bucket: start_s / BUCKET_S + u64::from(group),
                times,
                weight: times * 50_000_007,
                ..*samples
            }
        })
    });
    batch.samples = samples.collect();
    batch
}

/// Stores the steps of both services before a step, compacted as a hub does; `parse` of `shop` takes more in the last day.
fn store_week(store: &Store, due: u64) {
    for step in due - STEPS..due {
        let nth = step + STEPS - due;
        for (service, hosts) in FLEETS {
            if hosts > 64 && !nth.is_multiple_of(4) {
                continue;
            }
            for host in 0..hosts {
                let is_dearer = service == "shop" && step >= due - 4;
                let batch = batch(service, host, step, counts(host, nth, is_dearer));
                let received = received(&batch);
                store
                    .append("default", &received, batch.span_s.end)
                    .unwrap();
            }
        }
        store.compact((step + 1) * STEP_S).unwrap();
    }
}

/// Stores what hosts recorded of two services with branch records, one of which has more hosts than are told apart.
fn store_recorded(store: &Store) {
    let recording = Recording::new();
    let symbols = Symbols::open(
        store.objects(),
        Limits::default(),
        Box::new(InProcess::default()),
    );
    let file = tempfile::NamedTempFile::new().unwrap();
    let hone_symbols::Image { binary, .. } = recording.image(0);
    fs::write(file.path(), binary).unwrap();
    symbols.take("default", file.as_file(), NOW_S).unwrap();
    for (service, hosts) in [("zip", 4), ("wide", 90)] {
        for (mut sent, number) in recording.fleet(hosts).into_iter().zip(0..) {
            sent.service = service;
            // One that weighs more than others may.
            sent.times = if sent.host == "host-3" { 9 } else { 1 };
            for age_s in [60, 2 * 86_400, 2 * 86_400 + 7 * 3_600] {
                // Hours from the first to the last, since a profile goes by the middle of what a step has.
                sent.age_s = age_s + number * 14_000 / hosts as u64;
                let mut batch = recording.batch(&sent);
                batch.origin.run = 1_000 + service.len() as u128;
                let received = received(&batch);
                store
                    .append("default", &received, batch.span_s.end)
                    .unwrap();
            }
        }
    }
    store.compact(NOW_S + 7_200).unwrap();
}

/// Returns the files below a directory, by their paths.
fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let Ok(entries) = fs::read_dir(directory) else {
        return found;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        match path.is_dir() {
            true => found.extend(
                files(&path)
                    .into_iter()
                    .map(|(below, bytes)| (name.join(below), bytes)),
            ),
            false => _ = found.insert(name, fs::read(&path).unwrap()),
        }
    }
    found
}

#[track_caller]
fn done(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    text
}

/// Runs jobs, one after the other in one session of Spark with two workers of their own.
const DRIVER: &str = "
import json, sys
sys.path.insert(0, sys.argv[1])
import hone_spark
from pyspark.sql import SparkSession
builder = SparkSession.builder.master('local-cluster[2,1,1024]').config('spark.ui.enabled', 'false').config('spark.ui.showConsoleProgress', 'false')
builder = builder.config('spark.sql.shuffle.partitions', '4').config('spark.driver.memory', '1g').config('spark.executor.memory', '1g')
builder.config('spark.driver.host', '127.0.0.1').config('spark.driver.bindAddress', '127.0.0.1').getOrCreate()
spark = hone_spark.session()
spark.sparkContext.setLogLevel('ERROR')
assert spark.sparkContext.master.startswith('local-cluster')
for words in json.loads(sys.argv[2]):
    args = hone_spark.parse(words)
    status, lines = args.job(spark, args)
    print(json.dumps({'status': status, 'lines': lines}))
spark.stop()
";

#[test]
#[ignore = "further end to end"]
fn what_is_made_of_rows_that_spark_has_added_up_is_the_same() {
    let Some(python) = python_with("pyspark") else {
        return;
    };
    if Command::new("java").arg("-version").output().is_err() {
        println!("skipped: Spark needs Java, which is not installed");
        return;
    }
    let directory = tempdir().unwrap();
    let [own, summed, rows] = ["own", "summed", "rows"].map(|name| directory.path().join(name));
    // A step that ends as the hosts of `store_recorded` send, and a look half an hour later.
    let due = NOW_S / STEP_S + 1;
    let at = (due * STEP_S + 1_800).to_string();
    let store = Store::open(Location::Folder(own.clone()), Options::default()).unwrap();
    store_week(&store, due);
    store_recorded(&store);
    drop(store);
    copy_tree(&own, &summed).unwrap();
    fs::write(directory.path().join("hub.toml"), SETTINGS).unwrap();

    let profiles = [
        ("zip", "autofdo-text"),
        ("wide", "autofdo-text"),
        ("zip", "bolt-fdata"),
    ];
    let hub = ["--config", "hub.toml", "--folder"];
    let by_hub = |words: &[&str]| {
        let words = [&hub[..], &["own", "jobs"], words, &["--at", &at]].concat();
        run(directory.path(), &words)
    };
    done(&by_hub(&["regressions"]));
    let made = profiles.map(|(service, form)| {
        let output = by_hub(&["pgo", service, "--form", form]);
        (output.status.code(), output.stdout)
    });

    let command = format!(
        "{} {} summed",
        env!("CARGO_BIN_EXE_hone-hub"),
        hub.join(" ")
    );
    let of_all = [
        "--store", "summed", "--rows", "rows", "--at", &at, "--hub", &command,
    ];
    let mut jobs = vec![[&["regressions"][..], &of_all].concat()];
    jobs.extend(
        profiles.map(|(service, form)| [&["pgo", service, "--form", form][..], &of_all].concat()),
    );
    let output = Command::new(python)
        .args(["-c", DRIVER])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../spark"))
        .arg(serde_json::to_string(&jobs).unwrap())
        .env("SPARK_LOCAL_IP", "127.0.0.1")
        .current_dir(directory.path())
        .output()
        .unwrap();
    let told = done(&output);

    let [of_own, of_summed] =
        [&own, &summed].map(|folder| files(&folder.join("default/regressions")));
    assert_eq!(
        of_own.keys().collect::<Vec<_>>(),
        of_summed.keys().collect::<Vec<_>>()
    );
    // All steps of a service and its state.
    assert!(of_own.len() > STEPS as usize, "{:?}", of_own.keys());
    assert!(of_own == of_summed, "other steps or findings");
    assert!(told.contains("parse takes 33."), "{told}");

    let [of_own, of_summed] = [&own, &summed].map(|folder| files(&folder.join("default/pgo")));
    assert_eq!(of_own.len(), profiles.len(), "{made:?}");
    assert!(of_own == of_summed, "other profiles");
    assert!(rows.join("samples").is_dir());
}
