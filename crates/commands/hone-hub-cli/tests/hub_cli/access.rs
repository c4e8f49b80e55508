//! Who may do what: tokens, tenants, scopes, and where a hub may listen.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use hone_batch::wire;
use tempfile::tempdir;

use crate::common::{ANY_PORT, Answer, Hub, request, run};
use crate::fleet::{batch, is_sum_of};

/// Makes a token by the command.
#[track_caller]
pub(crate) fn new_token(directory: &Path, arguments: &[&str]) -> String {
    let words = [&["token", "new"], arguments].concat();
    let output = run(directory, &words);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let token = String::from_utf8(output.stdout).unwrap();
    assert!(!said.contains(token.trim()), "{said}");
    token.trim().to_owned()
}

pub(crate) fn with(token: &str) -> String {
    format!("Authorization: Bearer {token}\r\n")
}

pub(crate) fn ask(hub: &Hub, token: &str, path: &str) -> Answer {
    request(hub.address, "GET", path, &with(token), b"").unwrap()
}

pub(crate) fn post(hub: &Hub, token: &str, batch: &hone_batch::Batch) -> Answer {
    let bytes = wire::write(batch);
    request(hub.address, "POST", "/v1/batch", &with(token), &bytes).unwrap()
}

#[test]
fn tokens_allow_what_they_are_for_and_nothing_else() {
    let directory = tempdir().unwrap();
    let new = |arguments: &[&str]| new_token(directory.path(), arguments);
    let sender = new(&["--scopes", "ingest", "--tenant", "acme", "--name", "hosts"]);
    let hub = Hub::start(directory.path(), ANY_PORT);
    // Those that are made later are known too.
    let reader = new(&["--scopes", "read", "--tenant", "acme"]);
    let stranger = new(&["--scopes", "ingest,read", "--tenant", "other"]);
    let limited = new(&[
        "--scopes",
        "ingest",
        "--tenant",
        "acme",
        "--services",
        "till,shop",
    ]);
    let admin = new(&["--scopes", "admin"]);
    let query = "/v1/query?service=shop";

    let sent = batch("one", 0, "shop");
    hub.post(&wire::write(&sent))
        .refuses(401, "send Authorization: Bearer TOKEN");
    hub.get(query).refuses(401, "send Authorization");
    let (rest, last) = sender.split_at(sender.len() - 1);
    let wrong = format!("{rest}{}", if last == "0" { "1" } else { "0" });
    post(&hub, &wrong, &sent).refuses(401, "a token that it knows");
    post(&hub, &reader, &sent).refuses(403, "has not the scope ingest");
    ask(&hub, &sender, query).refuses(403, "has not the scope read");
    assert_eq!(post(&hub, &sender, &sent).status, 204);
    is_sum_of(&ask(&hub, &reader, query), &[sent]);

    ask(&hub, &stranger, query).refuses(404, "nothing has been sent yet");
    post(&hub, &limited, &batch("one", 1, "mail"))
        .refuses(403, "may not send batches of the service \"mail\"");
    post(&hub, &limited, &batch("one", 1, "")).refuses(403, "samples of no service");
    assert_eq!(post(&hub, &limited, &batch("one", 1, "till")).status, 204);

    assert_eq!(hub.get("/healthz").status, 200);
    hub.get("/metrics").refuses(401, "send Authorization");
    ask(&hub, &reader, "/metrics").refuses(403, "has not the scope admin");
    let figures = ask(&hub, &admin, "/metrics").text();
    assert!(figures.contains("hone_hub_denied_total 9"), "{figures}");

    let file = fs::read_to_string(directory.path().join("hub-data/tokens.toml")).unwrap();
    for token in [sender, reader, stranger, limited, admin, wrong] {
        assert!(!file.contains(&token) && !hub.said().contains(&token));
    }
}

#[test]
fn a_revoked_token_is_of_no_use_to_a_hub_that_runs() {
    let directory = tempdir().unwrap();
    let kept = new_token(directory.path(), &["--scopes", "read", "--name", "kept"]);
    let lost = new_token(directory.path(), &["--scopes", "read", "--name", "lost"]);
    let hub = Hub::start(directory.path(), ANY_PORT);
    assert_eq!(ask(&hub, &lost, "/v1/services").status, 200);
    let listed = run(directory.path(), &["token", "list"]).stdout;
    let listed = String::from_utf8(listed).unwrap();
    assert!(listed.lines().count() == 2 && listed.contains("  read  tenant default  lost"));

    assert!(
        run(directory.path(), &["token", "revoke", "lost"])
            .status
            .success()
    );
    ask(&hub, &lost, "/v1/services").refuses(401, "a token that it knows");
    assert_eq!(ask(&hub, &kept, "/v1/services").status, 200);
    let again = run(directory.path(), &["token", "revoke", "lost"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("hone-hub token list"));
}

#[test]
fn the_file_of_tokens_is_for_its_owner_alone() {
    let directory = tempdir().unwrap();
    for _ in 0..2 {
        new_token(directory.path(), &["--scopes", "read"]);
        let file = directory.path().join("hub-data/tokens.toml");
        let mode = fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let output = run(directory.path(), &["token", "new", "--scopes", "write"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("scopes are ingest, read"), "{said}");
}

#[test]
fn a_hub_that_others_can_reach_wants_tokens() {
    let directory = tempdir().unwrap();
    let refused = run(directory.path(), &["--listen", "0.0.0.0:0"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(
        said.contains("make a token by `hone-hub token new") && said.contains("127.0.0.1"),
        "{said}"
    );

    let token = new_token(directory.path(), &["--scopes", "read"]);
    let hub = Hub::start(directory.path(), "listen = '0.0.0.0:0'\n");
    hub.hears("warning: tokens and profiles travel readable to others");
    hub.get("/v1/services").refuses(401, "send Authorization");
    assert_eq!(ask(&hub, &token, "/v1/services").status, 200);
}

#[test]
fn a_page_in_a_browser_cannot_use_a_hub_without_tokens() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let bytes = wire::write(&batch("one", 0, "shop"));
    let origin = "Origin: https://elsewhere.example\r\n";
    let posted = request(hub.address, "POST", "/v1/batch", origin, &bytes).unwrap();
    posted.refuses(403, "programs of its own machine");
    hub.get("/v1/query?service=shop")
        .refuses(404, "nothing has been sent yet");
}

#[test]
fn two_hubs_do_not_share_a_folder() {
    let directory = tempdir().unwrap();
    let _hub = Hub::start(directory.path(), ANY_PORT);
    let second = run(directory.path(), &["--listen", "127.0.0.1:0"]);
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert_eq!(second.status.code(), Some(2));
    assert!(said.contains("is open in another hub"), "{said}");
}
