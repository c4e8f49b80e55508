//! The page: its parts, the figures that it asks for, and what a browser shows.

use std::process::Command;

use hone_batch::{Batch, wire};
use serde_json::{Value, json};
use tempfile::tempdir;
use testkit::view_page::names;

use crate::common::{ANY_PORT, Answer, Hub, request, until};
use crate::fleet::{BUILDS, batch, batch_of, now_s, send};

fn json(hub: &Hub, path: &str) -> Value {
    let answer = hub.get(path);
    assert_eq!(answer.status, 200, "{}", answer.text());
    serde_json::from_slice(&answer.body).unwrap()
}

#[test]
fn cores_are_told_over_time_by_service_build_and_host() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    send(&hub, &batch("one", 0, "shop"));
    send(&hub, &batch("two", 1, "shop"));
    send(&hub, &batch("two", 2, "till"));
    let names = |path: &str| -> Vec<String> {
        let series = json(&hub, path);
        let lines = series["lines"].as_array().unwrap().iter();
        lines
            .map(|line| line["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names("/v1/series?by=service"), ["shop", "till"]);
    assert_eq!(names("/v1/series?by=host&service=shop"), ["one", "two"]);
    // The second build has four samples of seven.
    let builds = names("/v1/series?by=build&service=shop");
    assert!(builds[0].starts_with(BUILDS[1]) && builds[1].starts_with(BUILDS[0]));

    let hour_s = now_s() - 3600;
    let series = json(&hub, &format!("/v1/series?service=shop&from={hour_s}"));
    let line = &series["lines"][0];
    let cores: f64 = line["cores"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step.as_f64().unwrap())
        .sum();
    // 14 samples of a microsecond in a step of a minute.
    assert!((cores * 60.0 - 14e-6).abs() < 1e-12, "{series}");
    assert_eq!(series["step_s"], 60);
    assert!(line["mean"][1].as_f64().unwrap() > 0.0);
    hub.get("/v1/series?by=colour")
        .refuses(400, "no way \"colour\"");
    hub.get("/v1/series?service=none")
        .refuses(404, "there is no service \"none\"");
}

#[test]
fn a_view_is_a_page_of_one_build_or_of_two() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(
        directory.path(),
        &format!("{ANY_PORT}[cost]\nunit = 'EUR'\nper_core_hour = 0.5"),
    );
    send(&hub, &batch("one", 0, "shop"));
    let one = hub.get("/v1/view?service=shop").text();
    assert!(
        one.contains("<title>shop, ") && names(&one).contains("cpu-clock"),
        "{one}"
    );
    let [old, new] = BUILDS;
    let two = hub
        .get(&format!(
            "/v1/view?service=shop&build={new}&old_build={old}"
        ))
        .text();
    assert!(
        two.contains(&format!("<title>shop, build {old}"))
            && two.contains(&format!("and shop, build {new}"))
    );
    hub.get("/v1/view?service=shop&old_from=9&old_to=8")
        .refuses(400, "is not before");
    assert_eq!(json(&hub, "/v1/settings")["cost"]["per_core_hour"], 0.5);
}

#[test]
fn a_browser_shows_services_and_their_builds() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    send(&hub, &batch("one", 0, "shop"));
    let page = hub.get("/");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && page.text().contains("hub.js"));
    shows(
        &hub,
        "service=shop",
        &[
            ">shop<",
            BUILDS[0],
            BUILDS[1],
            "src=\"blob:",
            "hone hub symbols server --url http",
        ],
    );
}

/// Sends a batch of a host that tells its time.
fn post_at(hub: &Hub, host_s: u64, batch: &Batch) -> Answer {
    let head = format!("{}: {host_s}\r\n", wire::HOST_TIME);
    let bytes = wire::write(batch);
    request(hub.address, "POST", "/v1/batch", &head, &bytes).unwrap()
}

#[test]
fn hosts_whose_clocks_differ_are_shown_by_name_until_they_are_set() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let days_ago = |days: u64| now_s() - days * 86_400;
    let late = |host, number| batch_of(host, number, "shop", days_ago(9));
    post_at(&hub, days_ago(9), &late("slow", 0)).refuses(409, "check the clocks");
    hub.post(&wire::write(&late("silent", 0)))
        .refuses(409, "check the clocks");
    let fast = post_at(&hub, now_s() + 900, &batch("fast", 0, "shop"));
    assert_eq!(fast.status, 204);
    assert!(fast.header(wire::HUB_TIME).is_some());
    assert_eq!(
        post_at(&hub, now_s(), &batch("right", 0, "shop")).status,
        204
    );

    let told = json(&hub, "/v1/clocks");
    let hosts = told["hosts"].as_array().unwrap();
    let of = |host: &str| hosts.iter().find(|told| told["host"] == host);
    let states = ["slow", "silent", "fast"]
        .map(|host| of(host).map(|told| [&told["is_clock"], &told["is_refused"]]));
    let [yes, no] = [json!(true), json!(false)];
    assert_eq!(
        states,
        [Some([&yes, &yes]), Some([&no, &yes]), Some([&yes, &no])]
    );
    assert_eq!((hosts.len(), told["store_ahead_s"].is_null()), (3, true));
    assert_eq!(hub.figure("hone_hub_hosts_clock_apart"), 3);
    shows(
        &hub,
        "service=shop",
        &[
            "The clock of the host slow is 9 days behind the hub's: the hub refuses its batches",
            "The hub refuses what the host silent sends, since it is 9 days old",
            "The clock of the host fast is 15 minutes ahead of the hub's.",
        ],
    );
    for host in ["slow", "silent", "fast"] {
        post_at(&hub, now_s(), &batch(host, 1, "shop"));
    }
    assert_eq!(json(&hub, "/v1/clocks")["hosts"], json!([]));
}

/// The page of an address shows all of this, if there is a browser.
#[track_caller]
pub(crate) fn shows(hub: &Hub, fragment: &str, parts: &[&str]) {
    if Command::new("chromium").arg("--version").output().is_err() {
        println!("skipped: no chromium is installed");
        return;
    }
    let profile = tempdir().unwrap();
    let address = format!("http://{}/#{fragment}", hub.address);
    until("the page to show it", || {
        let dom = Command::new("chromium")
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--virtual-time-budget=10000",
                "--dump-dom",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(&address)
            .output()
            .unwrap();
        let dom = String::from_utf8_lossy(&dom.stdout).into_owned();
        parts.iter().all(|part| dom.contains(part)).then_some(())
    });
}
