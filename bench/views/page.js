// What the benchmark does in a page of `hone view`: PORT stands for where the answers go.
(async () => {
  const now = () => performance.now();
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const say = (what, value) =>
    fetch(`http://127.0.0.1:PORT/${what}`, { method: "POST", mode: "no-cors", body: JSON.stringify(value) });
  try {
    while (!document.body.dataset.ready) await new Promise((done) => setTimeout(done, 4));
    // The frame that draws, and the next, before which it was shown.
    await frame();
    await frame();
    const heap = performance.memory?.usedJSHeapSize ?? 0;
    await say("painted", { ms: now(), nodes: page.model.nodes.count, samples: page.recording.samples.count, heap });

    /** From a change to the frame after the one that drew it, several times. */
    const acted = async (times, before, change) => {
      const taken = [];
      for (let turn = 0; turn < times; turn++) {
        page.change(before);
        await frame();
        await frame();
        const began = now();
        page.change(change(turn));
        await frame();
        await frame();
        taken.push(now() - began);
      }
      return taken;
    };
    const heaviest = page.figures.byFunction.at(-1).total.reduce((best, weight, fn, all) => (weight > all[best] ? fn : best), 0);
    const plain = { view: "flame", inverted: false, search: "" };
    await say("actions", {
      search: await acted(5, plain, (turn) => ({ search: "aeiou"[turn] })),
      inverted: await acted(5, plain, () => ({ inverted: true })),
      upright: await acted(5, { ...plain, inverted: true }, () => ({ inverted: false })),
      sandwich: await acted(5, plain, () => ({ view: "sandwich", fn: heaviest })),
    });
    page.change({ ...plain, fn: null });
    await frame();

    const { flame } = page;
    const canvas = flame.canvas;
    canvas.setPointerCapture = () => {};
    const box = canvas.getBoundingClientRect();
    const pointer = (kind, x, y) =>
      canvas.dispatchEvent(new PointerEvent(kind, { clientX: box.left + x, clientY: box.top + y, buttons: 1, bubbles: true }));
    const wheel = (deltaY) => canvas.dispatchEvent(
      new WheelEvent("wheel", { deltaY, ctrlKey: true, clientX: box.left + box.width * 0.4, clientY: box.top + 50, cancelable: true }));

    /** Moves once before each frame; times between frames, and within the painting. */
    const film = async (name, frames, move) => {
      const paint = flame.paint;
      const paints = [];
      const boxes = [];
      flame.paint = function () {
        const began = now();
        paint.call(this);
        paints.push(now() - began);
        boxes.push(this.boxes.length);
      };
      await frame();
      await say("begin", name);
      const between = [];
      let before = await frame();
      for (let turn = 0; turn < frames; turn++) {
        move(turn);
        const at = await frame();
        between.push(at - before);
        before = at;
      }
      await say(`end`, { name, between, paints, boxes });
      delete flame.paint;
    };

    // In, far enough that there is something to drag to, and back and forth.
    await film("zoom", 160, (turn) => wheel(turn < 80 ? -12 : 12));
    flame.scale(0.2, 0.4);
    pointer("pointerdown", box.width / 2, box.height / 2);
    await film("drag", 300, (turn) => {
      const angle = (turn / 300) * 4 * Math.PI;
      pointer("pointermove", box.width * (0.5 + 0.4 * Math.sin(angle)), box.height * (0.5 + 0.3 * Math.sin(2 * angle)));
    });
    pointer("pointerup", box.width / 2, box.height / 2);
    await say("done", {});
  } catch (error) {
    await say("failed", String(error.stack ?? error));
  }
})();
