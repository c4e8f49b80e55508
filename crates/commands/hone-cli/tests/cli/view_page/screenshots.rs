//! How the page looks with a recording that never changes: `tests/cli/view_page/screenshots` has what it looked like when somebody looked.

use std::fs;
use std::path::Path;

use testkit::browser::DARK;
use testkit::screenshots::assert_looks_as_kept;

use crate::view_page::browser::browser;
use crate::view_page::{recorded, view};

/// A file of speedscope's with two threads, three libraries and a tree of functions, and the page that has opened it.
const OPENED: &str = r##"
  const words = ["parse", "lookup", "encode", "hash", "copy", "route", "filter", "compress"];
  const frames = [{ name: "main", file: "server" }, ...Array.from({ length: 60 }, (_, at) =>
    ({ name: `shop::${words[at % 8]}<std::vector<int>>::step_${at}`, file: ["server", "libstore.so", "libz.so"][at % 3] }))];
  const samples = [], weights = [];
  for (let at = 0; at < 400; at++) {
    const stack = [0];
    for (let depth = 0, seed = at; depth < 3 + (at % 9); depth++) {
      seed = (seed * 7 + depth * 13) % 61;
      stack.push(1 + (seed % 60));
    }
    samples.push(stack);
    weights.push(1 + (at % 5));
  }
  const end = weights.reduce((sum, weight) => sum + weight, 0);
  const profile = (name) => ({ type: "sampled", name, unit: "milliseconds", startValue: 0, endValue: end, samples, weights });
  const recording = { shared: { frames }, profiles: [profile("main"), profile("worker")] };
  while (!document.body.dataset.ready) await new Promise((done) => setTimeout(done, 20));
  await page.opener.open([new File([JSON.stringify(recording)], "server.speedscope.json")]);
  const heaviest = page.figures.heaviest;
"##;

#[test]
#[ignore = "further end to end"]
fn the_page_looks_as_it_did() {
    let Some(browser) = browser() else { return };
    let directory = recorded();
    let dir = directory.path();
    view(dir, &["old.data"]);
    let html = fs::read_to_string(dir.join("old.html")).unwrap();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/view_page/screenshots");
    for (name, size, options, steps) in [
        (
            "flame",
            (1200, 800),
            &[][..],
            "page.change({ view: 'flame', side: 'functions' });",
        ),
        (
            "flame-dark",
            (1200, 800),
            &[DARK],
            "page.change({ view: 'flame', side: 'functions', tracks: true });",
        ),
        (
            "sandwich",
            (1200, 800),
            &[],
            "page.change({ view: 'sandwich', fn: heaviest, side: 'details' });",
        ),
        (
            "parts",
            (1200, 800),
            &[],
            "page.change({ base: [0, 300e3], range: [600e3, 900e3], side: 'functions' });",
        ),
        (
            "phone",
            (500, 844),
            &[],
            "page.change({ view: 'flame', fn: heaviest, side: 'details' });",
        ),
        (
            "keys",
            (1200, 800),
            &[],
            "document.getElementById('help').showModal();",
        ),
    ] {
        let script = format!("<script>(async () => {{ {OPENED} {steps} }})();</script></body>");
        let shown = dir.join(format!("{name}.html"));
        fs::write(&shown, html.replace("</body>", &script)).unwrap();
        let address = format!("file://{}", shown.display());
        let kept = kept.join(format!("{name}.png"));
        assert_looks_as_kept(browser, &address, size, options, &kept);
    }
}
