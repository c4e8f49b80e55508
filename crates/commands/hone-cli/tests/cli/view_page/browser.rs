//! A page opened in a real browser, and scripts run in it.

use serde_json::Value;
use std::fs;
use std::path::Path;
use testkit::browser::Telling;
pub(super) use testkit::browser::browser;

/// What the tests do in the page, once it is ready.
const HELPERS: &str = r##"
// A headless browser draws no frames of its own accord.
const settle = async () => {
  await new Promise((done) => setTimeout(done, 30));
  for (const flame of [page.flame, page.callers, page.callees]) flame.paint();
};
const key = async (name, more = {}) => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more }));
  await settle();
};
const names = (flame) => flame.boxes.filter(({ node }) => node.fn >= 0).map(({ node }) => page.names[node.fn]);
const rows = () => [...document.querySelectorAll("#functions tbody tr")].map((row) => row.textContent);
const point = (flame, name) => {
  const box = flame.boxes.find(({ node }) => node.fn >= 0 && page.names[node.fn] === name);
  const canvas = flame.canvas.getBoundingClientRect();
  return { clientX: canvas.left + (box.left + box.right) / 2, clientY: canvas.top + box.top + 5, bubbles: true };
};
const click = async (flame, name, kind) => {
  const at = point(flame, name);
  if (kind === "dblclick") flame.canvas.dispatchEvent(new MouseEvent("dblclick", at));
  else {
    flame.canvas.setPointerCapture = () => {};
    flame.canvas.dispatchEvent(new PointerEvent("pointerdown", { ...at, buttons: 1 }));
    flame.canvas.dispatchEvent(new PointerEvent("pointerup", at));
  }
  await settle();
};
// The page in a frame of this size, without what the test put into it.
const framed = async (wide, tall) => {
  const copy = document.documentElement.cloneNode(true);
  [...copy.querySelectorAll("script")].at(-1).remove();
  delete copy.querySelector("body").dataset.ready;
  const frame = document.createElement("iframe");
  frame.style = `border: 0; width: ${wide}px; height: ${tall}px`;
  frame.srcdoc = "<!doctype html>" + copy.outerHTML;
  document.body.append(frame);
  while (!frame.contentDocument?.body?.dataset.ready) await new Promise((done) => setTimeout(done, 20));
  return frame;
};
// In the deepest stack: a sample at the first instruction of a function lacks its caller.
const downs = () => Math.max(...page.flame.boxes.map(({ node }) =>
  page.flame.path(node).filter(({ fn }) => page.names[fn] === "down").length));
const share = (name) => {
  const fn = page.model.byName.get(name);
  const last = page.figures.byFunction.length - 1;
  return { self: page.figures.byFunction[last].self[fn] / page.figures.whole[last], total: page.figures.byFunction[last].total[fn] / page.figures.whole[last] };
};
"##;

/// Opens the page, runs this script in it, and gives what it returns.
pub(super) fn in_browser(
    browser: &str,
    directory: &Path,
    page: &str,
    fragment: &str,
    script: &str,
) -> Value {
    in_browser_with(browser, directory, page, fragment, script, &[])
}

/// The same with further options of the browser's.
pub(super) fn in_browser_with(
    browser: &str,
    directory: &Path,
    page: &str,
    fragment: &str,
    script: &str,
    options: &[&str],
) -> Value {
    let telling = Telling::new();
    let html = fs::read_to_string(directory.join(page)).unwrap();
    let test = telling.script(&format!(
        "while (!document.body.dataset.ready) await new Promise((done) => setTimeout(done, 20));
    {HELPERS}
    await settle();
    return await (async () => {{ {script} }})();"
    ));
    let tested = directory.join(format!("tested-{page}"));
    fs::write(&tested, html.replace("</body>", &(test + "</body>"))).unwrap();
    let address = format!("file://{}{fragment}", tested.display());
    telling.told(browser, &directory.join("profile"), &address, options)
}
