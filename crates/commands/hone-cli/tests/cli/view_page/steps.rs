//! What is shown is in the address: Back and Forward, Escape, keys in the graph and in the timeline, and what a screen
//! reader is told.

use serde_json::Value;

/// What the tests of this file do in a page.
const DOING: &str = r##"
  const part = (id) => document.getElementById(id);
  const type = async (text) => {
    part("search").value = text;
    part("search").dispatchEvent(new Event("input"));
    await settle();
  };
  const on = async (id, name, more = {}) => {
    part(id).focus();
    part(id).dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more }));
    await settle();
  };
  const go = async (steps) => {
    const before = location.hash;
    history.go(steps);
    while (location.hash === before) await new Promise((done) => setTimeout(done, 10));
    await settle();
  };
  // Letters and movements come into the address a little later.
  const written = async () => { while (page.steps.waiting !== null) await new Promise((done) => setTimeout(done, 10)); };
  const words = () => new URLSearchParams(location.hash.slice(1));
"##;

fn in_page(script: &str) -> Option<Value> {
    super::in_page(&format!("{DOING}{script}"))
}

pub(super) fn assert_all(result: &Value) {
    for (what, holds) in result["holds"].as_object().unwrap() {
        assert_eq!(*holds, true, "{what}: {result:#}");
    }
}

#[test]
#[ignore = "further end to end"]
fn back_goes_back_step_by_step_and_escape_closes_what_was_opened_last() {
    let script = r##"
      const holds = {};
      const length = history.length;
      await type("h"); await type("he"); await type("hea");
      await written();
      holds["a search is one step"] = history.length === length + 1 && words().get("search") === "hea";
      await key("3");
      holds["a view is a step"] = history.length === length + 2 && words().get("view") === "sandwich";
      await go(-1);
      holds["Back shows the graph again"] = page.state.view === "flame" && !part("flame").hidden;
      await go(1);
      holds["Forward shows the sandwich"] = page.state.view === "sandwich" && part("flame").hidden;
      await go(-2);
      holds["Back empties the search"] = part("search").value === "" && page.matches === null && location.hash === "";

      await click(page.flame, "heavy", "dblclick");
      holds["a zoom is in the address"] = words().has("zoom") && part("path").textContent.endsWith("heavy");
      const zoomed = location.hash;
      await type("light");
      holds["a search leaves the zoom"] = page.flame.zoomed.fn === page.model.byName.get("heavy");
      await key("c");
      part("menu-button").click();
      const layers = [...page.layers.open].join();
      holds["all are open"] = layers === "zoom,search,code,menu" && !part("code").hidden;
      await key("Escape");
      holds["Escape closes the menu first"] = !part("menu").classList.contains("open") && !part("code").hidden;
      await key("Escape");
      holds["then the code"] = part("code").hidden && part("search").value === "light";
      part("search").focus();
      part("search").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
      await settle();
      holds["then the search, also from within"] = part("search").value === "" && location.hash === zoomed;
      await key("Escape");
      holds["then the zoom"] = page.flame.zoomed === page.flame.root && !words().has("zoom");
      await go(-1);
      holds["Back zooms in again"] = page.flame.zoomed.fn === page.model.byName.get("heavy") && location.hash === zoomed;
      await key("+"); await key("+");
      await written();
      holds["a movement is in the address"] = words().has("part");
      const width = page.flame.range.width;
      await key("0");
      await go(-1);
      holds["and comes back"] = Math.abs(page.flame.range.width / width - 1) < 1e-6;

      await key("0");
      await key("1");
      await click(page.flame, "main", "dblclick");
      holds["a zoom in time order too"] = /^\d+@\d+$/.test(words().get("zoom")) && page.state.thread === null;
      await key("2");
      holds["no thread is left chosen"] = page.state.thread === null && part("thread").value === "";

      // What the address says is what is shown: read again it is the same.
      Object.assign(page.state, { view: "sandwich", fn: page.model.byName.get("heavy"), of: page.model.byName.get("main"), focus: page.model.byName.get("main"),
        dropped: new Set([page.model.byName.get("light")]), merged: new Set([page.model.byName.get("down")]), thread: 0, range: [1000, 900000],
        sort: "total", code: "assembly", search: "a+b&c=<d>", ignoreCase: false, side: "functions", finding: "allocator",
        zoom: { flame: "a.b", callers: "c", callees: "" }, part: { flame: [0.000000012, 0.5, 3], callers: null, callees: [0, 0.125, 0] } });
      const plain = (state) => JSON.stringify(state, (_, value) => (value instanceof Set ? [...value] : value));
      const again = readState("#" + writeState(page.state, (fn) => page.model.addressName(fn)), (name) => page.model.functionOf(name));
      holds["every part of the state"] = plain(again) === plain(page.state);
      const strange = readState("#fn=nobody&range=9-1&thread=-1&zoom=zzz&part=1&view=none&code=1", (name) => page.model.functionOf(name));
      holds["what cannot be is not taken"] = strange.range === null && strange.thread === null && strange.part.flame === null &&
        strange.view === "flame" && strange.code === null && strange.missing.join() === "nobody";
      return { holds, hash: location.hash, layers };
    "##;
    let Some(result) = in_page(script) else {
        return;
    };
    assert_all(&result);
}

