//! Names on pages, by files of real programs.

use std::fs;

use serde_json::json;
use tempfile::tempdir;
use testkit::recipes::{ALL, INLINED, PLAIN, SMALL, split};
use testkit::view_page;

use super::{batch_of, build_of, json, put, taken, view};
use crate::common::{ANY_PORT, Hub, until};
use crate::fleet::send;

#[test]
fn an_upload_names_what_came_before_it() {
    let directory = tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let build = build_of(&program).to_string();
    let hub = Hub::start(directory.path(), ANY_PORT);
    send(&hub, &batch_of(&program, &["twice"]));
    let query = hub.get("/v1/query?service=shop").body;

    let nameless = view(&hub);
    assert!(!view_page::names(&nameless.text()).contains("\"twice\""));
    let lacking: serde_json::Value =
        serde_json::from_str(nameless.header("hone-lacking").unwrap()).unwrap();
    let expected =
        json!([{"file": "/srv/program", "build": build, "lacks": "everything", "share": 1.0}]);
    assert_eq!(lacking, expected);
    let list = json(&hub.get("/v1/symbols?service=shop"));
    assert_eq!(list["lacking"][0]["build"], *build);
    assert_eq!(
        (&list["lacking"][0]["share"], &list["there"]),
        (&json!(1.0), &json!([]))
    );

    let bytes = fs::metadata(&program).unwrap().len();
    let expected = json!({"build": build, "kind": "executable-debug", "bytes": bytes, "was": "new", "lacks": null});
    assert_eq!(taken(&put(&hub, &program), 201), expected);
    let named = view(&hub);
    let text = view_page::names(&named.text());
    for name in ["\"twice\"", "\"squared\""] {
        assert!(text.contains(name), "no {name}");
    }
    assert_eq!(named.header("hone-lacking"), None);
    let list = json(&hub.get("/v1/symbols"));
    assert_eq!(list["lacking"], json!([]));
    assert_eq!(list["there"][0]["build"], *build);
    assert_eq!(list["there"][0]["files"][0]["kind"], "executable-debug");

    assert_eq!(taken(&put(&hub, &program), 200)["was"], "there");
    assert_eq!(hub.get("/v1/query?service=shop").body, query);
    assert_eq!(hub.figure("hone_hub_symbol_upload_bytes_total"), bytes);
    assert_eq!(
        hub.figure("hone_hub_symbol_uploads_total{outcome=\"done\"}"),
        2
    );
}

#[test]
fn programs_of_all_compilers_have_names() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    for (number, recipe) in ALL.iter().enumerate() {
        let place = directory.path().join(number.to_string());
        fs::create_dir(&place).unwrap();
        let Some(program) = recipe.build(&place) else {
            continue;
        };
        let told = taken(&put(&hub, &program), 201);
        assert_eq!(told["build"], build_of(&program).to_string(), "{recipe:?}");
    }
    // A service of a program in C++, whose functions were inlined.
    let Some(program) = INLINED.build(directory.path()) else {
        return;
    };
    send(&hub, &batch_of(&program, &["main"]));
    let text = view_page::names(&view(&hub).text());
    for name in ["push_back", "to_string"] {
        assert!(text.contains(name), "no {name}");
    }
}

#[test]
fn a_program_and_its_debug_file_are_two_uploads() {
    let directory = tempdir().unwrap();
    let Some(parts) = split(SMALL, directory.path()) else {
        return;
    };
    let hub = Hub::start(directory.path(), ANY_PORT);
    send(&hub, &batch_of(&parts.whole, &["hidden"]));
    let told = taken(&put(&hub, &parts.debug), 201);
    assert_eq!(
        (&told["kind"], &told["lacks"]),
        (&json!("debug"), &json!("code"))
    );
    assert!(
        view(&hub)
            .header("hone-lacking")
            .unwrap()
            .contains("\"code\"")
    );
    let told = taken(&put(&hub, &parts.stripped), 201);
    assert_eq!(
        (&told["kind"], &told["lacks"]),
        (&json!("executable"), &json!(null))
    );
    let named = view(&hub);
    assert!(
        view_page::names(&named.text()).contains("\"squared\"")
            && named.header("hone-lacking").is_none()
    );
}

#[test]
fn a_stripped_program_is_not_enough_and_the_page_says_so() {
    let directory = tempdir().unwrap();
    let Some(parts) = split(PLAIN, directory.path()) else {
        return;
    };
    let hub = Hub::start(directory.path(), ANY_PORT);
    send(&hub, &batch_of(&parts.whole, &["hidden"]));
    taken(&put(&hub, &parts.stripped), 201);
    assert!(
        view(&hub)
            .header("hone-lacking")
            .unwrap()
            .contains("\"names\"")
    );
    let list = json(&hub.get("/v1/symbols?service=shop"));
    assert_eq!(list["lacking"][0]["lacks"], "names");
    taken(&put(&hub, &parts.whole), 201);
    assert!(view_page::names(&view(&hub).text()).contains("\"hidden\""));
}

#[test]
#[ignore = "waits on a clock"]
fn builds_that_are_in_use_are_noted_and_lost_tables_made_anew() {
    let directory = tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let settings = format!("{ANY_PORT}[upkeep]\ncompact_s = 1\nretain_s = 1\n");
    let hub = Hub::start(directory.path(), &settings);
    taken(&put(&hub, &program), 201);
    let build = build_of(&program);
    let folder = directory
        .path()
        .join(format!("hub-data/default/symbols/{build}"));
    let names = |beginning: &str| -> Vec<String> {
        let names = fs::read_dir(&folder).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with(beginning)).collect()
    };
    assert!(names("seen-").is_empty());
    send(&hub, &batch_of(&program, &["twice"]));
    until("the build to be noted", || names("seen-").pop());
    until("a look at the symbols", || {
        let figure = hub.figure_if_there("hone_hub_symbol_bytes{tenant=\"default\"}");
        figure.filter(|bytes| *bytes > 0)
    });
    hub.kill();

    let table = names("names-");
    let manifest = table.iter().find(|name| name.ends_with(".json")).unwrap();
    fs::remove_file(folder.join(manifest)).unwrap();
    let hub = Hub::start(directory.path(), &settings);
    until("the table", || folder.join(manifest).exists().then_some(()));
    assert!(view_page::names(&view(&hub).text()).contains("\"twice\""));
}
