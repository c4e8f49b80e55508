//! What people do on the page, done by a script in a real browser: the page lies in a frame of another page, which a server before the hub
//! has beside all that the hub has.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

use serde_json::{Value, json};
use tempfile::tempdir;
use testkit::browser::{DARK, Telling, axe, browser};

use crate::common::{ANY_PORT, Hub};
use crate::fleet::{BUILDS, batch, now_s, send};

/// What scripts use: `page` is the hub's, and its frame `view` the flame graph.
const HELPERS: &str = r##"
const frame = document.querySelector("iframe");
const part = (id) => frame.contentDocument.getElementById(id);
const until = async (what, condition) => {
  for (let tries = 0; tries < 1500; tries++) {
    let value = null;
    try { value = condition(); } catch { /* not there yet */ }
    if (value) return value;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`in vain: ${what}; the page says ${part("message")?.textContent}, at ${frame.contentWindow.location}`);
};
const title = () => part("view").contentDocument?.title ?? "";
const isIdle = () => part("message").textContent === "" && part("service").getAttribute("aria-busy") === null;
const filters = () => [...part("filters").querySelectorAll("button")].map((button) => button.textContent);
const shows = (what, ...words) => until(what, () => isIdle() && words.every((word) => title().includes(word)) && title());
const build = (number) => [...part("lines").querySelectorAll("button")][number];
"##;

/// Opens the page in a frame of some pixels, runs a script beside it, and gives what that returns; `None` where there is no browser.
pub(crate) fn in_page(hub: &Hub, fragment: &str, wide: u32, script: &str) -> Option<Value> {
    in_page_with(hub, fragment, wide, script, &[])
}

/// The same, with options of the browser.
fn in_page_with(
    hub: &Hub,
    fragment: &str,
    wide: u32,
    script: &str,
    options: &[&str],
) -> Option<Value> {
    let browser = browser()?;
    let profile = tempdir().unwrap();
    let telling = Telling::new();
    let told = telling.script(&format!(
        "{HELPERS} return await (async () => {{ {script} }})();"
    ));
    let page = format!(
        "<!doctype html><body style='margin:0'>
<iframe src='/#{fragment}' style='width:{wide}px;height:844px;border:0'></iframe>
{told}</body>"
    );
    let address = format!("http://{}/beside", beside_hub(hub.address, page));
    Some(telling.told(browser, profile.path(), &address, options))
}

/// Whether everybody can use the page in the states that a script leads to: axe-core finds nothing to object to, at three widths, light and dark, and nothing
/// is wider than the window. The script calls `look` with the name of each state.
pub(crate) fn assert_everybody_can_use(hub: &Hub, fragment: &str, states: &str) {
    let Some(axe) = axe() else { return };
    // It stands in a script of HTML.
    let source = json!(axe).to_string().replace("</", "<\\/");
    for (wide, options, is_dark) in [390, 1200, 2560]
        .into_iter()
        .flat_map(|wide| [(wide, &[][..], false), (wide, &[DARK][..], true)])
    {
        let script = format!(
            r##"
      await until("the page", () => isIdle() && part("services").querySelector("button"));
      const inside = frame.contentDocument;
      const axe = inside.createElement("script");
      axe.textContent = {source};
      inside.head.append(axe);
      const objections = {{}};
      const look = async (name) => {{
        const {{ violations }} = await frame.contentWindow.axe.run(inside, {{ resultTypes: ["violations"], iframes: false }});
        for (const {{ id, nodes }} of violations) objections[`${{name}}: ${{id}}`] = nodes.map(({{ target }}) => target.join(" "));
        if (inside.documentElement.scrollWidth > {wide}) objections[`${{name}}: too wide`] = inside.documentElement.scrollWidth;
      }};
      {states}
      return {{ objections, dark: matchMedia("(prefers-color-scheme: dark)").matches }};
    "##
        );
        let Some(told) = in_page_with(hub, fragment, wide, &script, options) else {
            return;
        };
        let expected = json!({ "objections": {}, "dark": is_dark });
        assert_eq!(told, expected, "{wide}");
    }
}

/// Starts a server that has a page at `/beside`, and all that the hub has.
fn beside_hub(hub: SocketAddr, page: String) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let page = page.clone();
            thread::spawn(move || answer(stream, hub, &page));
        }
    });
    address
}

