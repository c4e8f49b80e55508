//! Whether everybody can use the page: axe-core finds nothing to object to, in no view, at no width, light or dark, and nothing is wider than
//! the window, whatever functions are named.

use std::fs;

use testkit::browser::{DARK, axe};

use crate::view_page::browser::{browser, in_browser_with};
use crate::view_page::{in_page, recorded, view};

/// Views by the changes that lead there, each after the one before.
const VIEWS: &str = r##"
  const half = page.recording.duration / 2;
  const steps = {
    "as it opens": {},
    "a part of the time": { side: "functions", range: [0, half] },
    "two parts": { base: [0, half], range: [half, 2 * half] },
    "code": { base: null, range: null, fn: page.model.byName.get("heavy"), side: "details", code: "source" },
    "assembly": { code: "assembly" },
    "sandwich": { view: "sandwich", code: null },
    "time order": { view: "chart", of: null },
    "own time, grouped, searched": { view: "flame", colours: "self", by: "thread", search: "heavy" },
  };
"##;

#[test]
#[ignore = "further end to end"]
fn everybody_can_use_the_page_at_all_widths_light_and_dark() {
    let (Some(browser), Some(axe)) = (browser(), axe()) else {
        return;
    };
    let directory = recorded();
    let dir = directory.path();
    view(dir, &["old.data"]);
    fs::write(dir.join("axe.js"), axe).unwrap();
    let script = format!(
        r##"
      const objections = {{}};
      for (const wide of [390, 1200, 2560]) {{
        const frame = await framed(wide, 900);
        const inside = frame.contentDocument;
        const script = inside.createElement("script");
        script.src = new URL("axe.js", location.href);
        await new Promise((done, failed) => {{ script.onload = done; script.onerror = failed; inside.head.append(script); }});
        const {{ page, axe }} = frame.contentWindow;
        {VIEWS}
        const look = async (name) => {{
          await new Promise((done) => setTimeout(done, 100));
          const {{ violations }} = await axe.run(inside, {{ resultTypes: ["violations"] }});
          for (const {{ id, nodes }} of violations) objections[`${{id}}, ${{name}}, ${{wide}}`] = nodes.map(({{ target }}) => target.join(" "));
          if (inside.documentElement.scrollWidth > wide) objections[`too wide, ${{name}}, ${{wide}}`] = inside.documentElement.scrollWidth;
        }};
        for (const [name, change] of Object.entries(steps)) {{
          page.change(change);
          await look(name);
        }}
        for (const name of ["menu", "options"]) inside.getElementById(name).classList.add("open");
        await look("options");
        inside.getElementById("help").showModal();
        await look("keys");
        frame.remove();
      }}
      return {{ objections, dark: matchMedia("(prefers-color-scheme: dark)").matches }};"##
    );
    for (options, is_dark) in [(&[][..], false), (&[DARK], true)] {
        let result = in_browser_with(browser, dir, "old.html", "", &script, options);
        assert_eq!(result["objections"], serde_json::json!({}), "{result:#}");
        assert_eq!(result["dark"], is_dark, "{result:#}");
    }
}

/// A recording in which each name is HTML, long, written from right to left, and of several lines.
const HOSTILE: &str = r##"
  const hostile = (word) => `${word}<img src=x onerror="top.wasRun = 1">\u202e\n"&${"W".repeat(10_000)}`;
  const recording = {
    shared: { frames: ["main", "serve", "parse"].map((word) => ({ name: hostile(word), file: hostile("file") })) },
    profiles: [{ type: "sampled", name: hostile("thread"), unit: "milliseconds", startValue: 0, endValue: 30, samples: [[0, 1], [0, 1, 2], [0, 2]], weights: [10, 10, 10] }],
  };
"##;

#[test]
#[ignore = "further end to end"]
fn names_that_are_hostile_are_shown_and_do_nothing() {
    let script = format!(
        r##"
      {HOSTILE}
      const wider = {{}};
      for (const wide of [390, 1200]) {{
        const frame = await framed(wide, 900);
        const inside = frame.contentDocument;
        const {{ page, File }} = frame.contentWindow;
        await page.opener.open([new File([JSON.stringify(recording)], hostile("name"))]);
        if (page.model.recordings.length !== 2) throw new Error(inside.getElementById("status").textContent);
        const fn = page.names.findIndex((name) => name.startsWith("serve<img"));
        const half = page.recording.duration / 2;
        const steps = {{
          "opened": {{}},
          "selected": {{ fn, side: "details" }},
          "sandwich": {{ view: "sandwich" }},
          "time order": {{ view: "chart" }},
          "filters": {{ view: "flame", focus: fn, side: "functions" }},
          "a library": {{ focus: null, libraries: new Set([page.binaries[fn]]) }},
          "by thread": {{ by: "thread", tracks: true }},
          "own time": {{ by: null, colours: "self", libraries: new Set() }},
          "code": {{ code: "assembly" }},
          "compared": {{ code: null, old: 0, now: 1 }},
          "parts": {{ old: null, now: 1, base: [0, half], range: [half, 2 * half] }},
        }};
        for (const [name, change] of Object.entries(steps)) {{
          page.change(change);
          await new Promise((done) => setTimeout(done, 30));
          for (const flame of [page.flame, page.callers, page.callees]) flame.paint();
          const box = page.flame.boxes.at(-1);
          if (box !== undefined) page.hover(box.node);
          if (inside.documentElement.scrollWidth > wide) wider[`${{name}}, ${{wide}}`] = inside.documentElement.scrollWidth;
        }}
        if (!page.names[fn].includes("\n")) throw new Error("the name was changed");
        frame.remove();
      }}
      return {{ wider, wasRun: top.wasRun ?? 0 }};"##
    );
    let Some(told) = in_page(&script) else { return };
    assert_eq!(told, serde_json::json!({ "wider": {}, "wasRun": 0 }));
}
