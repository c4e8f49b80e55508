// CPU cores in use over time, one band upon the other, and the part of the time that is looked at.

const SVG = "http://www.w3.org/2000/svg";
const [WIDE, HIGH] = [1000, 100];

class Chart {
  /** `onPart([from, to] | null)` is called when a part of the time was chosen; seconds since 1970. */
  constructor(svg, onPart) {
    this.svg = svg;
    this.onPart = onPart;
    svg.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
    this.listen();
  }

  /** `bands`: [{cores, colour}], the lowest first. Returns the height of the chart in cores. */
  show({ first_s, step_s }, bands, part) {
    const steps = bands[0]?.cores.length ?? 0;
    this.from = first_s;
    this.to = first_s + steps * step_s;
    this.step = step_s;
    const tops = Array.from({ length: steps }, (_, step) => bands.reduce((sum, { cores }) => sum + cores[step], 0));
    const top = niceAbove(tops.reduce((most, sum) => Math.max(most, sum), 0));
    const below = new Float64Array(steps);
    this.svg.replaceChildren(...bands.map(({ cores, colour }) => {
      const upper = below.map((sum, step) => sum + cores[step]);
      const path = element("path", { d: bandPath(below, upper, top), fill: colour });
      below.set(upper);
      return path;
    }), element("line", { class: "grid", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }));
    this.part = part;
    this.showPart();
    return top;
  }

  clear() {
    this.show({ first_s: 0, step_s: 1 }, [], null);
  }

  showPart() {
    for (const old of this.svg.querySelectorAll(".part, .outside")) old.remove();
    if (this.part === null || this.to <= this.from) return;
    const [left, right] = this.part.map((time) => ((time - this.from) / (this.to - this.from)) * WIDE);
    this.svg.append(
      element("rect", { class: "outside", x: 0, width: Math.max(left, 0), y: 0, height: HIGH }),
      element("rect", { class: "outside", x: right, width: Math.max(WIDE - right, 0), y: 0, height: HIGH }),
      element("rect", { class: "part", x: left, width: Math.max(right - left, 1), y: 0, height: HIGH }),
    );
  }

  /** The part between two times, in whole steps. */
  whole(began, now) {
    const { from, step } = this;
    const [low, high] = [Math.min(began, now), Math.max(began, now)];
    return [from + Math.floor((low - from) / step) * step, from + Math.ceil((high - from) / step) * step];
  }

  listen() {
    const { svg } = this;
    const timeAt = (event) => {
      const box = svg.getBoundingClientRect();
      const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
      return this.from + share * (this.to - this.from);
    };
    let began = null;
    svg.addEventListener("pointerdown", (event) => {
      began = timeAt(event);
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", (event) => {
      if (began === null) return;
      this.part = this.whole(began, timeAt(event));
      this.showPart();
    });
    svg.addEventListener("pointerup", (event) => {
      if (began === null) return;
      const now = timeAt(event);
      const isDrag = Math.abs(now - began) > (this.to - this.from) / 200;
      this.part = isDrag ? this.whole(began, now) : null;
      began = null;
      this.onPart(this.part);
    });
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -this.step, ArrowRight: this.step }[event.key];
      if (event.key === "Escape") this.onPart(null);
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const [from, to] = this.part ?? [this.to - 10 * this.step, this.to];
      const moved = event.shiftKey ? [from, Math.max(to + step, from + this.step)] : [from + step, to + step];
      if (moved[0] >= this.from && moved[1] <= this.to) this.onPart(moved);
    });
  }
}

/** A band of steps between two heights in cores. */
function bandPath(below, upper, top) {
  const wide = WIDE / below.length;
  const high = (cores) => (HIGH * (1 - cores / top)).toFixed(2);
  const at = (step) => (step * wide).toFixed(2);
  let path = `M0 ${high(below[0])}`;
  upper.forEach((cores, step) => (path += `V${high(cores)}H${at(step + 1)}`));
  for (let step = below.length - 1; step >= 0; step--) path += `V${high(below[step])}H${at(step)}`;
  return `${path}Z`;
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** The next round number that is not smaller. */
function niceAbove(value) {
  if (!(value > 0)) return 1;
  const scale = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * scale).find((step) => step >= value * (1 - 1e-9));
}
