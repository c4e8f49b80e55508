//! Names of services, threads, hosts, files and functions that are HTML, long, written from right to left, or of several lines: the page shows
//! them, runs none, and stays as wide as its window.

use hone_batch::{NameIndex, Place};
use serde_json::json;
use tempfile::tempdir;

use crate::browser::in_page;
use crate::common::{ANY_PORT, Hub};
use crate::fleet::{batch, now_s, send};

/// A name with this word in it, as long as a host may send one.
fn hostile(word: &str, bytes: usize) -> String {
    let begin = format!("{word}<img src=x onerror='top.wasRun = 1'>\u{202e}\n\"&");
    let rest = "W".repeat(bytes - begin.len());
    begin + &rest
}

#[test]
#[ignore = "further end to end"]
fn names_that_are_hostile_are_shown_and_do_nothing() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let mut batch = batch(&hostile("host", 255), 0, &hostile("shop", 4096));
    batch.binaries[0].path = hostile("file", 4096);
    batch.names = vec![hostile("serve", 4096)];
    let binary = hone_batch::BinaryIndex(0);
    batch.places[1] = Place::Named {
        binary,
        name: NameIndex(0),
    };
    for group in &mut batch.groups {
        group.thread = hostile(&group.thread, 4096);
        group.container = hostile(&group.container, 4096);
    }
    send(&hub, &batch);
    let script = r##"
      await shows("the service", "shop");
      const wide = frame.contentWindow.innerWidth;
      const wider = {};
      const look = async (name) => {
        const inside = await until(`the view of ${name}`, () => part("view").contentDocument.body.dataset.ready === "yes" && part("view").contentDocument);
        for (const [what, shown] of [["page", frame.contentDocument], ["view", inside]]) {
          const { scrollWidth } = shown.documentElement;
          if (scrollWidth > wide) wider[`${what}, ${name}`] = scrollWidth;
        }
      };
      await look("the service");
      for (const by of ["host", "container", "thread", "build"]) {
        part("by").value = by;
        part("by").dispatchEvent(new Event("change"));
        await until(`lines by ${by}`, () => isIdle() && part("lines").textContent.includes({ build: "ab01", container: "c0ffee", thread: "main" }[by] ?? by));
        await look(by);
        if (by === "build") continue;
        build(0).click();
        await until(`a filter of ${by}`, () => isIdle() && filters().length === 1);
        await shows(`one ${by}`, "shop");
        await look(`one ${by}`);
        part("filters").querySelector("button").click();
        await until("no filter", () => isIdle() && filters().length === 0);
      }
      const view = part("view").contentWindow;
      const fn = view.page.names.findIndex((name) => name.startsWith("serve<img"));
      for (const state of [{ fn, side: "details" }, { view: "sandwich" }, { view: "flame", focus: fn }, { code: "assembly", side: "functions" }]) {
        view.page.change(state);
        await look(JSON.stringify(state));
      }
      part("find-text").value = "serve";
      part("find").requestSubmit();
      await until("what is found", () => isIdle() && part("found-functions").textContent.includes("serve<img"));
      await look("found");
      part("found-functions").querySelector("tbody button").click();
      await until("callers", () => isIdle() && part("callers-title").textContent.includes("serve<img"));
      await look("callers");
      return { wider, wasRun: top.wasRun ?? 0, service: part("services").textContent.includes("shop<img") };
    "##;
    for wide in [390, 1200] {
        let times = format!("from={}&to={}", now_s() - 3000, now_s() + 600);
        let Some(told) = in_page(&hub, &times, wide, script) else {
            return;
        };
        let wanted = json!({ "wider": {}, "wasRun": 0, "service": true });
        assert_eq!(told, wanted, "{wide}");
    }
}
