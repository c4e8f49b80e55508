// A drawn tree on a canvas: flame graph or icicle, with zoom, hover and selection.

// A finger needs more room than a mouse.
const ROW = window.matchMedia("(pointer: coarse)").matches ? 26 : 18;
const SMALLEST = 0.6; // Pixels; what is narrower is drawn as one sliver.
const TEXT_GAP = 4; // Pixels beside a frame's text.
const DIMMED = 0.3; // What a search did not find.
const LETTERS_MIN = 24; // Pixels below which a frame has no text.

class Flame {
  /**
   * `view`: {upwards(), colour(node), names(node): forms of its name, each shorter than the one before, chosen(): the function whose frames are all marked, onHover(node),
   * onPoint(event): the pointer has moved, onSelect(node, isStep): by a click, or on the way by arrows, onZoom(node), onMove()}.
   */
  constructor(canvas, view) {
    this.canvas = canvas;
    this.view = view;
    this.context = canvas.getContext("2d");
    this.root = null;
    this.zoomed = null;
    this.selected = null;
    this.hovered = null;
    this.matches = null;
    this.offset = 0;
    this.boxes = [];
    this.letters = new Map();
    this.pending = false;
    this.listen();
  }

  /** Shows a tree; `children(node)` gives what is below a node. */
  show(root, children) {
    this.root = root;
    this.children = children;
    this.hovered = null;
    this.selected = null;
    this.look(null);
  }

  /** Looks at a frame and all below it: the root where it is null. */
  look(node) {
    this.zoomed = node ?? this.root;
    this.range = { start: this.zoomed.start, width: this.zoomed.wide };
    this.offset = 0;
    this.draw();
  }

  /** What is seen of the tree beside the frame that is zoomed into, as shares of all and rows; null where it is just that. */
  get part() {
    const { root, zoomed, range, offset } = this;
    if (root === null || (range.start === zoomed.start && range.width === zoomed.wide && offset === 0)) return null;
    const whole = root.wide || 1;
    return [(range.start - root.start) / whole, range.width / whole, Math.round(offset / ROW)];
  }

  lookAt([start, width, rows]) {
    const whole = this.root.wide;
    const wide = Math.min(Math.max(width * whole, whole / 1e7), whole);
    this.range = { start: this.root.start + Math.min(Math.max(start * whole, 0), whole - wide), width: wide };
    this.offset = Math.max(0, rows * ROW);
    this.draw();
  }

  /** The frames on the way from the root to a node. */
  path(node) {
    const path = [];
    for (let frame = node; frame !== null; frame = frame.parent) path.unshift(frame);
    return path;
  }

  zoom(node) {
    this.look(node);
    this.view.onZoom(node);
  }

  /** Zooms by a factor about a place, 0 to 1 of the width. */
  scale(factor, about = 0.5) {
    const whole = this.root.wide;
    const width = Math.min(Math.max(this.range.width * factor, whole / 1e7), whole);
    const start = this.range.start + (this.range.width - width) * about;
    this.range = { start: Math.min(Math.max(start, this.root.start), this.root.start + whole - width), width };
    this.draw();
    this.view.onMove();
  }

  /** Moves sideways by a share of the width, and by rows. */
  pan(share, rows) {
    const whole = this.root.wide;
    const start = this.range.start + share * this.range.width;
    const last = this.root.start + whole - this.range.width;
    this.range = { ...this.range, start: Math.min(Math.max(start, this.root.start), last) };
    this.offset = Math.max(0, this.offset + rows * ROW);
    this.draw();
    this.view.onMove();
  }

  /** Chooses a frame, and scrolls until its row can be seen. */
  select(node, isStep) {
    this.selected = node;
    if (node !== null) {
      const row = node.depth * ROW;
      const last = this.canvas.clientHeight - ROW;
      this.offset = Math.max(Math.min(this.offset, row), row - last, 0);
    }
    this.draw();
    this.view.onSelect(node, isStep);
  }

