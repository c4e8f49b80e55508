//! Source and machine code on the page, and what is left out of it.

use crate::common::{compiled, hone, record_stacks, stdout};
use crate::view_page::browser::{browser, in_browser};
use crate::view_page::{PROGRAM, view};
use serde_json::Value;
use std::fs;

/// The code pane of a function, as it stands on the page.
const PANE: &str = r##"
  const pane = async (name, code) => {
    page.change({ fn: page.model.byName.get(name), code });
    await page.code.load();
    await settle();
    const rows = [...document.querySelectorAll("#code-rows tr")];
    return {
      shown: !document.getElementById("code").hidden,
      title: document.getElementById("code-title").textContent,
      notes: document.getElementById("code-notes").textContent,
      text: document.getElementById("code-rows").textContent,
      hot: rows.filter((row) => row.hasAttribute("style")).map((row) => [row.cells[0].textContent, row.cells[1].textContent, row.cells[2].textContent]),
      bars: rows.filter((row) => row.classList.contains("mine")).map((row) => row.cells[2].textContent),
      marked: document.querySelectorAll("#code-rows tr.hottest").length,
      elements: document.querySelectorAll("#code-rows b, #code-rows img").length,
      fragment: location.hash,
    };
  };
"##;

fn text<'v>(pane: &'v Value, key: &str) -> &'v str {
    pane[key].as_str().unwrap()
}

