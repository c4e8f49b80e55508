//! How the page of an invented run looks: `tests/report/screenshots` has what it looked like when somebody looked.

use std::fs;
use std::path::Path;

use hone_report::html;
use testkit::browser::{DARK, browser};
use testkit::screenshots::assert_looks_as_kept;

use crate::sample;

#[test]
#[ignore = "further end to end"]
fn the_page_looks_as_it_did() {
    let Some(browser) = browser() else { return };
    let directory = tempfile::tempdir().unwrap();
    let page = directory.path().join("report.html");
    fs::write(&page, html::render(&sample::full())).unwrap();
    let address = format!("file://{}", page.display());
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report/screenshots");
    for (name, size, options) in [
        ("wide", (1200, 2400), &[][..]),
        ("dark", (1200, 1200), &[DARK]),
        ("phone", (500, 1600), &[]),
    ] {
        let kept = kept.join(format!("{name}.png"));
        assert_looks_as_kept(browser, &address, size, options, &kept);
    }
}