#[test]
#[ignore = "further end to end"]
fn keys_work_in_the_graph_and_screen_readers_are_told() {
    let script = r##"
      const holds = {};
      const said = () => part("announce").textContent;
      const chosen = () => page.names[page.flame.selected.fn];
      await on("flame", "ArrowDown");
      holds["the first key chooses the root"] = page.flame.selected === page.flame.root;
      for (let row = 0; row < 20 && page.flame.selected.fn !== page.model.byName.get("main"); row++) await on("flame", "ArrowDown");
      holds["down goes to the heaviest callee"] = chosen() === "main";
      await on("flame", "ArrowDown");
      holds["and is announced"] = chosen() === "heavy" && /^\d.* %.* heavy in /.test(said());
      const from = page.flame.selected;
      await on("flame", "ArrowRight");
      holds["right goes to the neighbour"] = page.flame.selected !== from && page.flame.selected.depth === from.depth;
      await on("flame", "ArrowLeft");
      holds["left comes back"] = page.flame.selected === from;
      await on("flame", "Enter");
      holds["Enter zooms"] = page.flame.zoomed === from && words().has("zoom");
      await on("flame", "Escape");
      holds["Escape zooms out"] = page.flame.zoomed === page.flame.root;
      await on("flame", "ArrowUp");
      holds["up goes to the caller"] = page.flame.selected === from.parent;
      await key("u");
      await on("flame", "ArrowUp");
      holds["turned over, up goes to the callee"] = page.flame.selected === from;
      await key("u");
      const ring = (id) => { part(id).focus(); return part(id).matches(":focus-visible") && getComputedStyle(part(id)).outlineStyle === "solid"; };
      holds["the focus is seen"] = ["flame", "timeline", "search"].every(ring);

      Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (text) => { page.copied = text; } } });
      page.change({ fn: page.model.byName.get("light") });
      await key("y");
      holds["a name is copied"] = page.copied === "light" && said() === "Copied: light";
      page.copied = null;
      await key("c", { ctrlKey: true });
      holds["also by Ctrl-C"] = page.copied === "light" && part("code").hidden;
      page.copied = null;
      document.querySelector('#actions [data-action="copy"]').click();
      await settle();
      holds["and by a button"] = page.copied === "light" && !part("actions").hidden;

      await on("timeline", "ArrowRight"); await on("timeline", "ArrowRight"); await on("timeline", "ArrowRight", { shiftKey: true });
      await written();
      const { duration } = page.recording;
      const near = (time, share) => Math.abs(time / duration - share) < 1e-6;
      holds["arrows move the part of the time"] = near(page.state.range[0], 0.05) && near(page.state.range[1], 0.2) && words().has("range");
      holds["the timeline says it"] = / s is shown/.test(part("timeline").getAttribute("aria-label"));
      const filter = part("filters").querySelector("button");
      holds["a filter can be removed"] = filter.getAttribute("aria-label").startsWith("Remove the filter: ");
      filter.click();
      await settle();
      holds["and is gone"] = page.state.range === null && part("filters").children.length === 0;

      const named = (element) => (element.getAttribute("aria-label") ?? element.textContent).trim() !== "";
      const nameless = [...document.querySelectorAll("button, select, input, canvas, [role=application], [role=group]")]
        .filter((element) => !named(element)).map((element) => element.outerHTML);
      holds["everything has a name"] = nameless.length === 0;
      holds["the graph is told of"] = part("flame").getAttribute("role") === "application" &&
        /^Flame graph, /.test(part("flame").getAttribute("aria-label")) && part("announce").getAttribute("aria-live") === "polite";
      return { holds, said: said(), nameless, copied: page.copied };
    "##;
    let Some(result) = in_page(script) else {
        return;
    };
    assert_all(&result);
}
