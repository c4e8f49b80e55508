// A drawn tree on a canvas: flame graph or icicle, with zoom, hover and selection.

const ROW = 18;
const SMALLEST = 0.6; // Pixels; what is narrower is drawn as one sliver.
const LETTERS_MIN = 24; // Pixels below which a frame has no text.

class Flame {
  /** `view`: {upwards(), colour(node), label(node), onHover(node), onSelect(node), onZoom()}. */
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
    this.pending = false;
    this.listen();
  }

  /** Shows a tree; `children(node)` gives what is below a node. */
  show(root, children) {
    this.root = root;
    this.children = children;
    this.zoomed = root;
    this.range = { start: root.start, width: widest(root) };
    this.offset = 0;
    this.hovered = null;
    this.draw();
  }

  /** The frames on the way from the root to a node. */
  path(node) {
    const path = [];
    for (let frame = node; frame !== null; frame = frame.parent) path.unshift(frame);
    return path;
  }

  zoom(node) {
    this.zoomed = node;
    this.range = { start: node.start, width: widest(node) };
    this.draw();
    this.view.onZoom();
  }

  /** Zooms by a factor about a place, 0 to 1 of the width. */
  scale(factor, about = 0.5) {
    const whole = widest(this.root);
    const width = Math.min(Math.max(this.range.width * factor, whole / 1e7), whole);
    const start = this.range.start + (this.range.width - width) * about;
    this.range = { start: Math.min(Math.max(start, this.root.start), this.root.start + whole - width), width };
    this.draw();
  }

  /** Moves sideways by a share of the width, and by rows. */
  pan(share, rows) {
    const whole = widest(this.root);
    const start = this.range.start + share * this.range.width;
    const last = this.root.start + whole - this.range.width;
    this.range = { ...this.range, start: Math.min(Math.max(start, this.root.start), last) };
    this.offset = Math.max(0, this.offset + rows * ROW);
    this.draw();
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
    if (this.root === null || widest(this.root) <= 0) return;
    this.pixels = width / this.range.width;
    const rows = Math.ceil((height + this.offset) / ROW);
    let level = [this.root];
    for (let row = 0; row < rows && level.length > 0; row++) {
      const next = [];
      for (const node of level) this.paintNode(node, width, height);
      for (const node of level) {
        if (this.isWide(node)) for (const child of this.visible(node, width)) next.push(child);
      }
      level = next;
    }
    this.canvas.dataset.frames = this.boxes.length;
  }

  left(node) {
    return (node.start - this.range.start) * this.pixels;
  }

  isWide(node) {
    return widest(node) * this.pixels >= SMALLEST;
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
      if (left + widest(child) * this.pixels > 0) yield child;
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
      const end = left + Math.max(widest(child) * this.pixels, SMALLEST);
      at = Math.max(at + 1, lowerBound(children, this.range.start + end / this.pixels));
    }
  }

  paintNode(node, width, height) {
    const left = Math.max(this.left(node), 0);
    const right = Math.min(this.left(node) + Math.max(widest(node) * this.pixels, SMALLEST), width);
    const row = node.depth * ROW - this.offset;
    const top = this.view.upwards() ? height - ROW - row : row;
    if (top < -ROW || top > height || right <= left) return;
    const { context } = this;
    const found = this.matches !== null && node.fn >= 0 && this.matches[node.fn];
    context.fillStyle = found ? this.style.getPropertyValue("--found") : this.view.colour(node);
    const gap = right - left > 3 ? 1 : 0;
    context.fillRect(left, top, right - left - gap, ROW - 1);
    if (node.inlined && right - left > 6) this.border(left, top, right - left - gap, "--inlined");
    if (node === this.hovered || node === this.selected) {
      this.border(left, top, right - left - gap, node === this.selected ? "--selected" : "--hovered");
    }
    this.boxes.push({ node, left, right, top });
    if (right - left >= LETTERS_MIN) this.paintText(this.view.label(node), left + 4, top + ROW / 2, right - left - 8);
  }

  border(left, top, width, colour) {
    this.context.strokeStyle = this.style.getPropertyValue(colour);
    this.context.strokeRect(left + 0.5, top + 0.5, width - 1, ROW - 2);
  }

  paintText(text, left, middle, room) {
    const { context } = this;
    context.fillStyle = this.style.color;
    this.letter ??= context.measureText("m").width * 0.85;
    const letters = Math.floor(room / this.letter);
    if (letters < 3) return;
    const shown = text.length <= letters ? text : `${text.slice(0, letters - 1)}…`;
    context.fillText(shown, left, middle);
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
    });
    canvas.addEventListener("pointerup", (event) => {
      const moved = dragged?.moved;
      dragged = null;
      if (moved) return;
      this.selected = this.at(...place(event));
      this.view.onSelect(this.selected);
      this.draw();
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
    if (children[middle].start + children[middle].values[0] <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
