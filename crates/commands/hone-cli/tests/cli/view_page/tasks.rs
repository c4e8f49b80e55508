//! What people come to the page for takes few clicks, as docs/see/pages.md counts them.

use crate::view_page::parts::all_holds;

/// Clicks and drags, counted.
const COUNTED: &str = r##"
  let clicks = 0;
  const pressed = async (element) => { clicks += 1; await press(element); };
  const dragged = async (canvas, from, to) => {
    clicks += 1;
    const box = canvas.getBoundingClientRect();
    const at = (share) => ({ clientX: box.left + share * box.width, clientY: box.top + 5, buttons: 1, bubbles: true });
    canvas.setPointerCapture = () => {};
    canvas.dispatchEvent(new PointerEvent("pointerdown", at(from)));
    canvas.dispatchEvent(new PointerEvent("pointermove", at(to)));
    canvas.dispatchEvent(new PointerEvent("pointerup", at(to)));
    await settle();
  };
"##;

#[test]
#[ignore = "further end to end"]
fn the_dearest_function_of_a_thread_between_two_times_who_calls_it_and_a_picture_for_a_colleague() {
    let script = format!(
        r##"{COUNTED}
      await pressed([...part("tracks").querySelectorAll("button")].find((button) => button.textContent.startsWith("new")));
      const helper = [...part("tracks").querySelectorAll("li")].find((row) => row.textContent.startsWith("helper"));
      await dragged(helper.querySelector("canvas"), 0.6, 1);
      holds["the dearest function of the thread between two times is the first row, after two clicks"] =
        rows()[0].includes("heavy") && page.recording.threads[page.figures.thread].name === "helper" && page.state.range !== null && clicks === 2;
      await pressed(part("functions").querySelector("tbody tr"));
      await pressed(part("details-tab"));
      holds["who calls it stands beside it, after two more"] = part("details-callers").textContent.includes("main") && clicks === 4;

      clicks = 0;
      let saved = null;
      URL.createObjectURL = (blob) => {{ saved = blob; return "blob:nothing"; }};
      HTMLAnchorElement.prototype.click = () => {{}};
      await pressed(part("options-button"));
      await pressed(document.querySelector('[data-save="svg"]'));
      for (let tries = 0; saved === null && tries < 100; tries++) await settle();
      holds["a picture for a colleague is saved, after two"] = saved !== null && saved.type === "image/svg+xml" && clicks === 2;
      return {{ holds }};"##
    );
    all_holds(&script);
}
