//! The page: its parts, the figures that it asks for, and what a browser shows.

use std::process::Command;

use serde_json::Value;
use tempfile::tempdir;

use crate::common::{ANY_PORT, Hub, until};
use crate::fleet::{BUILDS, batch, now_s, send};

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
        one.contains("<title>shop, ") && one.contains("cpu-clock"),
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
