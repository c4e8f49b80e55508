//! Parts of a recording beside each other: of its time, of its processes and threads, of its libraries.

use crate::common::compiled;
use crate::view_page::browser::{browser, in_browser};
use crate::view_page::steps::assert_all;
use crate::view_page::{PROGRAM, view};
use testkit::recording::{Program, Recording};

/// Two processes: `old` has 60 samples in `heavy`, then `new` 30 in `light` on one thread and 10 in `heavy` on another.
fn recorded() -> tempfile::TempDir {
    let directory = compiled(PROGRAM, &["-g", "-fno-optimize-sibling-calls"]);
    let program = Program::read(&directory.path().join("p"));
    let mut made = Recording::of(&program);
    let at = |function: &str, line| made.at(program.line(function, line));
    let (main, heavy, light) = (at("main", 17), at("heavy", 9), at("light", 5));
    for (pid, tid, name) in [(10, 10, "old"), (20, 20, "new"), (20, 21, "helper")] {
        made.thread(pid, tid, name);
    }
    made.stack_of((10, 10), 60, &[heavy, main]);
    made.stack_of((20, 20), 30, &[light, main]);
    made.stack_of((20, 21), 10, &[heavy, main]);
    made.write(&directory.path().join("two.data"));
    directory
}

/// What the tests of this file do in a page.
const PARTS: &str = r##"
  const holds = {};
  const part = (id) => document.getElementById(id);
  const near = (value, wanted) => Math.abs(value - wanted) < 1e-9;
  const tracks = () => [...part("tracks").querySelectorAll("button")].map((button) => button.textContent);
  const press = async (element) => { element.click(); await settle(); };
  const again = () => JSON.stringify(readState("#" + writeState(page.state, (fn) => page.model.addressName(fn)), (name) => page.model.functionOf(name)),
    (_, value) => (value instanceof Set ? [...value] : value));
  const isInAddress = () => again() === JSON.stringify(page.state, (_, value) => (value instanceof Set ? [...value] : value));
  const outermost = () => page.flame.boxes.filter(({ node }) => node.depth === 1).map(({ node }) => page.names[node.fn]);
"##;

/// Runs a script in the page of `two.data`; all that it says holds.
pub(super) fn all_holds(script: &str) {
    let Some(browser) = browser() else { return };
    let directory = recorded();
    let dir = directory.path();
    view(dir, &["two.data"]);
    let script = format!("{PARTS}{script}");
    assert_all(&in_browser(browser, dir, "two.html", "", &script));
}

#[test]
fn two_parts_of_the_time_are_compared() {
    let script = r##"
      await key("v");
      holds["nothing is compared without a part"] = !page.isCompared && /No part of the time/.test(part("announce").textContent);
      const { duration } = page.recording;
      page.change({ range: [0, duration * 0.5] });
      await press(part("filters").querySelector("[data-part]"));
      holds["the part is what others are compared with"] = page.isCompared && page.state.range === null && page.state.base !== null;
      page.change({ range: [duration * 0.65, duration] });
      await settle();
      const change = page.figures.changes.get(page.model.byName.get("heavy"));
      holds["heavy went down"] = near(change.old, 1) && change.now < 0.5 && change.significant;
      holds["both are named"] = / to .* s → .* to .* s$/.test(part("title").textContent);
      holds["both are in the address"] = isInAddress() && location.hash.includes("base=");
      const wide = () => page.flame.boxes.find(({ node }) => page.names[node.fn] === "light");
      const width = ({ left, right }) => (right - left) / page.flame.canvas.clientWidth;
      const inNew = width(wide());
      page.change({ widths: "old" });
      await settle();
      holds["what is new has no width of the old"] = wide() === undefined && inNew > 0.5;
      page.change({ widths: "both" });
      await settle();
      holds["of both it has half of its width"] = near(width(wide()), inNew / 2);
      await key("v");
      holds["they are swapped"] = page.state.base[1] === duration && page.state.range[0] === 0;
      holds["there is a graph"] = part("graph-empty").hidden;
      page.change({ range: [duration * 2, duration * 3], widths: "new" });
      await settle();
      holds["a part without samples is told"] = !part("graph-empty").hidden;
      await key("Escape");
      holds["Escape shows all again"] = !page.isCompared && page.state.base === null;
      return { holds };"##;
    all_holds(script);
}

