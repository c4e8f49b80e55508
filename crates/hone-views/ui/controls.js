// Buttons and keys: what each does to the page.

class Controls {
  constructor(page) {
    this.page = page;
    this.parts = page.parts;
    document.addEventListener("click", (event) => this.click(event));
    document.addEventListener("keydown", (event) => this.key(event));
    const { search, thread } = this.parts;
    search.addEventListener("input", () => page.change({ search: search.value, finding: null }, "search"));
    search.addEventListener("change", () => page.steps.end());
    thread.addEventListener("change", () => {
      page.change({ thread: thread.value === "" ? null : Number(thread.value), ...unmoved() });
    });
    const graphs = GRAPHS.map((name) => page[name]);
    // At once, or what was drawn for another size is stretched for a frame.
    const watch = new ResizeObserver(() => {
      for (const graph of graphs) if (graph.canvas.clientWidth > 0) graph.paint();
      if (page.timeline.canvas.clientWidth > 0) page.timeline.draw();
    });
    for (const { canvas } of [...graphs, page.timeline]) watch.observe(canvas);
  }

  click(event) {
    const { page, parts } = this;
    const button = event.target.closest("button");
    if (button === null) return;
    const { view, action, filter, side } = button.dataset;
    if (view !== undefined) this.view(view);
    if (button.dataset.switch !== undefined) this.turn(button.dataset.switch);
    if (action !== undefined) this.act(action);
    if (side !== undefined) page.change({ side });
    if (filter !== undefined) page.change(page.withoutFilter[Number(filter)]);
    if (button.id === "help-button") parts.help.showModal();
    if (button.id === "code-button") this.act("code");
    if (button.id === "menu-button") this.menu(!parts.menu.classList.contains("open"));
    else if (parts.menu.contains(button)) this.menu(false);
    if (button.id === "reset") this.reset();
  }

  view(view) {
    const { page } = this;
    const isOther = view !== page.state.view || (view === "sandwich" && page.state.of !== null);
    if (isOther) page.change({ view, of: null, ...unmoved() });
  }

  turn(name) {
    const change = { [name]: !this.page.state[name] };
    // In another tree the way to a frame is another.
    const isTree = name === "inverted" || name === "recursion";
    this.page.change(isTree ? { ...change, ...unmoved() } : change);
  }

  menu(isOpen) {
    const { parts } = this;
    parts.menu.classList.toggle("open", isOpen);
    parts["menu-button"].setAttribute("aria-expanded", String(isOpen));
    this.page.showLayers();
  }

  /** Does something with the selected function. */
  act(action) {
    const { page } = this;
    const { state } = page;
    const { fn } = state;
    if (action === "code") return page.change({ code: state.code === null ? page.code.lastMode : null });
    if (fn === null) return page.announce("No function is selected.");
    const actions = {
      copy: () => this.copy(),
      sandwich: () => this.view("sandwich"),
      focus: () => page.change({ focus: state.focus === fn ? null : fn }),
      drop: () => page.change({ dropped: toggled(state.dropped, fn) }),
      merge: () => page.change({ merged: toggled(state.merged, fn) }),
    };
    return actions[action]();
  }

  /** The whole name of the selected function to the clipboard. */
  async copy() {
    const { page } = this;
    const name = page.names[page.state.fn];
    let isDone = true;
    try {
      await navigator.clipboard.writeText(name);
    } catch {
      isDone = copyByHand(name);
    }
    const text = isDone ? `Copied: ${name}` : `The browser does not let the page copy: ${name}`;
    page.parts.status.textContent = text;
    page.announce(text);
  }

  /** Closes what was opened last; where nothing is open, shows all again. */
  escape() {
    const { page, parts } = this;
    const actions = {
      menu: () => {
        this.menu(false);
        parts["menu-button"].focus();
      },
      code: () => page.change({ code: null }),
      search: () => page.change({ search: "" }),
      finding: () => page.change({ finding: null }),
      zoom: () => page.change(unmoved()),
    };
    (actions[page.layers.last] ?? (() => this.reset()))();
  }

  reset() {
    const { view, inverted, upwards, fn, side, sort, code } = this.page.state;
    this.page.change({ ...initialState(), view, inverted, upwards, fn, side, sort, code });
  }

  key(event) {
    const { page, parts } = this;
    const isCtrl = event.ctrlKey || event.metaKey;
    if (parts.help.open) return;
    if (isCtrl && event.key === "f" || event.key === "F3") {
      event.preventDefault();
      parts.search.focus();
      parts.search.select();
      return;
    }
    if (event.ctrlKey && event.key === "i") {
      event.preventDefault();
      page.change({ ignoreCase: !page.state.ignoreCase });
      return;
    }
    if (event.target.closest("input, select")) {
      if (event.key !== "Escape") return;
      event.target.blur();
      if (event.target !== parts.search) return;
    }
    if (isCtrl && event.key === "c" && page.state.fn !== null && String(window.getSelection()) === "") {
      event.preventDefault();
      this.copy();
      return;
    }
    if (isCtrl || event.altKey) return;
    const action = this.actions()[event.key];
    if (action !== undefined) {
      event.preventDefault();
      action();
    }
  }

  turnFinding(step) {
    const finding = this.page.findings.next(this.page.state.finding, step);
    this.page.change({ finding, search: "", side: "findings" });
  }

  turnThread(step) {
    const { threads } = this.page.recording;
    const now = this.page.state.thread ?? (step > 0 ? -1 : threads.length);
    const next = now + step;
    this.page.change({ thread: next < 0 || next >= threads.length ? null : next, ...unmoved() });
  }

  /** What the keys do: those of speedscope and of the Firefox Profiler, and more. */
  actions() {
    const { page, parts } = this;
    const { state } = page;
    const { flame } = page;
    return {
      1: () => this.view("chart"),
      2: () => this.view("flame"),
      3: () => this.view("sandwich"),
      i: () => this.turn("inverted"),
      u: () => this.turn("upwards"),
      r: () => this.turn("recursion"),
      "+": () => flame.scale(0.7),
      "=": () => flame.scale(0.7),
      "-": () => flame.scale(1 / 0.7),
      0: () => flame.zoom(flame.root),
      w: () => flame.pan(0, state.upwards ? 3 : -3),
      s: () => flame.pan(0, state.upwards ? -3 : 3),
      a: () => flame.pan(-0.15, 0),
      d: () => flame.pan(0.15, 0),
      c: () => this.act("code"),
      x: () => page.change({ code: state.code === "source" ? "assembly" : "source" }),
      y: () => this.act("copy"),
      f: () => this.act("focus"),
      m: () => this.act("merge"),
      D: () => this.act("drop"),
      n: () => this.turnThread(1),
      p: () => this.turnThread(-1),
      t: () => parts.thread.focus(),
      l: () => page.change({ side: "functions" }),
      o: () => page.change({ side: "findings" }),
      e: () => page.change({ side: "details" }),
      j: () => this.turnFinding(1),
      k: () => this.turnFinding(-1),
      "/": () => parts.search.focus(),
      Escape: () => this.escape(),
      "?": () => parts.help.showModal(),
    };
  }
}

/** For browsers that have no clipboard for pages from files. */
function copyByHand(text) {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  return isDone;
}