  /** Moves the choice by one frame: to the caller's side, the heaviest on the callee's, or sideways in its row. */
  step(key) {
    this.paint();
    const now = this.selected ?? this.zoomed;
    if (this.selected === null) return this.select(now, false);
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const row = this.boxes.filter(({ node }) => node.depth === now.depth).sort((a, b) => a.left - b.left);
      const at = row.findIndex(({ node }) => node === now);
      const next = row[at + (key === "ArrowRight" ? 1 : -1)];
      return next === undefined || at < 0 ? undefined : this.select(next.node, false);
    }
    const inwards = (key === "ArrowUp") === this.view.upwards();
    const next = inwards ? this.children(now).find((child) => this.isSeen(child)) : now.parent;
    return next ? this.select(next, false) : undefined;
  }

  isSeen(node) {
    const left = this.left(node);
    return this.isWide(node) && left < this.canvas.clientWidth && left + node.wide * this.pixels > 0;
  }

  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.paint();
    });
  }

  paint() {
    const { canvas, context } = this;
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = getComputedStyle(canvas).font;
    context.textBaseline = "middle";
    this.style = getComputedStyle(canvas);
    this.boxes = [];
    if (this.root === null || this.root.wide <= 0) return;
    const upwards = this.view.upwards();
    const boxes = this.layout(width, Math.ceil((height + this.offset) / ROW));
    for (const box of boxes) {
      const row = box.node.depth * ROW - this.offset;
      box.top = upwards ? height - ROW - row : row;
    }
    this.boxes = boxes.filter(({ top }) => top >= -ROW && top <= height);
    for (const box of this.boxes) this.paintBox(box);
    this.canvas.dataset.frames = this.boxes.length;
  }

  /** Frames that can be seen in so wide a graph, from the root on, at most so many rows: [{node, left, right}]. */
  layout(width, rows) {
    this.pixels = width / this.range.width;
    const boxes = [];
    let level = [this.root];
    for (let row = 0; row < rows && level.length > 0; row++) {
      const next = [];
      for (const node of level) {
        const left = Math.max(this.left(node), 0);
        const right = Math.min(this.left(node) + Math.max(node.wide * this.pixels, SMALLEST), width);
        if (right > left) boxes.push({ node, left, right });
        if (this.isWide(node)) for (const child of this.visible(node, width)) next.push(child);
      }
      level = next;
    }
    return boxes;
  }

  left(node) {
    return (node.start - this.range.start) * this.pixels;
  }

  isWide(node) {
    return node.wide * this.pixels >= SMALLEST;
  }

  /** Children that can be seen: on the canvas, and wide enough. */
  *visible(node, width) {
    const children = this.children(node);
    if (node.inTime) {
      yield* this.visibleInTime(children, width);
      return;
    }
    for (const child of children) {
      // Heaviest first: all that follow are as narrow.
      if (!this.isWide(child)) return;
      const left = this.left(child);
      if (left > width) return;
      if (left + child.wide * this.pixels > 0) yield child;
    }
  }

  /** In order of time many narrow ones may follow each other: one stands for all of a pixel. */
  *visibleInTime(children, width) {
    let at = lowerBound(children, this.range.start);
    while (at < children.length) {
      const child = children[at];
      const left = this.left(child);
      if (left > width) return;
      yield child;
      const end = left + Math.max(child.wide * this.pixels, SMALLEST);
      at = Math.max(at + 1, lowerBound(children, this.range.start + end / this.pixels));
    }
  }

  /** True for a frame that is searched for. */
  isFound(node) {
    return this.matches !== null && node.fn >= 0 && this.matches[node.fn] === 1;
  }

  paintBox({ node, left, right, top }) {
    const { context } = this;
    const found = this.isFound(node);
    context.fillStyle = found ? this.style.getPropertyValue("--found") : this.view.colour(node);
    // What is searched for must stand out among colours of any kind.
    context.globalAlpha = this.matches === null || found ? 1 : DIMMED;
    const gap = right - left > 3 ? 1 : 0;
    context.fillRect(left, top, right - left - gap, ROW - 1);
    context.globalAlpha = 1;
    if (node.inlined && right - left > 6) this.border(left, top, right - left - gap, "--inlined");
    if (node === this.hovered) this.border(left, top, right - left - gap, "--hovered");
    if (node.fn >= 0 && node.fn === this.view.chosen()) this.border(left, top, right - left - gap, "--selected");
    if (node === this.selected) this.border(left, top, right - left - gap, "--selected", 3);
    const text = this.textIn({ node, left, right });
    if (text === "") return;
    context.fillStyle = this.style.color;
    context.fillText(text, left + TEXT_GAP, top + ROW / 2);
  }

  border(left, top, width, colour, thick = 1) {
    this.context.strokeStyle = this.style.getPropertyValue(colour);
    this.context.lineWidth = thick;
    this.context.strokeRect(left + thick / 2, top + thick / 2, width - thick, ROW - 1 - thick);
  }

  /** The longest name that fits into a frame; where none does, the begin of the shortest. */
  textIn({ node, left, right }) {
    const room = right - left - 2 * TEXT_GAP;
    if (right - left < LETTERS_MIN) return "";
    const names = this.view.names(node);
    return names.find((name) => this.widthOf(name) <= room) ?? this.cut(names.at(-1), room);
  }

  /** The begin of a text that fits with its mark, if that is more than a letter or two. */
  cut(text, room) {
    const rest = room - this.widthOf("…");
    let width = 0;
    let end = 0;
    while (end < text.length && (width += this.widthOf(text[end])) <= rest) end++;
    return end < 3 ? "" : `${text.slice(0, end)}…`;
  }

  /** Width of a text in pixels: the sum of its letters, each measured once. */
  widthOf(text) {
    let width = 0;
    for (const letter of text) {
      let own = this.letters.get(letter);
      if (own === undefined) this.letters.set(letter, (own = this.context.measureText(letter).width));
      width += own;
    }
    return width;
  }

  at(x, y) {
    for (let index = this.boxes.length - 1; index >= 0; index--) {
      const box = this.boxes[index];
      if (x >= box.left && x < box.right && y >= box.top && y < box.top + ROW) return box.node;
    }
    return null;
  }

  listen() {
    const { canvas } = this;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    let dragged = null;
    canvas.addEventListener("pointerdown", (event) => {
      dragged = { x: event.clientX, y: event.clientY, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (dragged !== null && event.buttons === 1) {
        const dx = event.clientX - dragged.x;
        const dy = event.clientY - dragged.y;
        if (!dragged.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
        this.pan(-dx / canvas.clientWidth, (this.view.upwards() ? dy : -dy) / ROW);
        dragged = { x: event.clientX, y: event.clientY, moved: true };
        return;
      }
      const node = this.at(...place(event));
      if (node !== this.hovered) {
        this.hovered = node;
        this.view.onHover(node);
        this.draw();
      }
      this.view.onPoint(event);
    });
    canvas.addEventListener("pointerup", (event) => {
      const moved = dragged?.moved;
      dragged = null;
      if (moved) return;
      this.select(this.at(...place(event)), true);
    });
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || this.root === null) return;
      const isArrow = event.key.startsWith("Arrow");
      if (isArrow) this.step(event.key);
      else if (event.key === "Enter" && this.selected !== null) this.zoom(this.selected);
      else if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
    });
    canvas.addEventListener("pointerleave", () => {
      this.hovered = null;
      this.view.onHover(null);
      this.draw();
    });
    canvas.addEventListener("dblclick", (event) => {
      const node = this.at(...place(event));
      if (node !== null) this.zoom(node);
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) {
        const [x] = place(event);
        this.scale(Math.exp(event.deltaY / 300), x / canvas.clientWidth);
      } else {
        const rows = event.deltaY / ROW;
        this.pan(event.deltaX / canvas.clientWidth, this.view.upwards() ? -rows : rows);
      }
    }, { passive: false });
  }
}

/** The first child that ends after a place. */
function lowerBound(children, place) {
  let low = 0;
  let high = children.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (children[middle].start + children[middle].wide <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
