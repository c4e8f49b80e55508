//! A function over all services: at the hub, by the command, and on the page.

use std::fs;
use std::process::Command;

use hone_batch::{Batch, BinaryIndex, NameIndex, Place};
use serde_json::{Value, json};
use tempfile::tempdir;

use crate::common::{ANY_PORT, Hub, run};
use crate::fleet::{batch, send};
use crate::page::shows;

/// What a host sends of a service where `serve` runs by itself in three samples, and calls `parse` in four.
fn named(host: &str, number: u64, service: &str) -> Batch {
    let mut batch = batch(host, number, service);
    batch.names = ["serve", "parse<int>"].map(str::to_owned).to_vec();
    batch.places = (0..2)
        .map(|name| Place::Named {
            binary: BinaryIndex(0),
            name: NameIndex(name),
        })
        .collect();
    // Only samples matter here.
    batch.branches.clear();
    batch.ranges.clear();
    batch.records.clear();
    batch
}

fn filled(directory: &std::path::Path, settings: &str) -> Hub {
    let hub = Hub::start(directory, &format!("{ANY_PORT}{settings}"));
    send(&hub, &named("one", 0, "shop"));
    send(&hub, &named("two", 1, "shop"));
    send(&hub, &named("two", 2, "till"));
    hub
}

fn json(hub: &Hub, path: &str) -> Value {
    let answer = hub.get(path);
    assert_eq!(answer.status, 200, "{}", answer.text());
    serde_json::from_slice(&answer.body).unwrap()
}

/// Cores of the time of an answer, about a day, are these samples of a microsecond.
fn are_samples(answer: &Value, cores: &Value, samples: f64) -> bool {
    let time_s = |key: &str| answer[key].as_f64().unwrap();
    let seconds = time_s("to") - time_s("from");
    assert!(
        (86_400.0..=86_400.0 + 3_600.0).contains(&seconds),
        "{answer}"
    );
    let per_sample = 1e-6 / seconds;
    let expected = [samples * per_sample, samples.sqrt() * per_sample];
    // A time that begins within a minute has a minute more.
    let is_near = |(value, expected): (&Value, f64)| {
        (value.as_f64().unwrap() / expected - 1.0).abs() < 2.0 * 60.0 / seconds
    };
    cores.as_array().unwrap().iter().zip(expected).all(is_near)
}

#[test]
fn a_function_and_its_callers_are_told_of_all_services() {
    let directory = tempdir().unwrap();
    let hub = filled(directory.path(), "");
    let found = json(&hub, "/v1/search?function=PARSE");
    let rows = found["functions"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{found}");
    for (row, (service, samples)) in rows.iter().zip([("shop", 8.0), ("till", 4.0)]) {
        assert_eq!(
            (&row["function"], &row["service"]),
            (&json!("parse<int>"), &json!(service))
        );
        assert!(
            are_samples(&found, &row["self"], samples)
                && are_samples(&found, &row["total"], samples),
            "{row}"
        );
    }
    assert_eq!(
        (&found["services"], &found["left_out"]),
        (&json!(2), &json!(0))
    );
    assert_eq!(found["too_large"], json!([]));

    let serve = json(&hub, "/v1/search?function=serve&service=shop&host=two");
    let row = &serve["functions"][0];
    assert!(
        are_samples(&serve, &row["self"], 3.0) && are_samples(&serve, &row["total"], 7.0),
        "{row}"
    );
    let callers = json(&hub, "/v1/callers?function=parse%3Cint%3E&rows=1");
    let row = &callers["callers"][0];
    assert_eq!(
        (&row["service"], &row["caller"]),
        (&json!("shop"), &json!("serve"))
    );
    assert!(are_samples(&callers, &row["cores"], 8.0), "{row}");
    assert_eq!(callers["left_out"], 1);
    assert_eq!(
        json(&hub, "/v1/callers?function=serve&service=till")["callers"][0]["caller"],
        Value::Null
    );
    assert_eq!(
        json(&hub, "/v1/search?function=absent")["functions"],
        json!([])
    );

    hub.get("/v1/search")
        .refuses(400, "no function is asked for");
    hub.get("/v1/search?function=a&rows=5000")
        .refuses(400, "1 to 1000");
    hub.get("/v1/callers?function=serve&service=shopp")
        .refuses(404, "no service \"shopp\"; there are: shop");
}

#[test]
fn a_token_searches_its_own_tenant() {
    let directory = tempdir().unwrap();
    let hub = filled(directory.path(), "");
    let token = |scopes: &str, tenant: &str| {
        let made = run(
            directory.path(),
            &["token", "new", "--scopes", scopes, "--tenant", tenant],
        );
        assert!(made.status.success(), "{made:?}");
        let file = directory.path().join(format!("{scopes}-{tenant}"));
        fs::write(&file, &made.stdout).unwrap();
        file
    };
    let searched = |file: &std::path::Path| {
        let url = format!("http://{}", hub.address);
        let file = file.display().to_string();
        run(
            directory.path(),
            &[
                "search",
                "parse",
                "--json",
                "--url",
                &url,
                "--token-file",
                &file,
            ],
        )
    };
    let own = searched(&token("read", "default"));
    assert!(
        String::from_utf8_lossy(&own.stdout).contains("\"shop\""),
        "{own:?}"
    );
    let other = searched(&token("read", "other"));
    assert!(
        String::from_utf8_lossy(&other.stdout).contains("\"services\":0"),
        "{other:?}"
    );
    let sender = searched(&token("ingest", "default"));
    assert_eq!(sender.status.code(), Some(2));
    let why = String::from_utf8_lossy(&sender.stderr).into_owned();
    assert!(why.contains("has not the scope read"), "{why}");
}

#[test]
fn the_command_prints_functions_and_callers() {
    let directory = tempdir().unwrap();
    let hub = filled(directory.path(), "");
    let printed = |words: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_hone-hub"))
            .arg("search")
            .args(words)
            .env("HONE_HUB", format!("http://{}", hub.address))
            .env_remove("HONE_HUB_TOKEN")
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    let functions = printed(&["parse", "--from", "-6h"]);
    let lines: Vec<&str> = functions.lines().collect();
    assert!(lines[1].ends_with("  shop     parse<int>"), "{functions}");
    assert!(lines[2].ends_with("  till     parse<int>"), "{functions}");
    assert_eq!(lines[3], "services searched: 2");
    let callers = printed(&["--callers", "parse<int>", "--service", "till"]);
    assert!(
        callers
            .lines()
            .nth(1)
            .unwrap()
            .ends_with("  till     serve"),
        "{callers}"
    );
    assert!(printed(&["absent"]).starts_with("no function of that name"));
}

#[test]
#[ignore = "further end to end"]
fn a_browser_shows_functions_their_cost_and_their_callers() {
    let directory = tempdir().unwrap();
    let hub = filled(
        directory.path(),
        "[cost]\nunit = 'EUR'\nper_core_hour = 0.5",
    );
    shows(
        &hub,
        "find=parse&callers=parse%3Cint%3E",
        &[
            "Functions with “parse” in their name",
            "<button class=\"bare\">parse&lt;int&gt;</button>",
            "Flame graph of till with parse",
            "EUR a month",
            "Who calls parse&lt;int&gt;",
            "<button class=\"bare\">serve</button>",
            "Services searched: 2.",
        ],
    );
    shows(
        &hub,
        "service=till&mark=parse%3Cint%3E",
        &["#search=%5Eparse%3Cint%3E%24"],
    );
}
