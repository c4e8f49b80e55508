// Buttons and keys: what each does to the page.

class Controls {
  constructor(page) {
    this.page = page;
    this.parts = page.parts;
    document.addEventListener("click", (event) => this.click(event));
    document.addEventListener("keydown", (event) => this.key(event));
    const { search, thread, by, colours, widths, now, old } = this.parts;
    search.addEventListener("input", () => page.change({ search: search.value, finding: null }, "search"));
    search.addEventListener("change", () => page.steps.end());
    thread.addEventListener("change", () => {
      page.change({ thread: thread.value === "" ? null : Number(thread.value), process: null, ...unmoved() });
    });
    by.addEventListener("change", () => page.change({ by: by.value || null, ...unmoved() }));
    colours.addEventListener("change", () => page.change({ colours: colours.value }));
    widths.addEventListener("change", () => page.change({ widths: widths.value, ...unmoved() }));
    const others = { base: null, range: null, thread: null, process: null };
    now.addEventListener("change", () => page.change({ now: Number(now.value), ...others, ...unmoved() }));
    old.addEventListener("change", () => page.change({ old: Number(old.value), ...others, ...unmoved() }));
    // A file is there already.
    this.parts["save-page"].hidden = location.protocol === "file:";
    const graphs = GRAPHS.map((name) => page[name]);
    // At once, or what was drawn for another size is stretched for a frame.
    const watch = new ResizeObserver(() => {
      for (const graph of graphs) if (graph.canvas.clientWidth > 0) graph.paint();
      if (page.timeline.canvas.clientWidth > 0) page.timeline.draw();
      page.tracks.draw();
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
    if (filter !== undefined) page.change(page.header.withoutFilter[Number(filter)]);
    if (button.dataset.part !== undefined) this.comparePart();
    if (button.dataset.save !== undefined) this.save(button.dataset.save);
    if (button.id === "open-button") parts.files.click();
    if (button.id === "tracks-button") this.tracks();
    if (button.id === "help-button") parts.help.showModal();
    if (button.id === "code-button") this.act("code");
    if (button.id === "reset") this.reset();
    for (const name of ["options", "menu"]) {
      if (button.id === `${name}-button`) return this.panel(name, !parts[name].classList.contains("open"));
      if (parts[name].contains(button)) this.panel(name, false);
    }
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

  /** Opens or closes the menu of small screens, or the options. */
  panel(name, isOpen) {
    const { parts } = this;
    parts[name].classList.toggle("open", isOpen);
    parts[`${name}-button`].setAttribute("aria-expanded", String(isOpen));
    this.page.showLayers();
  }

  /** Opens the tracks of processes and threads, or closes them. */
  tracks() {
    const { page, parts } = this;
    if (!parts["tracks-button"].hidden) page.change({ tracks: parts.tracks.hidden });
  }

  /** Makes the part of the time that is looked at the one that others are compared with; of two, swaps them. */
  comparePart() {
    const { page } = this;
    const { range, base } = page.state;
    if (range === null && base === null) return page.announce("No part of the time is chosen: drag over the strip of time first.");
    page.change({ base: range, range: base, ...unmoved() });
    return base === null ? page.announce("Drag over the part that is to be compared with it.") : undefined;
  }

  /** A picture of the graph as "svg" or "png", or the "page". */
  async save(kind) {
    const { page } = this;
    const { title } = page.header;
    if (kind === "page") return save(await (await fetch(location.href)).blob(), `${title}.html`);
    const graph = page.state.view === "sandwich" ? page.callees : page.flame;
    const svg = pictureOf(graph, `${title}, ${page.parts.facts.textContent}`, (node) => page.words(node));
    return save(kind === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await pngOf(svg), `${title}.${kind}`);
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
      library: () => page.change({ libraries: toggled(state.libraries, page.binaries[fn]), fn: null, of: null, ...unmoved() }),
    };
    return actions[action]();
  }

  /** The whole name of the selected function to the clipboard. */
  async copy() {
    const { page } = this;
    const name = page.names[page.state.fn];
    const text = await copied(name) ? `Copied: ${name}` : `The browser does not let the page copy: ${name}`;
    page.parts.status.textContent = text;
    page.announce(text);
  }

  /** Closes what was opened last; where nothing is open, shows all again. */
  escape() {
    const { page, parts } = this;
    const close = (name) => {
      this.panel(name, false);
      parts[`${name}-button`].focus();
    };
    const actions = {
      menu: () => close("menu"),
      options: () => close("options"),
      code: () => page.change({ code: null }),
      search: () => page.change({ search: "" }),
      finding: () => page.change({ finding: null }),
      zoom: () => page.change(unmoved()),
    };
    (actions[page.layers.last] ?? (() => this.reset()))();
  }

  reset() {
    const { view, inverted, upwards, fn, side, sort, code, now, old, colours, widths, tracks } = this.page.state;
    this.page.change({ ...initialState(), view, inverted, upwards, fn, side, sort, code, now, old, colours, widths, tracks });
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
    this.page.change({ thread: next < 0 || next >= threads.length ? null : next, process: null, ...unmoved() });
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
      x: () => page.change({ code: page.code.next(state.code) }),
      y: () => this.act("copy"),
      f: () => this.act("focus"),
      m: () => this.act("merge"),
      D: () => this.act("drop"),
      b: () => this.act("library"),
      g: () => page.change({ by: page.model.groupings[page.model.groupings.indexOf(state.by) + 1] ?? null, ...unmoved() }),
      h: () => page.change({ colours: state.colours === "self" ? "library" : "self" }),
      v: () => this.comparePart(),
      T: () => this.tracks(),
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
