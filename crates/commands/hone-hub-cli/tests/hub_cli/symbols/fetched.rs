//! Files that the hub fetches from servers of debuginfod: here another hub.

use serde_json::json;
use tempfile::tempdir;
use testkit::recipes::{PLAIN, SMALL, split};
use testkit::view_page;

use super::{batch_of, build_of, json, put, taken, view};
use crate::common::{ANY_PORT, Hub, until};
use crate::fleet::send;

#[test]
#[ignore = "waits on a clock"]
fn what_builds_lack_is_fetched_from_servers() {
    let directory = tempdir().unwrap();
    let Some(parts) = split(SMALL, directory.path()) else {
        return;
    };
    let source_directory = tempdir().unwrap();
    let source = Hub::start(source_directory.path(), ANY_PORT);
    taken(&put(&source, &parts.stripped), 201);
    taken(&put(&source, &parts.debug), 201);
    let settings = format!(
        "{ANY_PORT}[upkeep]\ncompact_s = 1\n[symbols]\nservers = ['http://{}']\n",
        source.address
    );
    let hub = Hub::start(directory.path(), &settings);
    send(&hub, &batch_of(&parts.whole, &["twice"]));
    let fetched = |outcome: &str| {
        hub.figure(&format!(
            "hone_hub_symbol_fetches_total{{outcome=\"{outcome}\"}}"
        ))
    };
    until("both files", || (fetched("found") == 2).then_some(()));
    // What questions know of the build is forgotten with what comes.
    assert!(view_page::names(&view(&hub).text()).contains("\"squared\""));
    let of_build = format!("/v1/symbols/{}", build_of(&parts.whole));
    let files = json(&hub.get(&of_build))["files"].clone();
    assert_eq!(files.as_array().unwrap().len(), 2, "{files}");

    // Of another build the server has nothing, and it is asked once.
    let place = tempdir().unwrap();
    let Some(other) = PLAIN.build(place.path()) else {
        return;
    };
    for _ in 0..2 {
        send(&hub, &batch_of(&other, &["twice"]));
        until("the answer that there is nothing", || {
            (fetched("absent") == 2).then_some(())
        });
    }
    assert_eq!(fetched("failed"), 0);
    assert_eq!(hub.figure("hone_hub_upkeep_errors_total"), 0);
}

#[test]
fn nothing_is_fetched_unless_servers_are_named() {
    let directory = tempdir().unwrap();
    let Some(parts) = split(SMALL, directory.path()) else {
        return;
    };
    let settings = format!(
        "{ANY_PORT}[upkeep]\ncompact_s = 1\n[symbols]\nfetch_bytes = 0\nservers = ['http://127.0.0.1:9']\n"
    );
    let hub = Hub::start(directory.path(), &settings);
    send(&hub, &batch_of(&parts.whole, &["twice"]));
    hub.hears("nothing is fetched for default");
    let list = json(&hub.get("/v1/symbols"));
    assert_eq!(list["there"], json!([]));
}
