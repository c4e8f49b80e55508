//! How the hub's page looks with batches that never change but for their time: `tests/hub_cli/screenshots` has what it looked like when somebody looked.

use std::path::Path;

use tempfile::tempdir;
use testkit::browser::{DARK, browser};
use testkit::screenshots::assert_looks_as_kept;

use crate::common::{ANY_PORT, Hub};
use crate::fleet::{batch, now_s, send};

#[test]
#[ignore = "further end to end"]
fn the_page_looks_as_it_did() {
    let Some(browser) = browser() else { return };
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    for (number, service) in (0..).zip(["shop", "till", "stock", "mail"]) {
        send(&hub, &batch("one", number, service));
    }
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hub_cli/screenshots");
    let span = format!("from={}&to={}", now_s() - 1800, now_s() + 600);
    for (name, size, options, fragment) in [
        ("service", (1200, 900), &[][..], "service=shop"),
        ("dark", (1200, 900), &[DARK], "service=shop&by=host"),
        ("search", (1200, 900), &[], "service=shop&find=serve"),
        ("phone", (500, 844), &[], "service=shop"),
    ] {
        let address = format!("http://{}/#{fragment}&{span}", hub.address);
        let kept = kept.join(format!("{name}.png"));
        assert_looks_as_kept(browser, &address, size, options, &kept);
    }
}