fn answer(mut stream: TcpStream, hub: SocketAddr, page: &str) -> Option<()> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    if head.starts_with(b"GET /beside ") {
        let length = page.len();
        let kind = "Content-Type: text/html; charset=utf-8";
        let head = format!("HTTP/1.1 200 OK\r\n{kind}\r\nContent-Length: {length}\r\n\r\n");
        stream.write_all((head + page).as_bytes()).ok()?;
        return Some(());
    }
    let mut to_hub = TcpStream::connect(hub).ok()?;
    to_hub.write_all(&head).ok()?;
    let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
    let length = head.lines().find_map(|line| {
        let value = line.strip_prefix("content-length:")?;
        value.trim().parse().ok()
    });
    std::io::copy(&mut (&stream).take(length.unwrap_or(0)), &mut to_hub).ok()?;
    std::io::copy(&mut to_hub, &mut stream).ok()?;
    Some(())
}

/// Words of the address for the service, and for one and the same time, however long a test takes.
fn shop() -> String {
    format!("service=shop&from={}&to={}", now_s() - 3000, now_s() + 600)
}

fn hub_with_two_builds() -> (tempfile::TempDir, Hub) {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    send(&hub, &batch("one", 0, "shop"));
    send(&hub, &batch("two", 1, "till"));
    (directory, hub)
}

#[test]
#[ignore = "further end to end"]
fn back_goes_back_a_click_and_finds_a_living_flame_graph() {
    let (_directory, hub) = hub_with_two_builds();
    let script = r##"
      const first = await shows("the service", "shop");
      const before = history.length;
      build(0).click();
      const chosen = await shows("one build", "build");
      const after = history.length;
      build(0).click();
      await until("no filter", () => filters().length === 0);
      await shows("the service again", "shop");
      const last = history.length;
      const back = async (count) => {
        history.back();
        await until(`${count} filters after Back`, () => filters().length === count);
        return await shows("a view after Back", "shop");
      };
      return { first, chosen, steps: [after - before, last - after], back: [await back(1), await back(0)] };
    "##;
    let Some(told) = in_page(&hub, &shop(), 1200, script) else {
        return;
    };
    assert_eq!(told["steps"], json!([1, 1]), "{told}");
    assert_eq!(told["back"], json!([told["chosen"], told["first"]]));
}

#[test]
#[ignore = "further end to end"]
fn a_step_in_the_flame_graph_leaves_no_dead_frame_for_back() {
    let (_directory, hub) = hub_with_two_builds();
    let script = r##"
      const first = await shows("the service", "shop");
      const view = part("view").contentWindow;
      view.history.pushState(null, "", "#search=server");
      build(0).click();
      const chosen = await shows("one build", "build");
      history.back();
      await until("no filter", () => filters().length === 0);
      const once = await shows("a view after Back", "shop");
      history.back();
      await new Promise((done) => setTimeout(done, 300));
      return { first, once, twice: await shows("a view after Back twice", "shop") };
    "##;
    let Some(told) = in_page(&hub, &shop(), 1200, script) else {
        return;
    };
    assert_eq!(
        (&told["once"], &told["twice"]),
        (&told["first"], &told["first"])
    );
}

#[test]
#[ignore = "further end to end"]
fn a_function_of_the_flame_graph_is_found_in_all_services() {
    let (_directory, hub) = hub_with_two_builds();
    let script = r##"
      await shows("the service", "shop");
      const view = part("view").contentWindow;
      await until("the view", () => view.document.body.dataset.ready === "yes");
      const fn = view.page.names.findIndex((name) => name.includes("serve"));
      view.page.change({ fn, side: "details" });
      const button = await until("the button", () => !view.document.getElementById("details-elsewhere").hidden && view.document.querySelector("[data-callers]"));
      button.click();
      await until("callers", () => isIdle() && part("callers-title").textContent !== "");
      return { name: view.page.names[fn], callers: part("callers-title").textContent, services: part("found-functions").textContent };
    "##;
    let Some(told) = in_page(&hub, &shop(), 1200, script) else {
        return;
    };
    let name = told["name"].as_str().unwrap();
    assert_eq!(told["callers"], format!("Who calls {name}"), "{told}");
    let services = told["services"].as_str().unwrap();
    assert!(
        services.contains("shop") && services.contains("till"),
        "{told}"
    );
}

