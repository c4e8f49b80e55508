//! A store with rows that an engine has added up: read in place of its own, and written to where nothing else is its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use hone_hub::regressions::Regressions;
use hone_hub::store::{Location, Options, PreparedStore, Store, StoreError};
use hone_regressions::Thresholds;
use serde_json::json;
use tempfile::tempdir;

use super::fleet::{Detail, MIDNIGHT_S, Sent, TENANT, batch, sums_in, sums_of};

/// What hosts sent that was compacted, on two days.
fn compacted() -> Vec<Sent> {
    let sent = |number: u64| Sent {
        host: (number % 3) as u8,
        number,
        minute: number as u32 * 97,
    };
    (0..20).map(sent).collect()
}

fn fill(folder: &Path) {
    let store = Store::open(Location::Folder(folder.to_owned()), Options::default()).unwrap();
    for sent in compacted() {
        store
            .append(TENANT, &sent.received(), sent.start_s())
            .unwrap();
        store.compact(sent.start_s() + 7200).unwrap();
    }
}

/// Hands over the store's own files as those of an engine: of these days, which are of two services.
fn hand_over(store: &Path, rows: &Path, days: &[&str]) {
    let mut parts = Vec::new();
    for day in days {
        for (service, folder) in [("checkout", "checkout"), ("", "__HIVE_DEFAULT_PARTITION__")] {
            for table in fs::read_dir(store.join(TENANT).join("tables")).unwrap() {
                let table = table.unwrap();
                let from = table.path().join(format!("day={day}/service={folder}"));
                let to: PathBuf = rows
                    .join(table.file_name())
                    .join(format!("n={}", parts.len()));
                fs::create_dir_all(&to).unwrap();
                let files = fs::read_dir(from).into_iter().flatten().map(Result::unwrap);
                for file in files {
                    fs::copy(file.path(), to.join(file.file_name())).unwrap();
                }
                fs::write(to.join(".left.parquet"), "no rows").unwrap();
            }
            parts.push(json!({"day": day, "service": service}));
        }
    }
    // Frames and stacks are the store's.
    for table in ["frames", "stacks"] {
        fs::remove_dir_all(rows.join(table)).unwrap();
    }
    let content = json!({"format": 1, "tenant": TENANT, "parts": parts});
    fs::write(rows.join("prepared.json"), content.to_string()).unwrap();
}

fn open(store: &Path, rows: &Path, tenant: &str) -> Result<PreparedStore, StoreError> {
    let [main, rows] = [store, rows].map(|folder| Location::Folder(folder.to_owned()));
    Store::open_prepared(main, rows, tenant, Options::default())
}

#[test]
fn rows_of_an_engine_are_read_in_place_of_the_stores_own() {
    let directory = tempdir().unwrap();
    let [folder, rows] = ["store", "rows"].map(|name| directory.path().join(name));
    fill(&folder);
    hand_over(&folder, &rows, &["2026-03-01", "2026-03-02"]);
    let late = Sent {
        host: 1,
        number: 100,
        minute: 2_000,
    };
    {
        let store = Store::open(Location::Folder(folder.clone()), Options::default()).unwrap();
        store
            .append(TENANT, &late.received(), late.start_s())
            .unwrap();
        let all = compacted().into_iter().chain([late]);
        assert_eq!(sums_in(&store, Detail::Whole), sums_of(all, Detail::Whole));
    }
    let prepared = open(&folder, &rows, TENANT).unwrap();
    // What is not compacted is told, and not read.
    assert_eq!(prepared.segments_left_out, 1);
    assert!(prepared.days_left_out.is_empty());
    let expected = sums_of(compacted(), Detail::Whole);
    assert!(expected.len() > 100);
    assert_eq!(sums_in(&prepared.store, Detail::Whole), expected);
}

