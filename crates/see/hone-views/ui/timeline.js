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
  /** `onRange([from, to] | null, kind)` is called when a part was chosen; times are microseconds. `hasAxis`: times stand below. */
  constructor(canvas, onRange, hasAxis = true) {
    this.canvas = canvas;
    this.onRange = onRange;
    this.axis = hasAxis ? AXIS : 0;
    this.range = this.base = null;
    this.listen();
  }

  /**
   * `of`: {recording, threads: a set or null, range, base: the part that it is compared with, isTime: weights are nanoseconds of CPU time,
   * top: what a bar of the whole height stands for, null where that is the highest}.
   */
  show(of) {
    const { recording, threads, isTime } = of;
    Object.assign(this, of);
    this.use = useOf(recording, threads, isTime);
    this.canvas.setAttribute("aria-label", this.words());
    this.draw();
  }

  words() {
    const { duration } = this.recording;
    const highest = this.isTime ? `, at most ${highestOf(this.use).toFixed(1)} CPUs busy` : "";
    const part = this.range === null ? "all is shown" : `${partText(this.range)} is shown`;
    const base = this.base === null ? "" : `, compared with ${partText(this.base)}`;
    return `CPU use over ${inSeconds(duration)}${highest}; ${part}${base}. Arrow keys move the part, with Shift its end.`;
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
    const floor = height - this.axis;
    const top = this.top ?? topOf(highestOf(this.use), this.isTime);
    const step = width / this.use.length;
    this.use.forEach((use, index) => {
      const middle = ((index + 0.5) / this.use.length) * this.recording.duration;
      const chosen = (this.range === null && this.base === null) || isWithin(this.range, middle) || isWithin(this.base, middle);
      context.fillStyle = style.getPropertyValue(chosen ? "--bar" : "--bar-outside");
      const tall = (use / top) * (floor - 2);
      context.fillRect(index * step, floor - tall, Math.max(step - 0.5, 0.5), tall);
    });
    context.font = style.font;
    context.textBaseline = "alphabetic";
    if (this.axis > 0) {
      this.drawTimes(context, style, width, floor, height);
      if (this.isTime) this.drawUse(context, style, top, width);
    }
    this.drawPart(context, style, this.base, "old", width, floor);
    this.drawPart(context, style, this.range, this.base === null ? "" : "new", width, floor);
  }

  /** A frame around a part of the time, with a word where two are compared. */
  drawPart(context, style, range, word, width, floor) {
    if (range === null || !(this.recording.duration > 0)) return;
    const [from, to] = range.map((time) => (time / this.recording.duration) * width);
    context.strokeStyle = style.getPropertyValue("--selected");
    context.strokeRect(from + 0.5, 0.5, Math.max(to - from - 1, 1), floor - 1);
    if (this.axis === 0 || word === "") return;
    const room = context.measureText(word).width;
    context.fillStyle = style.getPropertyValue("--selected");
    context.fillRect(from, 0, room + 8, 14);
    context.fillStyle = style.getPropertyValue("--paper");
    context.fillText(word, from + 4, 11);
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

  drawUse(context, style, top, width) {
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
      this.draw();
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

const knownBars = new WeakMap();

/** By thread its weight in each bar; computed once for a recording. */
function barsByThread(recording) {
  let bars = knownBars.get(recording);
  if (bars !== undefined) return bars;
  const count = barsOf(recording);
  const step = Math.max(recording.duration, 1) / count;
  bars = recording.threads.map(() => new Float64Array(count));
  const { samples } = recording;
  for (let sample = 0; sample < samples.count; sample++) {
    bars[samples.thread[sample]][Math.min(Math.floor(samples.time[sample] / step), count - 1)] += samples.weight[sample];
  }
  knownBars.set(recording, bars);
  return bars;
}

/** What threads, or all, used over time: CPUs that were busy where weights are CPU time, else the weights. */
function useOf(recording, threads, isTime) {
  const all = barsByThread(recording);
  const use = new Float64Array(barsOf(recording));
  all.forEach((bars, thread) => {
    if (threads === null || threads.has(thread)) bars.forEach((weight, bar) => (use[bar] += weight));
  });
  const step = Math.max(recording.duration, 1) / use.length;
  return isTime ? use.map((weight) => weight / 1e3 / step) : use;
}

function highestOf(use) {
  return use.reduce((most, one) => Math.max(most, one), 1e-9);
}

/** What a bar of the whole height stands for. */
function topOf(highest, isTime) {
  return isTime ? niceAbove(highest, [1, 2, 3, 4, 6, 8, 10]) : highest;
}

function isWithin(range, time) {
  return range !== null && time >= range[0] && time <= range[1];
}

/** `1.25 to 2.50 s`. */
function partText(range) {
  const [from, to] = range.map((time) => (time / 1e6).toFixed(2));
  return `${from} to ${to} s`;
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
