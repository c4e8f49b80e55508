// The page: puts the parts together. Every change of what is looked at goes through `change`.

class Page {
  constructor(data) {
    this.data = data;
    this.names = data.functions.map(([name]) => data.names[name]);
    this.binaries = data.functions.map(([, binary]) => data.names[binary]);
    this.byName = new Map(this.names.map((name, fn) => [name, fn]));
    this.dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    this.state = readState(location.hash, (name) => this.byName.get(name));
    this.parts = Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));
    const view = (upwards) => ({
      upwards,
      colour: (node) => this.colour(node),
      label: (node) => this.label(node),
      onHover: (node) => this.describe(node),
      onSelect: (node) => this.select(node),
      onZoom: () => this.showPath(),
    });
    this.flame = new Flame(this.parts.flame, view(() => this.state.upwards));
    this.callers = new Flame(this.parts.callers, view(() => true));
    this.callees = new Flame(this.parts.callees, view(() => false));
    this.table = new FunctionTable(this.parts.functions, (fn) => this.change({ fn, view: "sandwich" }),
      (sort) => this.change({ sort }));
    this.timeline = new Timeline(this.parts.timeline, (range) => this.change({ range }));
    this.findings = new FindingsPanel(this.parts, data.findings, data.functions.length, (fn) => this.names[fn],
      (finding) => this.change({ finding, search: "" }));
    this.listen();
    this.render();
  }

  /** The recording that is looked at; of two the new one. */
  get recording() {
    return this.data.recordings.at(-1);
  }

  change(part) {
    Object.assign(this.state, part);
    this.remember();
    this.render();
  }

  /** Puts what is looked at into the address. */
  remember() {
    history.replaceState(null, "", `#${writeState(this.state, (fn) => this.names[fn])}`);
  }

  render() {
    const { state, data } = this;
    const { nodes } = data;
    if (state.view === "chart" && state.thread === null) state.thread = this.busiestThread();
    this.weights = data.recordings.map((recording) => {
      const weights = selfWeights(nodes, recording, this.selection(recording));
      applyFilters(nodes, weights, state);
      return { ...weights, total: totalWeights(nodes, weights.own) };
    });
    this.whole = this.weights.map(({ total }) => total[0]);
    this.samples = this.weights.map(effectiveSamples);
    this.byFunction = this.weights.map(({ own, total }) =>
      functionWeights(nodes, data.functions.length, own, total));
    this.changes = this.compared();
    const matches = matcher(state, data.functions, (fn) => this.names[fn]);
    this.parts.search.classList.toggle("wrong", matches === undefined);
    this.matches = state.search === "" ? this.findings.matches(state.finding) : matches ?? null;
    this.showControls();
    this.showTimeline();
    this.showTrees();
    this.showTable();
    this.showFindings();
    this.showPath();
    this.describe(null);
  }

  /** Samples that count: of an older recording all of its time, and all threads that are called as the chosen one. */
  selection(recording) {
    const { thread, range } = this.state;
    const isNewest = recording === this.recording;
    if (thread === null) return { threads: null, range: isNewest ? range : null };
    if (isNewest) return { threads: new Set([thread]), range };
    const name = this.recording.threads[thread]?.name;
    const called = recording.threads.map((other, index) => (other.name === name ? index : -1));
    return { threads: new Set(called.filter((index) => index >= 0)), range: null };
  }

  /** By function how its share changed; `null` of one recording. */
  compared() {
    if (this.weights.length < 2) return null;
    const [old, now] = this.byFunction;
    const share = (index, weight) => (this.whole[index] > 0 ? weight / this.whole[index] : 0);
    const changes = new Map();
    for (let fn = 0; fn < this.names.length; fn++) {
      if (old.total[fn] <= 0 && now.total[fn] <= 0) continue;
      changes.set(fn, changeOfShare(share(0, old.self[fn]), share(1, now.self[fn]), this.samples));
    }
    markSignificant([...changes.values()]);
    return changes;
  }

  busiestThread() {
    const sums = new Float64Array(this.recording.threads.length);
    const { count, thread, weight } = this.recording.samples;
    for (let sample = 0; sample < count; sample++) sums[thread[sample]] += weight[sample];
    return sums.indexOf(sums.reduce((most, sum) => Math.max(most, sum), 0));
  }

  showTrees() {
    const { state, data } = this;
    const tree = new DrawnTree(data.nodes, this.weights, state);
    const below = (node) => tree.children(node);
    for (const name of ["flame", "callers", "callees"]) this[name].matches = this.matches;
    const sandwich = state.view === "sandwich";
    this.parts.flame.hidden = sandwich;
    this.parts.sandwich.hidden = !sandwich;
    if (sandwich) {
      const fn = state.fn ?? this.heaviestFunction();
      this.parts.subject.textContent = fn === null ? "" : this.names[fn];
      if (fn !== null) {
        this.callers.show(tree.up(fn), below);
        this.callees.show(tree.down(fn), below);
      }
    } else if (state.view === "chart") {
      this.flame.show(timeOrder(data.nodes, this.recording, this.selection(this.recording)), (node) => node.children);
    } else {
      this.flame.show(state.inverted ? tree.up() : tree.down(), below);
    }
  }

  heaviestFunction() {
    const { self } = this.byFunction.at(-1);
    let heaviest = null;
    self.forEach((weight, fn) => {
      if (weight > 0 && (heaviest === null || weight > self[heaviest])) heaviest = fn;
    });
    return heaviest;
  }

  showTable() {
    this.table.show({
      functions: this.data.functions,
      weights: this.byFunction.at(-1),
      whole: this.whole.at(-1),
      samples: this.samples.at(-1),
      changes: this.changes,
      matches: this.matches,
      chosen: this.state.fn,
      order: this.state.sort,
      nameOf: (fn) => this.names[fn],
      fileOf: (fn) => fileName(this.binaries[fn]),
      colourOf: (fn) => colourOfBinary(this.binaries[fn], this.dark),
    });
  }

  showFindings() {
    const { state, data } = this;
    const title = data.recordings.length > 1 ? `Findings in ${this.recording.name}` : "Findings";
    this.findings.show(state.findings, state.finding, title);
  }

  showTimeline() {
    this.timeline.range = this.state.range;
    this.timeline.show(this.recording, this.selection(this.recording).threads);
  }

  showControls() {
    const { parts, state, data } = this;
    const compared = data.recordings.length > 1;
    parts.title.textContent = data.recordings.map(({ name }) => name).join(" → ");
    const { samples } = this.recording;
    parts.facts.textContent = `${samples.count.toLocaleString("en")} samples of ${data.event}, ` +
      `${amount(this.whole.at(-1), data.unit)} shown`;
    for (const button of document.querySelectorAll("button[data-view]")) {
      button.setAttribute("aria-pressed", String(button.dataset.view === state.view));
    }
    for (const button of document.querySelectorAll("button[data-switch]")) {
      button.setAttribute("aria-pressed", String(Boolean(state[button.dataset.switch])));
    }
    parts.legend.hidden = !compared;
    if (document.activeElement !== parts.search) parts.search.value = state.search;
    parts.thread.innerHTML = `<option value="">all threads</option>` + this.recording.threads
      .map(({ pid, tid, name }, index) => `<option value="${index}">${escaped(name)} (${pid}/${tid})</option>`).join("");
    parts.thread.value = state.thread === null ? "" : String(state.thread);
    parts.matched.textContent = this.matchedText();
    parts.filters.innerHTML = this.filterTexts().map((text) => `<li>${escaped(text)}</li>`).join("");
  }

  matchedText() {
    const { search, finding, findings } = this.state;
    if (this.matches === null) return search === "" ? "" : "no pattern";
    // An open panel shows which finding is chosen.
    if (search === "") return findings ? "" : `marked: ${finding}`;
    const { total } = this.weights.at(-1);
    const matched = matchedWeight(this.data.nodes, total, this.matches);
    return `matched ${percent(this.whole.at(-1) > 0 ? matched / total[0] : 0)}`;
  }

  filterTexts() {
    const { state } = this;
    const texts = [];
    if (state.focus !== null) texts.push(`only ${this.names[state.focus]}`);
    for (const fn of state.dropped) texts.push(`without ${this.names[fn]}`);
    for (const fn of state.merged) texts.push(`${this.names[fn]} as its caller`);
    const of = this.data.recordings.length > 1 ? ` of ${this.recording.name}` : "";
    if (state.range !== null) texts.push(`${((state.range[1] - state.range[0]) / 1e6).toFixed(2)} s of the time${of}`);
    return texts;
  }

  showPath() {
    const { zoomed } = this.flame;
    const isZoomed = this.state.view !== "sandwich" && zoomed !== null && zoomed.depth > 0;
    const path = isZoomed ? this.flame.path(zoomed).slice(1) : [];
    this.parts.path.innerHTML = path.map(({ fn }) => `<li>${escaped(this.names[fn])}</li>`).join("");
  }

  colour(node) {
    if (node.fn < 0) return this.dark ? "hsl(0 0% 28%)" : "hsl(0 0% 90%)";
    if (node.values.length > 1) return colourOfChange(this.changeOf(node), this.dark);
    return colourOfBinary(this.binaries[node.fn], this.dark);
  }

  changeOf({ values }) {
    const share = (index) => (this.whole[index] > 0 ? values[index] / this.whole[index] : 0);
    return share(1) - share(0);
  }

  label(node) {
    const name = node.fn < 0 ? "all" : this.names[node.fn];
    return node.values.length > 1 ? `${percent(this.changeOf(node), true)} ${name}` : name;
  }

  describe(node) {
    const { parts } = this;
    if (node === null) {
      parts.status.textContent = "Click to select, double-click to zoom, ? for keys";
      return;
    }
    const whole = node.inTime ? widest(this.flame.root) : this.whole.at(-1);
    const weight = widest(node);
    const name = node.fn < 0 ? "all" : `${this.names[node.fn]} in ${this.binaries[node.fn]}`;
    const inlined = node.inlined ? ", inlined" : "";
    const change = node.values.length > 1 ? `, ${percent(this.changeOf(node), true)} of all` : "";
    parts.status.textContent =
      `${percent(whole > 0 ? weight / whole : 0)}  ${amount(weight, this.data.unit)}${change}  ${name}${inlined}`;
  }

  select(node) {
    this.state.fn = node === null || node.fn < 0 ? null : node.fn;
    this.remember();
    this.describe(node);
  }

  toggled(set, fn) {
    const next = new Set(set);
    if (!next.delete(fn)) next.add(fn);
    return next;
  }

  turnFinding(step) {
    const finding = this.findings.next(this.state.finding, step);
    this.change({ finding, search: "", findings: true });
  }

  turnThread(step) {
    const { threads } = this.recording;
    const now = this.state.thread ?? (step > 0 ? -1 : threads.length);
    const next = now + step;
    this.change({ thread: next < 0 || next >= threads.length ? null : next });
  }

  listen() {
    const { parts } = this;
    document.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button === null) return;
      if (button.dataset.view !== undefined) this.change({ view: button.dataset.view });
      if (button.dataset.switch !== undefined) {
        this.change({ [button.dataset.switch]: !this.state[button.dataset.switch] });
      }
      if (button.id === "help-button") parts.help.showModal();
      if (button.id === "findings-close") this.change({ findings: false });
      if (button.id === "reset") this.reset();
    });
    parts.search.addEventListener("input", () => this.change({ search: parts.search.value, finding: null }));
    parts.thread.addEventListener("change", () => {
      this.change({ thread: parts.thread.value === "" ? null : Number(parts.thread.value) });
    });
    window.addEventListener("hashchange", () => {
      this.state = readState(location.hash, (name) => this.byName.get(name));
      this.render();
    });
    window.addEventListener("resize", () => {
      for (const part of [this.flame, this.callers, this.callees, this.timeline]) part.draw();
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  reset() {
    const { view, inverted, upwards, fn, findings } = this.state;
    this.change({ ...initialState(), view, inverted, upwards, fn, findings });
  }

  key(event) {
    const { parts } = this;
    if ((event.ctrlKey || event.metaKey) && event.key === "f" || event.key === "F3") {
      event.preventDefault();
      parts.search.focus();
      parts.search.select();
      return;
    }
    if (event.ctrlKey && event.key === "i") {
      event.preventDefault();
      this.change({ ignoreCase: !this.state.ignoreCase });
      return;
    }
    if (event.target.closest("input, select")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = this.actions()[event.key];
    if (action !== undefined) {
      event.preventDefault();
      action();
    }
  }

  /** What the keys do: those of speedscope and of the Firefox Profiler. */
  actions() {
    const { state, flame, parts } = this;
    const fn = state.fn;
    const ifChosen = (action) => () => fn !== null && action();
    return {
      1: () => this.change({ view: "chart" }),
      2: () => this.change({ view: "flame" }),
      3: () => this.change({ view: "sandwich" }),
      i: () => this.change({ inverted: !state.inverted }),
      u: () => this.change({ upwards: !state.upwards }),
      r: () => this.change({ recursion: !state.recursion }),
      "+": () => flame.scale(0.7),
      "=": () => flame.scale(0.7),
      "-": () => flame.scale(1 / 0.7),
      0: () => flame.zoom(flame.root),
      w: () => flame.pan(0, state.upwards ? 3 : -3),
      s: () => flame.pan(0, state.upwards ? -3 : 3),
      a: () => flame.pan(-0.15, 0),
      d: () => flame.pan(0.15, 0),
      f: ifChosen(() => this.change({ focus: state.focus === fn ? null : fn })),
      m: ifChosen(() => this.change({ merged: this.toggled(state.merged, fn) })),
      D: ifChosen(() => this.change({ dropped: this.toggled(state.dropped, fn) })),
      n: () => this.turnThread(1),
      p: () => this.turnThread(-1),
      t: () => parts.thread.focus(),
      o: () => this.change({ findings: !state.findings }),
      j: () => this.turnFinding(1),
      k: () => this.turnFinding(-1),
      "/": () => parts.search.focus(),
      Escape: () => this.reset(),
      "?": () => parts.help.showModal(),
    };
  }
}

unpack().then(
  (data) => {
    window.page = new Page(data);
    document.body.dataset.ready = "yes";
  },
  (error) => {
    document.getElementById("status").textContent = `This page's data cannot be read: ${error}`;
    document.body.dataset.ready = "failed";
  },
);
