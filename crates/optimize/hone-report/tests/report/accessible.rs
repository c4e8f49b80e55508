//! Whether everybody can use the page: axe-core finds nothing to object to, at no width, light or dark, and nothing is wider than the window.

use std::fs;

use hone_report::html;
use serde_json::{Value, json};
use testkit::browser::{DARK, Telling, axe, browser};

use crate::{page, sample};

/// What stands behind each text of the hostile page, with a long word after it.
const HOSTILE: &str = "</script><img src=x onerror='parent.wasRun = true'>\u{202e}\n";

/// Opens each of `pages` at each width in a frame, and tells what is wrong with it.
const LOOK: &str = r#"
  const objections = {};
  const widths = { full: [390, 1200, 2560], hostile: [390, 1200, 2560] };
  // Parts whose text goes beyond the window, and does not scroll by itself.
  const wider = (inside) => {
    const walker = inside.createTreeWalker(inside.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
      const range = inside.createRange();
      range.selectNode(text);
      const scrolls = (part) => part !== null && (getComputedStyle(part).overflowX !== "visible" || scrolls(part.parentElement));
      if (range.getBoundingClientRect().right > inside.defaultView.innerWidth && !scrolls(text.parentElement)) found.push(`${text.parentElement.localName}.${text.parentElement.className} ${text.data.slice(0, 20)}`);
    }
    return found;
  };
  for (const [name, page] of Object.entries(pages)) for (const wide of widths[name] ?? [1200]) {
    const frame = document.createElement("iframe");
    frame.style = `border: 0; width: ${wide}px; height: 900px`;
    frame.srcdoc = page;
    const loaded = new Promise((done) => { frame.onload = done; });
    document.body.append(frame);
    await loaded;
    const inside = frame.contentDocument;
    const script = inside.createElement("script");
    script.textContent = axe;
    inside.head.append(script);
    for (const part of inside.querySelectorAll("details")) part.open = true;
    const { violations } = await frame.contentWindow.axe.run(inside, { resultTypes: ["violations"] });
    for (const { id, nodes } of violations) objections[`${id}, ${name}, ${wide}`] = nodes.map(({ target }) => target.join(" "));
    if (inside.documentElement.scrollWidth > wide) objections[`too wide, ${name}, ${wide}`] = wider(inside);
    frame.remove();
  }
  return { objections, wasRun: window.wasRun ?? false, dark: matchMedia("(prefers-color-scheme: dark)").matches };
"#;

#[test]
#[ignore = "further end to end"]
fn everybody_can_use_the_page_at_all_widths_light_and_dark() {
    let (Some(browser), Some(axe)) = (browser(), axe()) else {
        return;
    };
    let hostile = page::with_suffix(&page::small(), &format!("{HOSTILE}{}", "W".repeat(1000)));
    let pages = [
        ("full", page::small()),
        ("nothing kept", sample::nothing_kept()),
        ("nothing measured", sample::nothing_measured()),
        ("not confirmed", sample::not_confirmed()),
        ("hostile", hostile),
    ];
    let pages = pages.map(|(name, report)| {
        // The page forbids itself every request and script but its own.
        let page = html::render(&report).replacen("Content-Security-Policy", "x", 1);
        (name.to_owned(), Value::String(page))
    });
    let pages = Value::Object(pages.into_iter().collect());
    for (options, is_dark) in [(&[][..], false), (&[DARK], true)] {
        let told = told(browser, &pages, &axe, options);
        assert_eq!(told["objections"], json!({}), "{told:#}");
        assert_eq!(
            (&told["dark"], &told["wasRun"]),
            (&json!(is_dark), &json!(false))
        );
    }
}

fn told(browser: &str, pages: &Value, axe: &str, options: &[&str]) -> Value {
    let directory = tempfile::tempdir().unwrap();
    let telling = Telling::new();
    // They stand in a script of HTML.
    let in_script = |value: &Value| {
        value
            .to_string()
            .replace("</", "<\\/")
            .replace("<!--", "<\\!--")
    };
    let (pages, axe) = (in_script(pages), in_script(&json!(axe)));
    let script = telling.script(&format!("const [pages, axe] = [{pages}, {axe}]; {LOOK}"));
    let outer = format!("<!doctype html><meta charset='utf-8'><body>{script}</body>");
    let path = directory.path().join("outer.html");
    fs::write(&path, outer).unwrap();
    let address = format!("file://{}", path.display());
    telling.told(
        browser,
        &directory.path().join("profile"),
        &address,
        options,
    )
}