#[test]
fn processes_and_threads_have_strips_of_time_and_frames() {
    let script = r##"
      holds["a strip for each process, the heaviest first"] = tracks().join("|") === "old 10 · 60.0 %|new 20 · 40.0 %";
      await press(part("tracks").querySelector("[data-process='20']"));
      holds["one is chosen, and its threads stand below"] = tracks().length === 4 && /^new 20 · 30/.test(tracks()[2]);
      holds["with its samples alone"] = near(page.figures.whole[0] / page.recording.samples.weight.reduce((sum, weight) => sum + weight, 0), 0.4);
      holds["it is in the address"] = isInAddress() && location.hash.includes("process=20");
      await press(part("tracks").querySelector("[data-thread='2']"));
      holds["a thread is chosen"] = page.figures.thread === 2 && near(share("heavy").self, 1);
      await press(part("tracks").querySelector("[data-thread='2']"));
      await press(part("tracks").querySelector("[data-process='20']"));
      holds["again, and all are there"] = page.state.process === null && page.state.thread === null;

      const canvas = part("tracks").querySelector("[data-process='10']").nextElementSibling;
      const box = canvas.getBoundingClientRect();
      canvas.setPointerCapture = () => {};
      const at = (share) => ({ clientX: box.left + box.width * share, clientY: box.top + 5, buttons: 1, bubbles: true });
      canvas.dispatchEvent(new PointerEvent("pointerdown", at(0.1)));
      canvas.dispatchEvent(new PointerEvent("pointermove", at(0.2)));
      canvas.dispatchEvent(new PointerEvent("pointerup", at(0.3)));
      await settle();
      holds["a drag chooses the process and the time"] = page.state.process === 10 && near(page.state.range[0] / page.recording.duration, 0.1);
      await key("Escape");
      await key("T");
      holds["they can be closed"] = part("tracks").hidden && page.state.tracks === false;

      const weight = () => page.figures.byFunction[0].self.reduce((sum, of) => sum + of, 0);
      const before = weight();
      await key("g");
      holds["processes are outermost"] = outermost().join() === "old,new" && near(weight(), before);
      await key("g");
      holds["or threads"] = outermost().sort().join() === "helper,new,old" && isInAddress();
      await key("g");
      holds["or neither"] = outermost().join() === "main";
      return { holds, tracks: tracks() };"##;
    all_holds(script);
}

#[test]
fn a_library_is_one_frame_and_colours_show_own_time() {
    let script = r##"
      const before = share("heavy").self;
      await click(page.flame, "heavy", "click");
      await key("b");
      holds["the program is one frame"] = outermost().join() === "p" && !page.flame.boxes.some(({ node }) => node.depth > 1);
      holds["with all of its time"] = near(share("p").self, 1) && isInAddress();
      await press(part("filters").querySelector("[data-filter]"));
      holds["and can be seen again"] = near(share("heavy").self, before);
      const colours = () => ["heavy", "main"].map((name) => page.colourOfFunction(page.model.byName.get(name), 0));
      const byLibrary = colours();
      await key("h");
      const byTime = colours();
      holds["colours tell own time"] = byLibrary[0] === byLibrary[1] && byTime[0] !== byTime[1] && part("binaries").hidden && isInAddress();
      return { holds };"##;
    all_holds(script);
}

#[test]
fn a_picture_has_the_frames_and_their_whole_names() {
    let script = r##"
      page.model.names[page.model.byName.get("light")] = "<script>alert(1)</scr" + "ipt>\u0000&";
      const svg = pictureOf(page.flame, "a & b", (node) => page.words(node));
      const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
      holds["it is XML"] = parsed.querySelector("parsererror") === null && parsed.querySelector("script") === null;
      const titles = [...parsed.querySelectorAll("title")].map((title) => title.textContent);
      holds["every frame has its figures and name"] = titles.length >= 4 && titles.some((title) => /^70\.0 %.* heavy in /.test(title));
      const png = await pngOf(svg);
      const begin = new Uint8Array(await png.slice(0, 4).arrayBuffer());
      holds["and it is a PNG"] = png.size > 1000 && String.fromCharCode(...begin.slice(1)) === "PNG";
      return { holds, titles };"##;
    all_holds(script);
}
