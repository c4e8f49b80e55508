//! Whether everybody can use the page: axe-core finds nothing to object to, in no view, at no width, light or dark, and nothing is wider than
//! the window.

use std::fs;

use testkit::browser::{DARK, axe};

use crate::view_page::browser::{browser, in_browser_with};
use crate::view_page::{recorded, view};

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
