// The page: puts the parts together. Every change of what is looked at goes through `change`.

class Page {
  constructor(model) {
    this.model = model;
    this.figures = new Figures(model);
    this.parts = Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));
    this.steps = new Steps((name) => model.functionOf(name), (fn) => model.addressName(fn), (state) => this.render(state));
    this.layers = new Layers();
    this.header = new Header(this);
    this.flame = this.graph("flame", () => this.state.upwards);
    this.callers = this.graph("callers", () => true);
    this.callees = this.graph("callees", () => false);
    this.table = new FunctionTable(this.parts.functions, (fn) => this.change({ fn, of: null, view: "sandwich", ...unmoved() }),
      (sort) => this.change({ sort }));
    this.timeline = new Timeline(this.parts.timeline, (range, kind) => this.change({ range }, kind));
    this.tracks = new Tracks(this.parts.tracks, {
      onPart: (range, kind, chosen) => this.change({ range, ...chosen, ...unmoved() }, kind),
      onChoose: (chosen) => this.change({ ...this.unlessChosen(chosen), ...unmoved() }),
    });
    this.code = new CodePane(this.parts, (code) => this.change({ code }), (fn) => this.change({ fn }));
    this.findings = new FindingsPanel(this.parts, model.findings, this.names.length, (fn) => this.names[fn],
      (finding) => this.change({ finding, search: "" }));
    this.details = new DetailsPanel(this.parts, {
      onChoose: (fn) => this.change({ fn }),
      onFinding: (finding) => this.change({ finding, search: "", side: "findings" }),
      onLine: () => this.change({ code: "source" }),
      onCallers: () => window.parent.postMessage({ callersOf: this.names[this.state.fn] }, location.origin),
    });
    this.paper = window.matchMedia("(prefers-color-scheme: dark)");
    this.paper.addEventListener("change", () => this.render(this.state));
    new Controls(this);
    this.opener = new Opener(this);
    this.render(this.steps.state);
  }

  graph(name, upwards) {
    const markOf = (fn) => this.model.marks[fn];
    const graph = new Flame(this.parts[name], {
      upwards,
      colour: (node) => this.colour(node),
      names: (node) => this.namesOf(node),
      chosen: () => (this.state.view === "sandwich" ? null : this.state.fn),
      onHover: (node) => this.hover(node),
      onPoint: (event) => this.moveTip(event),
      onSelect: (node, isStep) => {
        // The graph may have moved, for the frame to be seen.
        this.state.part = { ...this.state.part, [name]: graph.part };
        this.select(node, isStep);
      },
      onZoom: (node) => this.moved(name, { zoom: wayTo(node, markOf), part: null }, null),
      onMove: () => this.moved(name, { part: graph.part }, `move ${name}`),
    });
    return graph;
  }

  get names() {
    return this.model.names;
  }

  get binaries() {
    return this.model.binaries;
  }

  /** The recording that is looked at; of two the new one. */
  get recording() {
    return this.figures.recording;
  }

  /** True in the hub's page, which shows views in a frame. */
  get isServed() {
    return location.protocol === "blob:" && window.parent !== window;
  }

  get isCompared() {
    return this.figures.isCompared;
  }

  get dark() {
    return this.paper.matches;
  }

  /** A process or thread as it was chosen; none where it is chosen already. */
  unlessChosen({ process, thread }) {
    const { state } = this;
    const isChosen = thread === null ? state.process === process && state.thread === null : state.thread === thread;
    if (!isChosen) return { process, thread };
    return { process: thread === null ? null : state.process, thread: null };
  }

  /** Changes what is looked at. Changes of one kind that follow each other, as letters of a search, are one step back. */
  change(part, kind = null) {
    Object.assign(this.state, part);
    this.steps.remember(kind);
    this.render(this.state);
  }

  /** A graph was zoomed or moved: no figure changes. */
  moved(name, { zoom = this.state.zoom[name], part }, kind) {
    this.state.zoom = { ...this.state.zoom, [name]: zoom };
    this.state.part = { ...this.state.part, [name]: part };
    this.steps.remember(kind);
    if (kind === null) this.showPath();
    this.showLayers();
  }

  render(state) {
    this.state = state;
    // The address may be of a page whose recording has labels.
    if (!this.model.groupings.includes(state.by)) state.by = null;
    this.figures.choose(state);
    // Sums have no order of time.
    if (state.view === "chart" && this.recording.step > 0) {
      state.view = "flame";
      this.figures.choose(state);
    }
    if (this.places === undefined) this.chooseColours();
    const matches = matcher(state, this.names);
    this.parts.search.classList.toggle("wrong", matches === undefined);
    this.matches = state.search === "" ? this.findings.matches(state.finding) : matches ?? null;
    this.header.show();
    this.showTime();
    this.showCode();
    this.showTrees();
    this.showTable();
    this.showSide();
    this.showPath();
    this.showLayers();
    this.describe(null);
  }

  /** Of all that there is when the page is opened: a filter changes no colour. */
  chooseColours() {
    const weights = new Map();
    const { self } = this.figures.byFunction.at(-1);
    this.binaries.forEach((binary, fn) => weights.set(binary, (weights.get(binary) ?? 0) + self[fn]));
    this.places = placesOfBinaries(weights);
    this.legend = legendOf(weights, this.places);
  }

  /** The strips of time; those that there are where nothing of them changed, as while one searches. */
  showTime() {
    const { parts, state, recording } = this;
    const { range, base } = state;
    const key = JSON.stringify([this.figures.sides, base, this.figures.thread, state.thread, state.process, state.tracks, this.dark]);
    if (key === this.timed) return;
    this.timed = key;
    const isThere = recording.duration > 0;
    const count = trackCount(recording);
    // Sums of a hub have neither processes nor threads.
    const hasTracks = isThere && count > 1 && recording.threads.some(({ name }) => name !== "");
    const isOpen = hasTracks && (state.tracks ?? count <= FEW_TRACKS);
    parts.time.hidden = !isThere;
    parts.time.classList.toggle("open", isOpen);
    parts.tracks.hidden = !isOpen;
    parts["tracks-button"].hidden = !hasTracks;
    parts["tracks-button"].setAttribute("aria-expanded", String(isOpen));
    parts["tracks-button"].innerHTML = `All <small>${count} ${recording.processes.size > 1 ? "processes" : "threads"}</small>`;
    const { threads } = this.figures.selection({ place: this.figures.sides.at(-1).place, range });
    const of = { recording, range, base, isTime: recording.unit === "ns" };
    this.timeline.show({ ...of, threads: isOpen ? null : threads, top: null });
    if (isOpen) this.tracks.show({ ...of, process: state.process, thread: state.thread });
  }

  showTrees() {
    const { state, parts, figures } = this;
    const { nodes } = figures.seen;
    const sandwich = state.view === "sandwich";
    for (const name of GRAPHS) this[name].matches = this.matches;
    parts["graph-empty"].hidden = this.widest > 0;
    parts.flame.hidden = sandwich;
    parts.sandwich.hidden = !sandwich;
    const fn = sandwich ? this.subject : null;
    if (sandwich) parts.subject.textContent = fn === null ? "" : this.names[fn];
    const key = JSON.stringify([figures.key, state.view, state.inverted, state.recursion, state.widths, [...state.merged], fn]);
    if (key !== this.drawn) {
      this.drawn = key;
      const tree = this.tree(figures.weights);
      const below = (node) => tree.children(node);
      if (state.view === "chart") {
        const inTime = timeOrder(nodes, figures.seenRecording, figures.selection(figures.sides.at(-1)), tree.options.whole);
        this.flame.show(inTime, (node) => node.children);
      } else if (!sandwich) {
        this.flame.show(state.inverted ? tree.up() : tree.down(), below);
      } else if (fn !== null) {
        this.callers.show(tree.up(fn), below);
        this.callees.show(tree.down(fn), below);
      }
    }
    for (const name of sandwich ? ["callers", "callees"] : ["flame"]) this.lookAs(name);
    this.describeGraphs();
  }

  /** The weight of all that is chosen, on the side that gives frames their widths. */
  get widest() {
    const { whole } = this.figures;
    return { old: whole[0], new: whole.at(-1), both: sumOf(whole) }[this.state.widths];
  }

  /** A tree of these weights, as the state says. */
  tree(weights, options = {}) {
    const { recursion, merged, libraries, widths } = this.state;
    const whole = new Set([...libraries].map((binary) => this.model.libraries.get(binary)));
    return new DrawnTree(this.figures.seen.nodes, weights, { recursion, merged, whole, widths, ...options });
  }

  /** Zooms and moves a graph as the state says. */
  lookAs(name) {
    const graph = this[name];
    if (graph.root === null) return;
    const way = this.state.zoom[name];
    const part = this.state.part[name];
    const markOf = (fn) => this.model.marks[fn];
    const isThere = wayTo(graph.zoomed, markOf) === way && JSON.stringify(graph.part) === JSON.stringify(part);
    if (!isThere) {
      graph.look(atWay(graph.root, way, markOf, graph.children));
      if (part !== null) graph.lookAt(part);
    }
    graph.draw();
  }

  describeGraphs() {
    const views = { chart: "Time order of one thread", flame: "Flame graph", sandwich: "Sandwich" };
    this.parts.flame.setAttribute("aria-label", `${views[this.state.view]}, ${this.amount(this.figures.whole.at(-1))}`);
    const subject = this.subject === null ? "" : this.names[this.subject];
    this.parts.callers.setAttribute("aria-label", `Callers of ${subject}`);
    this.parts.callees.setAttribute("aria-label", `What ${subject} calls`);
  }

  /** A weight of the recording that is looked at, in words. */
  amount(weight) {
    return amount(weight, this.recording.unit);
  }

  /** The function that the sandwich is of: the selected one, until another is selected in the sandwich. */
  get subject() {
    return this.state.of ?? this.state.fn ?? this.figures.heaviest;
  }

  showCode() {
    const { state } = this;
    const fn = state.code === null ? null : state.fn ?? this.figures.heaviest;
    this.code.show({
      mode: state.code,
      fn,
      name: fn === null ? "" : this.names[fn],
      hosts: () => hostsOf(this.figures.seen.nodes, this.figures.weights.at(-1).own, fn),
      nameOf: (other) => this.names[other],
      compared: this.model.recordings.length > 1,
      recording: this.model.own.name,
      all: sumOf(this.model.own.byThread),
    });
  }

  showLayers() {
    const { state, parts } = this;
    const isZoomed = GRAPHS.some((name) => state.zoom[name] !== "" || state.part[name] !== null);
    const isOpen = (name) => parts[name].classList.contains("open");
    this.layers.update([["zoom", isZoomed], ["finding", state.finding !== null], ["search", state.search !== ""],
      ["code", state.code !== null], ["menu", isOpen("menu")], ["options", isOpen("options")]]);
  }

  showTable() {
    const { figures } = this;
    this.table.show({
      count: this.names.length,
      weights: figures.byFunction.at(-1),
      whole: figures.whole.at(-1),
      samples: figures.samples.at(-1),
      changes: figures.changes,
      matches: this.matches,
      chosen: this.state.fn,
      order: this.state.sort,
      nameOf: (fn) => this.names[fn],
      fileOf: (fn) => fileName(this.binaries[fn]),
      colourOf: (fn) => this.colourOfFunction(fn, 0),
    });
  }

  /** What stands beside the graph; where there are no findings, the functions in their place. */
  get side() {
    return this.state.side === "findings" && !this.findings.has ? "functions" : this.state.side;
  }

  showSide() {
    const { state, model, parts, side } = this;
    for (const tab of document.querySelectorAll("[data-side]")) {
      tab.setAttribute("aria-selected", String(tab.dataset.side === side));
    }
    parts.table.hidden = side === "details";
    parts.details.hidden = side !== "details";
    this.findings.show(side === "findings", state.finding, model.recordings.length > 1 ? `Of ${model.own.name}` : null);
    if (side === "details") this.showDetails();
  }

  /** What is known of the selected function; what there is where nothing of it changed, as while one searches. */
  showDetails() {
    const { fn, merged } = this.state;
    const key = JSON.stringify([this.figures.key, fn, [...merged]]);
    if (key === this.detailed) return;
    this.detailed = key;
    this.details.show(fn === null ? null : this.detailsOf(fn));
  }

  /** All that is known of a function in what is chosen; of two sides in the new one. */
  detailsOf(fn) {
    const { figures } = this;
    const { nodes } = figures.seen;
    const weights = figures.weights.at(-1);
    const tree = this.tree([weights], { recursion: true });
    const neighbours = (root) => tree.children(root).map((node) => ({ fn: node.fn, weight: node.wide }));
    const below = tree.down(fn);
    const { self, total } = figures.byFunction.at(-1);
    const whole = figures.whole.at(-1);
    const figure = (weight) => {
      const share = whole > 0 ? weight / whole : 0;
      return `<b>${percent(share)}</b> ${plusMinus(standardError(share, figures.samples.at(-1)))} <small>${this.amount(weight)}</small>`;
    };
    const change = figures.changes?.get(fn);
    return {
      name: this.names[fn],
      file: this.binaries[fn],
      figures: [["self", figure(self[fn])], ["total", figure(total[fn])],
        ...(change === undefined ? [] : [["change of self", changeText(change)]])],
      callers: neighbours(tree.up(fn)),
      callees: neighbours(below),
      own: self[fn],
      whole: total[fn],
      inlined: below.members.reduce((sum, node) => sum + (nodes.inlined[node] ? weights.total[node] : 0), 0),
      nameOf: (other) => this.names[other],
      findings: this.findings.about(fn),
      lines: this.code.dearestLines(fn),
      isServed: this.isServed,
    };
  }

  /** Says what is under the pointer: below the graph, and beside the pointer once that is known. */
  hover(node) {
    this.describe(node);
    const { tip } = this.parts;
    tip.hidden = true;
    const [figures, name] = node === null ? ["", ""] : this.words(node);
    tip.innerHTML = node === null ? "" : `<b>${escaped(figures)}</b><br>${escaped(name)}`;
  }

  moveTip(event) {
    const { tip } = this.parts;
    tip.hidden = tip.innerHTML === "" || event.pointerType !== "mouse";
    if (tip.hidden) return;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(Math.min(event.clientX + 14, window.innerWidth - width - 8), 0)}px`;
    const below = event.clientY + 20;
    tip.style.top = `${below + height < window.innerHeight ? below : Math.max(event.clientY - height - 10, 0)}px`;
  }

  showPath() {
    const { zoomed } = this.flame;
    const isZoomed = this.state.view !== "sandwich" && zoomed !== null && zoomed.depth > 0;
    const path = isZoomed ? this.flame.path(zoomed).slice(1) : [];
    this.parts.path.innerHTML = path.map(({ fn }) => `<li>${escaped(this.names[fn])}</li>`).join("");
  }

  colour(node) {
    if (node.fn < 0) return this.dark ? "hsl(0 0% 28%)" : "hsl(0 0% 90%)";
    if (node.values.length > 1) return colourOfChange(this.figures.changeOf(node), this.dark);
    return this.colourOfFunction(node.fn, node.shade);
  }

  colourOfFunction(fn, shade) {
    if (this.state.colours === "library" || this.isCompared) return shaded(this.places.get(this.binaries[fn]) ?? "others", shade, this.dark);
    const { self } = this.figures.byFunction.at(-1);
    return colourOfHeat(self[fn] / (self[this.figures.heaviest] || 1), this.dark);
  }

  /** What may stand in a frame, the longest first. */
  namesOf(node) {
    const forms = node.fn < 0 ? ["all"] : formsOf(this.names[node.fn]);
    if (node.values.length < 2) return forms;
    const change = percent(this.figures.changeOf(node), true);
    return [...forms.map((form) => `${change} ${form}`), change];
  }

  /** What is said of a frame: its figures, and its name. */
  words(node) {
    const whole = node.inTime ? this.flame.root.wide : this.figures.whole.at(-1);
    const weight = node.values.at(-1);
    const name = node.fn < 0 ? "all" : `${this.names[node.fn]} in ${this.binaries[node.fn]}`;
    const inlined = node.inlined ? ", inlined" : "";
    const change = node.values.length > 1 ? `, ${percent(this.figures.changeOf(node), true)} of all` : "";
    return [`${percent(whole > 0 ? weight / whole : 0)}  ${this.amount(weight)}${change}`, `${name}${inlined}`];
  }

  describe(node) {
    const { fn, missing } = this.state;
    const missed = missing.length === 0 ? "" : `Not on this page: ${missing.join(", ")}. `;
    const chosen = fn === null ? "Click to select, double-click to zoom, ? for keys" : `${this.names[fn]} in ${this.binaries[fn]}`;
    const text = node === null ? missed + chosen : this.words(node).join("  ");
    this.parts.status.textContent = text;
    this.parts.status.title = text;
  }

  announce(text) {
    this.parts.announce.textContent = text;
  }

  select(node, isStep) {
    const { state } = this;
    if (state.view === "sandwich") state.of = this.subject;
    state.fn = node === null || node.fn < 0 ? null : node.fn;
    if (state.fn !== null && isStep) state.side = "details";
    this.steps.remember(isStep ? null : "select");
    this.parts.actions.hidden = state.fn === null;
    this.showCode();
    this.showSide();
    this.describe(node);
    if (node !== null) this.announce(this.words(node).join("  "));
  }
}

/** Graphs as they are before they are zoomed or moved. */
function unmoved() {
  const { zoom, part } = initialState();
  return { zoom, part };
}

function toggled(set, member) {
  const next = new Set(set);
  if (!next.delete(member)) next.add(member);
  return next;
}

unpack().then(
  (data) => {
    window.page = new Page(new Model(data));
    document.body.dataset.ready = "yes";
  },
  (error) => {
    document.getElementById("status").textContent = `This page's data cannot be read: ${error}`;
    document.body.dataset.ready = "failed";
  },
);