#[test]
#[ignore = "further end to end"]
fn code_of_hot_functions_is_on_the_page_with_its_time() {
    let Some(browser) = browser() else { return };
    let inlined =
        "static inline __attribute__((always_inline)) unsigned mixed(unsigned x, unsigned i)
        { return (x ^ i) * 1664525u + 7; } // <b>&amp;</b> <img src=x>\n";
    let program = format!(
        "{inlined}{}",
        PROGRAM.replace("x = (x ^ i) * 1664525u + 7;", "x = mixed(x, i);")
    );
    let directory = compiled(&program, &["-g", "-fno-optimize-sibling-calls"]);
    let dir = directory.path();
    for name in ["old.data", "new.data"] {
        record_stacks(dir, name, &["./p", "200000"]);
    }
    view(dir, &["old.data"]);
    let script = format!(
        r##"{PANE}
      return {{ source: await pane("heavy", "source"), assembly: await pane("heavy", "assembly"),
               inlined: await pane("mixed", "source"), file: await pane("heavy", "file"),
               jumps: await (async () => {{
                 await pane("heavy", "assembly");
                 const target = document.querySelector("#code-rows .up[data-target]");
                 const row = document.querySelector(`#code-rows [data-address="${{target.dataset.target}}"]`);
                 target.click();
                 await settle();
                 const table = document.getElementById("code-table").getBoundingClientRect();
                 const {{ top }} = row.getBoundingClientRect();
                 return top >= table.top && top < table.bottom;
               }})() }};"##
    );
    let result = in_browser(browser, dir, "old.html", "", &script);
    let source = &result["source"];
    assert_eq!(
        (&source["shown"], &source["title"]),
        (&true.into(), &"heavy".into()),
        "{result:#}"
    );
    // The text is text, whatever it holds.
    assert!(
        text(source, "text").contains("// <b>&amp;</b> <img src=x>"),
        "{result:#}"
    );
    assert_eq!(source["elements"], 0, "{result:#}");
    assert!(
        text(source, "fragment").contains("code=source"),
        "{result:#}"
    );
    assert!(source["marked"].as_u64().unwrap() >= 1, "{result:#}");

    // The same instructions and shares as hone annotate.
    let assembly = &result["assembly"];
    let annotated = hone(&["annotate", "heavy", "old.data", "--json"], dir);
    let annotated: Value = serde_json::from_str(&stdout(&annotated)).unwrap();
    let annotated = annotated.as_array().unwrap();
    let weight = |of: &Value| of["weight"].as_u64().unwrap();
    let whole: u64 = annotated.iter().map(weight).sum();
    let hot: Vec<_> = annotated.iter().filter(|of| weight(of) > 0).collect();
    let shown = assembly["hot"].as_array().unwrap();
    assert_eq!(hot.len(), shown.len(), "{result:#}");
    for (of, row) in hot.iter().zip(shown) {
        let address = format!("{:x}", of["address"].as_u64().unwrap());
        assert_eq!((&row[1], &row[2]), (&address.into(), &of["text"]), "{row}");
        let share = row[0]
            .as_str()
            .unwrap()
            .trim_end_matches(" %")
            .parse::<f64>()
            .unwrap();
        let wanted = weight(of) as f64 / whole as f64 * 100.0;
        assert!((share - wanted).abs() < 0.051, "{share} {wanted}");
    }
    let inlined = &result["inlined"];
    assert!(
        text(inlined, "notes").starts_with("It is inlined into heavy 100.0 %"),
        "{result:#}"
    );
    assert!(text(inlined, "text").contains("1664525u"), "{result:#}");

    let bars = inlined["bars"].as_array().unwrap();
    let has = |part: &str| {
        bars.iter()
            .any(|line| line.as_str().unwrap().contains(part))
    };
    assert!(has("1664525u") && !has("return x;"), "{result:#}");
    assert_eq!(source["bars"], serde_json::json!([]), "{result:#}");

    // All of the file, with the time of all functions in it.
    let file = &result["file"];
    let far = "printf(\"%u\\n\", sum);";
    assert!(text(file, "text").contains(far), "{result:#}");
    assert!(!text(source, "text").contains(far), "{result:#}");
    assert!(text(file, "text").contains(" % light"), "{result:#}");
    assert_eq!(result["jumps"], true, "{result:#}");

    // Of two recordings the code is the newer one's.
    view(dir, &["old.data", "new.data", "-o", "change.html"]);
    let script = format!(r##"{PANE} return await pane("heavy", "assembly");"##);
    let change = in_browser(browser, dir, "change.html", "", &script);
    assert!(
        text(&change, "notes").contains("own time in all of new.data"),
        "{change:#}"
    );
    assert!(!change["hot"].as_array().unwrap().is_empty(), "{change:#}");
}

#[test]
#[ignore = "further end to end"]
fn source_text_can_be_left_out_and_files_that_are_gone_are_told() {
    let Some(browser) = browser() else { return };
    let directory = compiled(PROGRAM, &["-g", "-fno-optimize-sibling-calls"]);
    let dir = directory.path();
    record_stacks(dir, "hone.data", &["./p", "200000"]);
    view(dir, &["hone.data", "--no-source"]);
    let script = format!(
        r##"{PANE} return {{ source: await pane("heavy", "source"), assembly: await pane("heavy", "assembly") }};"##
    );
    let without = in_browser(browser, dir, "hone.html", "", &script);
    let source = &without["source"];
    assert!(
        text(source, "text").contains("the page was made without source text"),
        "{without:#}"
    );
    for pane in ["source", "assembly"] {
        assert!(
            !text(&without[pane], "text").contains("1664525"),
            "{without:#}"
        );
        assert!(
            !without[pane]["hot"].as_array().unwrap().is_empty(),
            "{without:#}"
        );
    }

    fs::rename(dir.join("p.c"), dir.join("gone.c")).unwrap();
    view(dir, &["hone.data"]);
    let gone = in_browser(browser, dir, "hone.html", "", &script);
    assert!(
        text(&gone["source"], "text").contains("is not on the machine that made the page"),
        "{gone:#}"
    );

    fs::rename(dir.join("p"), dir.join("moved")).unwrap();
    view(dir, &["hone.data"]);
    let script = format!(
        r##"{PANE} page.model.byName.set("heavy", page.figures.heaviest); return await pane("heavy", "source");"##
    );
    let nothing = in_browser(browser, dir, "hone.html", "", &script);
    assert!(
        text(&nothing, "notes").starts_with(
            // Of some percent where the loader was sampled, whose file is still there.
            "The page has no code of it. Code is here of the functions with "
        ),
        "{nothing:#}"
    );
}
