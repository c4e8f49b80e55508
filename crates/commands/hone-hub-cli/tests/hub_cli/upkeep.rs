//! Compaction and retention of a hub that runs.

use std::fs;

use hone_batch::{Batch, wire};
use hone_hub::store::{Location, Options, Received, Store};
use tempfile::tempdir;

use crate::common::{ANY_PORT, Hub, run, until};
use crate::fleet::{batch_of, is_sum_of, now_s, send};

/// Settings of a hub that looks every second for what is due.
pub(crate) fn busy() -> String {
    format!("{ANY_PORT}[upkeep]\ncompact_s = 1\nretain_s = 1\n")
}

/// What a store appends of a batch.
pub(crate) fn received(batch: &Batch) -> Received {
    Received {
        origin: batch.origin.clone(),
        span_s: batch.span_s.clone(),
        bytes: wire::write(batch),
    }
}

#[test]
fn hours_that_are_over_become_files_and_answers_stay() {
    let directory = tempdir().unwrap();
    let hours_ago_s = now_s() - 3 * 3600;
    let batches = [0, 1].map(|number| batch_of("one", number, "shop", hours_ago_s));
    let folder = directory.path().join("hub-data");
    let store = Store::open(Location::Folder(folder.clone()), Options::default()).unwrap();
    for batch in &batches {
        store
            .append("default", &received(batch), hours_ago_s + 200)
            .unwrap();
    }
    drop(store);

    let hub = Hub::start(directory.path(), &busy());
    until("compaction", || {
        (hub.figure("hone_hub_compacted_batches_total") == 2).then_some(())
    });
    is_sum_of(&hub.get("/v1/query?service=shop"), &batches);
    let files = folder.join("default/tables/samples");
    assert_eq!(fs::read_dir(files).unwrap().count(), 2, "the log and a day");
    until("a look at the store", || {
        let name = "hone_hub_store_bytes{tenant=\"default\",kind=\"files\"}";
        hub.figure_if_there(name).filter(|bytes| *bytes > 0)
    });
    assert_eq!(hub.figure("hone_hub_upkeep_errors_total"), 0);
}

#[test]
fn a_tenant_whose_files_are_damaged_stops_neither_the_hub_nor_others() {
    let directory = tempdir().unwrap();
    let folder = directory.path().join("hub-data");
    let hours_ago_s = now_s() - 3 * 3600;
    let batch = batch_of("one", 0, "shop", hours_ago_s);
    let store = Store::open(Location::Folder(folder.clone()), Options::default()).unwrap();
    for tenant in ["broken", "default"] {
        store
            .append(tenant, &received(&batch), hours_ago_s + 200)
            .unwrap();
    }
    drop(store);
    let journal = folder.join("broken/journal");
    fs::create_dir_all(&journal).unwrap();
    fs::write(journal.join("00000000000000000001.json"), "nonsense").unwrap();

    let hub = Hub::start(directory.path(), &busy());
    hub.hears("cannot tell the time of broken: ");
    until("compaction", || {
        (hub.figure("hone_hub_compacted_batches_total") == 1).then_some(())
    });
    assert!(hub.figure("hone_hub_upkeep_errors_total") > 0);
    send(&hub, &batch_of("two", 0, "shop", hours_ago_s));
    is_sum_of(
        &hub.get("/v1/query?service=shop"),
        &[batch, batch_of("two", 0, "shop", hours_ago_s)],
    );
}

#[test]
fn days_that_went_away_by_their_age_come_back_by_a_command() {
    let directory = tempdir().unwrap();
    let folder = directory.path().join("hub-data");
    let hours_ago_s = now_s() - 3 * 3600;
    let batch = batch_of("one", 0, "shop", hours_ago_s);
    let store = Store::open(Location::Folder(folder), Options::default()).unwrap();
    let sent = store.append("default", &received(&batch), hours_ago_s + 200);
    sent.unwrap();
    store.compact(now_s()).unwrap();
    // As by a store's time that ran ahead for weeks.
    let gone = store.retain(now_s() + 500 * 86_400).unwrap();
    assert!(gone.expired_files > 0);
    let restore = |arguments: &[&str]| {
        let arguments = [&["restore"], arguments].concat();
        let output = run(directory.path(), &arguments);
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (status, said) = restore(&[]);
    assert_eq!(status, Some(2));
    assert!(said.contains("stop the hub first"), "{said}");
    drop(store);

    let (status, said) = restore(&["--dry-run"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.contains("of days from") && said.contains("would come back"),
        "{said}"
    );
    let (status, said) = restore(&["--tenant", "nobody"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("there are: default"), "{said}");
    let (status, said) = restore(&["--tenant", "default"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("are back"), "{said}");
    let hub = Hub::start(directory.path(), &busy());
    is_sum_of(&hub.get("/v1/query?service=shop"), &[batch]);
}
