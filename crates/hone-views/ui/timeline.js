// CPU use over time with its axes, and the part of the time that is looked at.

const BARS_MAX = 400;
const SAMPLES_PER_BAR = 8; // Fewer make a comb of an even load.
const AXIS = 16; // Pixels below the bars.
const LABEL_ROOM = 70; // Pixels from one label to the next, at least.
const [MINUTE, HOUR, DAY] = [60e6, 3600e6, 86400e6]; // Microseconds.
// Steps from one label to the next where seconds would be many.
const LONG_STEPS = [MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 30 * MINUTE,
  HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 5 * DAY, 10 * DAY, 20 * DAY];

class Timeline {
  /** `onRange([from, to] | null)` is called when a part was chosen; times are microseconds. */
  constructor(canvas, onRange) {
    this.canvas = canvas;
    this.onRange = onRange;
    this.range = null;
    this.listen();
  }

  /** `isTime`: weights are nanoseconds of CPU time. */
  show(recording, threads, range, isTime) {
    this.recording = recording;
    this.range = range;
    const { samples } = recording;
    const bars = barsOf(recording);
    this.bars = new Float64Array(bars);
    const step = Math.max(recording.duration, 1) / bars;
    for (const sample of selected(samples, { threads })) {
      this.bars[Math.min(Math.floor(samples.time[sample] / step), bars - 1)] += samples.weight[sample];
    }
    // CPUs that are busy: CPU time by time.
    this.use = isTime ? this.bars.map((weight) => weight / 1e3 / step) : this.bars;
    this.isTime = isTime;
    this.canvas.setAttribute("aria-label", this.words());
    this.draw();
  }

  words() {
    const { duration } = this.recording;
    const highest = this.isTime ? `, at most ${this.highest.toFixed(1)} CPUs busy` : "";
    const part = this.range === null ? "all is shown" :
      `${inSeconds(this.range[0])} to ${inSeconds(this.range[1])} is shown`;
    return `CPU use over ${inSeconds(duration)}${highest}; ${part}. Arrow keys move the part, with Shift its end.`;
  }

  get highest() {
    return this.use.reduce((most, use) => Math.max(most, use), 1e-9);
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
    const floor = height - AXIS;
    const top = this.isTime ? niceAbove(this.highest, [1, 2, 3, 4, 6, 8, 10]) : this.highest;
    const step = width / this.use.length;
    this.use.forEach((use, index) => {
      const middle = ((index + 0.5) / this.use.length) * this.recording.duration;
      const chosen = this.range === null || (middle >= this.range[0] && middle <= this.range[1]);
      context.fillStyle = style.getPropertyValue(chosen ? "--bar" : "--bar-outside");
      const tall = (use / top) * (floor - 2);
      context.fillRect(index * step, floor - tall, Math.max(step - 0.5, 0.5), tall);
    });
    context.font = style.font;
    context.textBaseline = "alphabetic";
    this.drawTimes(context, style, width, floor, height);
    if (this.isTime) this.drawUse(context, style, top, width, floor);
    if (this.range !== null && this.recording.duration > 0) {
      const [from, to] = this.range.map((time) => (time / this.recording.duration) * width);
      context.strokeStyle = style.getPropertyValue("--selected");
      context.strokeRect(from + 0.5, 0.5, Math.max(to - from - 1, 1), floor - 1);
    }
  }

  drawTimes(context, style, width, floor, height) {
    const { duration } = this.recording;
    context.fillStyle = style.getPropertyValue("--line");
    context.fillRect(0, floor, width, 1);
    if (duration <= 0) return;
    const ticks = tickTimes(duration, Math.max(Math.floor(width / LABEL_ROOM), 1));
    for (const time of ticks) {
      const left = (time / duration) * width;
      context.fillStyle = style.getPropertyValue("--soft");
      context.fillRect(Math.min(left, width - 1), floor, 1, 4);
      const text = tickText(time, ticks[1] ?? duration);
      const room = context.measureText(text).width;
      // A label that would end beyond the edge is left out, but the first begins at it.
      if (left === 0) context.fillText(text, 3, height - 3);
      else if (left + room / 2 < width) context.fillText(text, left - room / 2, height - 3);
    }
  }

  drawUse(context, style, top, width, floor) {
    const text = `${Number(top.toPrecision(3))} ${top === 1 ? "CPU" : "CPUs"}`;
    context.fillStyle = style.getPropertyValue("--line");
    context.fillRect(0, 1, width, 1);
    const room = context.measureText(text).width;
    context.fillStyle = style.getPropertyValue("--paper");
    context.fillRect(0, 2, room + 8, 14);
    context.fillStyle = style.getPropertyValue("--soft");
    context.fillText(text, 4, 13);
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
      if (began === null) return;
      const now = timeAt(event);
      const isDrag = Math.abs(now - began) > this.recording.duration / 200;
      this.range = isDrag ? [Math.min(began, now), Math.max(began, now)] : null;
      began = null;
      this.onRange(this.range, null);
    });
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.onRange(movedRange(this.range, this.recording.duration, step, event.shiftKey), "range");
    });
  }
}

/** How many bars show a recording well; of sums each bar is one or more whole steps. */
function barsOf({ samples, step, duration }) {
  if (step > 0) {
    const steps = Math.max(Math.round(duration / step), 1);
    return Math.ceil(steps / Math.ceil(steps / BARS_MAX));
  }
  return Math.max(Math.min(BARS_MAX, Math.floor(samples.count / SAMPLES_PER_BAR)), 1);
}

/** A range moved by a twentieth of all, or only its end; of none the first tenth. */
function movedRange(range, duration, step, isEnd) {
  const by = (step * duration) / 20;
  if (range === null) return step > 0 ? [0, duration / 10] : [duration * 0.9, duration];
  const [from, to] = range;
  if (isEnd) return [from, Math.min(Math.max(to + by, from + duration / 20), duration)];
  const moved = Math.min(Math.max(by, -from), duration - to);
  return [from + moved, to + moved];
}

/** Round times from 0 on, at most so many steps: seconds by 1, 2 or 5 and zeros, longer ones by parts of an hour and a day. */
function tickTimes(duration, steps) {
  const least = duration / steps;
  const isShort = least <= MINUTE / 2;
  const step = isShort ? niceAbove(least) : LONG_STEPS.find((step) => step >= least) ?? niceAbove(least / DAY) * DAY;
  const ticks = [];
  for (let index = 0; index * step <= duration; index++) ticks.push(index * step);
  return ticks;
}

/** The next number of these and zeros that is not smaller. */
function niceAbove(value, numbers = [1, 2, 5, 10]) {
  const scale = 10 ** Math.floor(Math.log10(value));
  return numbers.map((step) => step * scale).find((step) => step >= value * (1 - 1e-9));
}

/** A time in the longest unit of which the step is a whole number, `36 h`; seconds with the digits that tell two steps apart. */
function tickText(time, step) {
  const units = [[DAY, "d"], [HOUR, "h"], [MINUTE, "min"]];
  const [size, unit] = units.find(([size]) => step >= MINUTE && step % size === 0) ?? [1e6, "s"];
  const digits = Math.max(0, -Math.floor(Math.log10(step / size) + 1e-9));
  return `${(time / size).toFixed(digits)} ${unit}`;
}

function inSeconds(time) {
  return `${Number((time / 1e6).toPrecision(4))} s`;
}