#[test]
#[ignore = "further end to end"]
fn a_question_that_fails_leaves_nothing_of_the_former_one() {
    let (_directory, hub) = hub_with_two_builds();
    let script = r##"
      const first = await shows("the service", "shop");
      const page = frame.contentWindow;
      const address = page.location.hash;
      page.location.hash = `${address}&host=none`;
      const said = await until("a failure", () => part("message").classList.contains("wrong") && part("message").textContent);
      const left = { title: title(), src: part("view").getAttribute("src"), bands: part("chart").querySelectorAll("path").length, lines: part("lines").rows.length };
      page.location.hash = address;
      await until("no filter", () => filters().length === 0);
      return { first, said, left, again: await shows("the service again", "shop") };
    "##;
    let Some(told) = in_page(&hub, &shop(), 1200, script) else {
        return;
    };
    let nothing = json!({ "title": "", "src": null, "bands": 0, "lines": 0 });
    assert_eq!(told["left"], nothing, "{told}");
    assert_eq!(told["again"], told["first"]);
}

#[test]
#[ignore = "further end to end"]
fn a_phone_shows_the_page_without_scrolling_sideways() {
    let (_directory, hub) = hub_with_two_builds();
    let name = format!("shop-{}", "long".repeat(30));
    send(&hub, &batch("three", 2, &name));
    let build = format!("{}{}", BUILDS[0], "0".repeat(36));
    for (fragment, ready) in [
        ("service=shop".to_owned(), "shop"),
        (format!("service={name}&build={build}"), "long"),
        ("find=server".to_owned(), ""),
    ] {
        let script = format!(
            r##"
      await until("all of it", () => isIdle() && (part("service").hidden ? part("found-title").textContent !== "" : title().includes("{ready}")));
      const root = frame.contentDocument.documentElement;
      const right = (element) => element.getBoundingClientRect().right;
      const clips = (element) => element.closest("#view, aside, #lines, #found") !== null;
      const wide = [...root.querySelectorAll("body *")].filter((element) => right(element) > 390 && !clips(element));
      const areas = ["services", "found"].map((id) => part(id)?.closest("aside, section")).filter((area) => area && !area.hidden);
      return {{
        page: root.scrollWidth,
        wide: wide.map((element) => `${{element.tagName}}#${{element.id}} ${{right(element)}}`),
        areas: areas.filter((area) => area.scrollWidth > area.clientWidth).map((area) => `${{area.id || area.tagName}} ${{area.scrollWidth}}`),
      }};
    "##
        );
        let Some(told) = in_page(&hub, &fragment, 390, &script) else {
            return;
        };
        let expected = json!({ "page": 390, "wide": [], "areas": [] });
        assert_eq!(told, expected, "{fragment}");
    }
}

#[test]
#[ignore = "further end to end"]
fn a_view_is_saved_under_a_name_and_services_are_seen_over_time() {
    let (_directory, hub) = hub_with_two_builds();
    let script = r##"
      await shows("the service", "shop");
      const saved = () => [...part("saved").options].map((option) => option.value);
      const submit = async (name, id) => {
        part("save-button").click();
        part("save-name").value = name;
        part(id).click();
        await until("the dialog to close", () => !part("save-view").open);
      };
      const store = part("save-form").querySelector("button");
      store.id = "store";
      const first = saved();
      await submit("morning <b>", "store");
      const kept = saved();
      part("services").querySelectorAll("button")[1].click();
      await shows("the other service", "till");
      part("saved").value = "morning <b>";
      part("saved").dispatchEvent(new Event("change"));
      await shows("the saved view", "shop");
      await submit("morning <b>", "forget-button");
      return { first, kept, last: saved(), sparks: part("services").querySelectorAll(".spark polyline").length };
    "##;
    let Some(told) = in_page(&hub, &shop(), 1200, script) else {
        return;
    };
    let expected = json!({ "first": [""], "kept": ["", "morning <b>"], "last": [""], "sparks": 2 });
    assert_eq!(told, expected);
}

#[test]
#[ignore = "further end to end"]
fn everybody_can_use_the_page() {
    let (_directory, hub) = hub_with_two_builds();
    let states = r##"
      await shows("the service", "shop");
      await look("a service");
      build(0).click();
      await shows("one build", "build");
      await look("a filter");
      part("save-button").click();
      await look("saving a view");
      part("save-view").close();
      part("find-text").value = "serve";
      part("find").requestSubmit();
      await until("what is found", () => isIdle() && part("found-title").textContent !== "");
      await look("a search");
    "##;
    assert_everybody_can_use(&hub, &shop(), states);
}
