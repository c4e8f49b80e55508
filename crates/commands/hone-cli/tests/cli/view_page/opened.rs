//! Files of other profilers that are opened in the page itself: those that `hone view` writes of the same recording have the same figures.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::view_page::browser::{browser, in_browser};
use crate::view_page::steps::assert_all;
use crate::view_page::{recorded, view};

/// A constant of JavaScript with the bytes of a file.
fn bytes_of(name: &str, path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    format!("const {name} = new Uint8Array({bytes:?});\n")
}

#[test]
fn files_of_other_profilers_have_the_same_figures() {
    let Some(browser) = browser() else { return };
    let directory = recorded();
    let dir = directory.path();
    view(dir, &["old.data"]);
    let mut script = String::new();
    for format in ["pprof", "folded", "speedscope", "firefox"] {
        view(dir, &["old.data", "--to", format, "-o", format]);
        script += &bytes_of(format, &dir.join(format));
    }
    script += r##"
      const holds = {};
      const wanted = share("heavy");
      const part = (id) => document.getElementById(id);
      const open = async (bytes, name) => {
        await page.opener.open([new File([bytes], name)]);
        await settle();
      };
      for (const [name, bytes] of Object.entries({ pprof, folded, speedscope, firefox })) {
        await open(bytes, name);
        const fn = page.names.findIndex((of, fn) => of === "heavy" && page.figures.byFunction[0].self[fn] > 0);
        const now = page.figures.byFunction[0].self[fn] / page.figures.whole[0];
        holds[`${name} has the share of heavy`] = Math.abs(now - wanted.self) < 1e-6;
        holds[`${name} is named`] = part("title").textContent === name && !part("recordings").hidden;
        holds[`${name} has recursion`] = page.flame.boxes.some(({ node }) => page.flame.path(node).filter(({ fn }) => page.names[fn] === "down").length === 4);
      }
      holds["times come from those that have them"] = page.recording.duration > 0 && page.model.recordings[1].duration === 0;
      page.change({ old: 0, now: 2 });
      await settle();
      holds["two of them are compared"] = page.isCompared && part("title").textContent === "old.data → folded";
      const before = page.model.recordings.length;
      for (const [name, text, why] of [
        ["broken", "a;b\n", "line 1 does not end with a count"],
        ["empty", "", "it is empty"],
        ["recording", "PERFILE2 and so on", "run `hone view FILE`"],
        ["other", "{\"a\": 1}", "neither of speedscope nor of the Firefox Profiler"],
        ["cut", pprof.slice(0, pprof.length / 2), "cut cannot be shown"],
        ["endless", new Uint8Array([0x0a, 0xff, 0xff, 0xff, 0xff, 0xff]), "it is no pprof"],
        ["array", "{\"profiles\": [{\"type\": \"sampled\", \"samples\": [[7]], \"weights\": [1]}], \"shared\": {\"frames\": []}}", "array cannot be shown"],
      ]) {
        await open(text, name);
        holds[`${name} is refused, and why`] = part("status").textContent.includes(why) || part("status").textContent;
      }
      holds["what was there stays"] = page.model.recordings.length === before && page.isCompared;
      return { holds };
    "##;
    assert_all(&in_browser(browser, dir, "old.html", "", &script));
}

/// Labels of a committed profile of Go, in a page of its own, and opened in the page of a recording that has none.
#[test]
fn labels_stand_outermost_as_the_command_puts_them() {
    let Some(browser) = browser() else { return };
    let directory = recorded();
    let dir = directory.path();
    let profile = testkit::recorded("labels.pprof");
    fs::copy(&profile, dir.join("cpu.pprof")).unwrap();
    let mut wanted: BTreeMap<&str, BTreeMap<String, u64>> = BTreeMap::new();
    for grouping in ["label", "label:method", "label:service"] {
        view(
            dir,
            &[
                "cpu.pprof",
                "--root",
                grouping,
                "--to",
                "folded",
                "-o",
                "folded",
            ],
        );
        for line in fs::read_to_string(dir.join("folded")).unwrap().lines() {
            let (stack, weight) = line.rsplit_once(' ').unwrap();
            let frames = stack.split(';');
            let labels: Vec<&str> = frames
                .take_while(|frame| frame.contains('=') || frame.starts_with("[no label"))
                .collect();
            let row = wanted.entry(grouping).or_default();
            *row.entry(labels.join(" ")).or_default() += weight.parse::<u64>().unwrap();
        }
    }
    let script = format!(
        r##"
      const holds = {{}};
      const wanted = {};
      const {bytes}
      const part = (id) => document.getElementById(id);
      const outermost = () => {{
        const rows = page.flame.children(page.flame.root).map((node) => [page.names[node.fn], node.values.at(-1)]);
        return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
      }};
      const check = async (where) => {{
        for (const [by, rows] of Object.entries(wanted)) {{
          page.change({{ by }});
          await settle();
          const [own, all] = [outermost(), page.figures.whole.at(-1)];
          const sum = Object.values(rows).reduce((sum, weight) => sum + weight, 0);
          const isSame = Object.keys(own).join() === Object.keys(rows).sort().join()
            && Object.entries(rows).every(([name, weight]) => Math.abs(own[name] / all - weight / sum) < 1e-9);
          holds[`${{where}}: ${{by}}`] = isSame || JSON.stringify([own, all, rows]);
          holds[`${{where}}: ${{by}} is chosen`] = part("by").value === by && location.hash.includes(new URLSearchParams({{ by }}).toString());
        }}
      }};
      if (page.model.recordings[0].labels.length === 0) {{
        holds["a recording without labels offers none"] = [...part("by").options].map(({{ value }}) => value).join() === ",process,thread";
        page.change({{ by: "label:method" }});
        await settle();
        holds["nor takes them of the address"] = page.state.by === null;
        await page.opener.open([new File([labelled], "cpu.pprof")]);
        await settle();
      }}
      await check(page.model.recordings.length === 1 ? "own page" : "opened");
      if (page.model.recordings.length === 2) {{
        page.change({{ by: "label:method", now: 0 }});
        await settle();
        holds["what has no labels is told"] = Object.keys(outermost()).join() === "[no label method]";
      }}
      return {{ holds }};
    "##,
        serde_json::to_string(&wanted).unwrap(),
        bytes = bytes_of("labelled", &profile).trim_start_matches("const "),
    );
    view(dir, &["cpu.pprof", "-o", "labels.html"]);
    view(dir, &["old.data"]);
    assert_all(&in_browser(browser, dir, "labels.html", "", &script));
    assert_all(&in_browser(browser, dir, "old.html", "", &script));
}