#[test]
fn a_store_with_rows_of_an_engine_is_written_to_but_for_its_tables() {
    let directory = tempdir().unwrap();
    let [folder, rows] = ["store", "rows"].map(|name| directory.path().join(name));
    fill(&folder);
    hand_over(&folder, &rows, &["2026-03-01", "2026-03-02"]);
    let prepared = open(&folder, &rows, TENANT).unwrap();
    let (objects, sent) = (prepared.store.objects(), compacted()[0]);
    let name = format!("{TENANT}/pgo/made.tar");
    objects.put(&name, b"made").unwrap();
    assert_eq!(fs::read(folder.join(&name)).unwrap(), b"made");
    for directory in ["journal", "segments", "tables"] {
        let name = format!("{TENANT}/{directory}/new");
        assert!(objects.put(&name, b"").is_err(), "{name}");
        assert!(objects.put_if_absent(&name, b"").is_err(), "{name}");
        assert!(objects.delete(&name).is_err(), "{name}");
    }
    let refused = prepared
        .store
        .append(TENANT, &sent.received(), sent.start_s());
    assert!(refused.is_err());
}

#[test]
fn rows_of_too_few_days_are_told_until_their_steps_are_kept() {
    let directory = tempdir().unwrap();
    let [folder, rows] = ["store", "rows"].map(|name| directory.path().join(name));
    fill(&folder);
    hand_over(&folder, &rows, &["2026-03-02"]);
    let now_s = MIDNIGHT_S + 2 * 86_400;
    let lacking = |prepared: &PreparedStore| {
        let thresholds = Thresholds::default();
        let regressions =
            Regressions::of(&prepared.store, TENANT, None, thresholds, 1 << 20).unwrap();
        let left_out = &prepared.days_left_out["checkout"];
        regressions.to_gather("checkout", left_out, now_s).unwrap()
    };
    assert_eq!(
        lacking(&open(&folder, &rows, TENANT).unwrap()),
        ["2026-03-01"]
    );
    {
        let store = Store::open(Location::Folder(folder.clone()), Options::default()).unwrap();
        let regressions = Regressions::of(&store, TENANT, None, Thresholds::default(), 1 << 20);
        let (regressions, earlier_s) = (regressions.unwrap(), now_s - 6 * 3600);
        let (services, _) = regressions.services(earlier_s).unwrap();
        let service = services.iter().find(|service| service.name == "checkout");
        regressions.look_at(service.unwrap(), earlier_s).unwrap();
    }
    assert!(lacking(&open(&folder, &rows, TENANT).unwrap()).is_empty());
}

#[test]
fn what_is_no_content_of_rows_is_refused() {
    let directory = tempdir().unwrap();
    let [folder, rows] = ["store", "rows"].map(|name| directory.path().join(name));
    fill(&folder);
    let told = |tenant: &str| {
        open(&folder, &rows, tenant)
            .err()
            .expect("an error")
            .to_string()
    };
    assert!(
        told(TENANT).contains("it is written last"),
        "{}",
        told(TENANT)
    );
    hand_over(&folder, &rows, &["2026-03-01"]);
    assert!(
        told("other").contains("of the tenant \"acme\""),
        "{}",
        told("other")
    );
    let content =
        |content: serde_json::Value| fs::write(rows.join("prepared.json"), content.to_string());
    content(json!({"format": 2, "tenant": TENANT, "parts": []})).unwrap();
    assert!(told(TENANT).contains("format 2"), "{}", told(TENANT));
    content(json!({"format": 1, "tenant": TENANT, "parts": []})).unwrap();
    assert!(
        told(TENANT).contains("does not say what"),
        "{}",
        told(TENANT)
    );
    fs::write(rows.join("samples/n=0/more.parquet"), "no Parquet").unwrap();
    hand_over(&folder, &rows, &["2026-03-01"]);
    assert!(
        told(TENANT).contains("samples/n=0/more.parquet"),
        "{}",
        told(TENANT)
    );
    // Batches of the tests have what the names say.
    let services: BTreeSet<String> = batch(compacted()[0])
        .groups
        .into_iter()
        .map(|group| group.service)
        .collect();
    assert!(services.contains("checkout") && services.contains(""));
}
