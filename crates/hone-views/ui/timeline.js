// CPU use over time, and the part of it that is looked at.

const BARS_MAX = 400;
const SAMPLES_PER_BAR = 8; // Fewer make a comb of an even load.

class Timeline {
  /** `onRange([from, to] | null)` is called when a part was chosen. */
  constructor(canvas, onRange) {
    this.canvas = canvas;
    this.onRange = onRange;
    this.range = null;
    this.listen();
  }

  show(recording, threads) {
    this.recording = recording;
    const { samples } = recording;
    const bars = Math.max(Math.min(BARS_MAX, Math.floor(samples.count / SAMPLES_PER_BAR)), 1);
    this.bars = new Float64Array(bars);
    const step = Math.max(recording.duration, 1) / bars;
    for (const sample of selected(samples, { threads })) {
      this.bars[Math.min(Math.floor(samples.time[sample] / step), bars - 1)] += samples.weight[sample];
    }
    this.draw();
  }

  draw() {
    const { canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(canvas);
    const highest = Math.max(...this.bars, 1e-9);
    const step = width / this.bars.length;
    this.bars.forEach((bar, index) => {
      const middle = ((index + 0.5) / this.bars.length) * this.recording.duration;
      const chosen = this.range === null || (middle >= this.range[0] && middle <= this.range[1]);
      context.fillStyle = style.getPropertyValue(chosen ? "--bar" : "--bar-outside");
      const tall = (bar / highest) * (height - 2);
      context.fillRect(index * step, height - tall, Math.max(step - 0.5, 0.5), tall);
    });
    if (this.range !== null && this.recording.duration > 0) {
      const [from, to] = this.range.map((time) => (time / this.recording.duration) * width);
      context.strokeStyle = style.getPropertyValue("--selected");
      context.strokeRect(from + 0.5, 0.5, Math.max(to - from - 1, 1), height - 1);
    }
  }

  listen() {
    const { canvas } = this;
    const timeAt = (event) => {
      const box = canvas.getBoundingClientRect();
      const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
      return share * this.recording.duration;
    };
    let began = null;
    canvas.addEventListener("pointerdown", (event) => {
      began = timeAt(event);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (began === null || event.buttons !== 1) return;
      const now = timeAt(event);
      this.range = [Math.min(began, now), Math.max(began, now)];
      this.draw();
    });
    canvas.addEventListener("pointerup", (event) => {
      const now = timeAt(event);
      const isDrag = began !== null && Math.abs(now - began) > this.recording.duration / 200;
      began = null;
      if (!isDrag) this.range = null;
      this.onRange(this.range);
    });
  }
}
