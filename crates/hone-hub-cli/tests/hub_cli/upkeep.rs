//! Compaction and retention of a hub that runs.

use std::fs;

use hone_batch::{Batch, wire};
use hone_hub::store::{Location, Options, Received, Store};
use tempfile::tempdir;

use crate::common::{ANY_PORT, Hub, until};
use crate::fleet::{batch_of, is_sum_of, now_s, send};

/// Settings of a hub that looks every second for what is due.
fn busy() -> String {
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
    hub.hears("cannot compact broken: ");
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
