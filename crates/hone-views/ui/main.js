// The page: puts the parts together. Every change of what is looked at goes through `change`.

class Page {
  constructor(data) {
    this.data = data;
    this.names = data.functions.map(([name]) => data.names[name]);
    this.binaries = data.functions.map(([, binary]) => data.names[binary]);
    this.byName = new Map(this.names.map((name, fn) => [name, fn]));
    this.marks = this.names.map((name) => hashOf(name).toString(36));
    this.parts = Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));
    this.steps = new Steps((name) => this.functionOf(name), (fn) => this.addressName(fn), (state) => this.render(state));
    this.layers = new Layers();
    this.flame = this.graph("flame", () => this.state.upwards);
    this.callers = this.graph("callers", () => true);
    this.callees = this.graph("callees", () => false);
    this.table = new FunctionTable(this.parts.functions, (fn) => this.change({ fn, of: null, view: "sandwich", ...unmoved() }),
      (sort) => this.change({ sort }));
    this.timeline = new Timeline(this.parts.timeline, (range, kind) => this.change({ range }, kind));
    this.code = new CodePane(this.parts, (code) => this.change({ code }), (fn) => this.change({ fn }));
    this.findings = new FindingsPanel(this.parts, data.findings, data.functions.length, (fn) => this.names[fn],
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
    this.render(this.steps.state);
  }

  graph(name, upwards) {
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
      onZoom: (node) => this.moved(name, { zoom: wayTo(node, (fn) => this.marks[fn]), part: null }, null),
      onMove: () => this.moved(name, { part: graph.part }, `move ${name}`),
    });
    return graph;
  }

  /** The recording that is looked at; of two the new one. */
  get recording() {
    return this.data.recordings.at(-1);
  }

  get dark() {
    return this.paper.matches;
  }

  /** The function of a name in the address. */
  functionOf(name) {
    this.byPlace ??= new Map(this.names.map((of, fn) => [`${of} @ ${this.binaries[fn]}`, fn]));
    return this.byName.get(name) ?? this.byPlace.get(name);
  }

  /** A function's name in the address: with its binary where others are called so. */
  addressName(fn) {
    const name = this.names[fn];
    return this.byName.get(name) === fn ? name : `${name} @ ${this.binaries[fn]}`;
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
    // Sums have no order of time.
    if (state.view === "chart" && this.recording.step > 0) state.view = "flame";
    const { data } = this;
    this.weigh();
    const matches = matcher(state, data.functions, (fn) => this.names[fn]);
    this.parts.search.classList.toggle("wrong", matches === undefined);
    this.matches = state.search === "" ? this.findings.matches(state.finding) : matches ?? null;
    this.showControls();
    this.timeline.show(this.recording, this.selection(this.recording).threads, state.range, data.unit === "ns");
    this.showCode();
    this.showTrees();
    this.showTable();
    this.showSide();
    this.showPath();
    this.showLayers();
    this.describe(null);
  }

  /** The figures of what is chosen; those that there are where nothing of them changed, as while one searches. */
  weigh() {
    const { state, data } = this;
    const { nodes } = data;
    const key = JSON.stringify([this.thread, state.range, state.focus, [...state.dropped]]);
    if (key === this.weighed) return;
    this.weighed = key;
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
    if (this.places === undefined) this.chooseColours();
  }

  /** Once, of all that there is when the page is opened: a filter changes no colour. */
  chooseColours() {
    const weights = new Map();
    const { self } = this.byFunction.at(-1);
    this.binaries.forEach((binary, fn) => weights.set(binary, (weights.get(binary) ?? 0) + self[fn]));
    this.places = placesOfBinaries(weights);
    this.legend = legendOf(weights, this.places);
  }

  /** The thread that is looked at: in time order always one. */
  get thread() {
    const { thread, view } = this.state;
    const isThere = thread !== null && thread < this.recording.threads.length;
    if (isThere) return thread;
    return view === "chart" ? this.busiestThread() : null;
  }

  /** Samples that count: of an older recording all of its time, and all threads that are called as the chosen one. */
  selection(recording) {
    const { thread } = this;
    const { range } = this.state;
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
    const { state, data, parts } = this;
    const sandwich = state.view === "sandwich";
    for (const name of GRAPHS) this[name].matches = this.matches;
    parts.flame.hidden = sandwich;
    parts.sandwich.hidden = !sandwich;
    const fn = sandwich ? this.subject : null;
    if (sandwich) parts.subject.textContent = fn === null ? "" : this.names[fn];
    const key = JSON.stringify([this.weighed, state.view, state.inverted, state.recursion, [...state.merged], fn]);
    if (key !== this.drawn) {
      this.drawn = key;
      const tree = new DrawnTree(data.nodes, this.weights, state);
      const below = (node) => tree.children(node);
      if (state.view === "chart") {
        this.flame.show(timeOrder(data.nodes, this.recording, this.selection(this.recording)), (node) => node.children);
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

  /** Zooms and moves a graph as the state says. */
  lookAs(name) {
    const graph = this[name];
    if (graph.root === null) return;
    const way = this.state.zoom[name];
    const part = this.state.part[name];
    const markOf = (fn) => this.marks[fn];
    const isThere = wayTo(graph.zoomed, markOf) === way && JSON.stringify(graph.part) === JSON.stringify(part);
    if (!isThere) {
      graph.look(atWay(graph.root, way, markOf, graph.children));
      if (part !== null) graph.lookAt(part);
    }
    graph.draw();
  }

  describeGraphs() {
    const views = { chart: "Time order of one thread", flame: "Flame graph", sandwich: "Sandwich" };
    this.parts.flame.setAttribute("aria-label", `${views[this.state.view]}, ${amount(this.whole.at(-1), this.data.unit)}`);
    const subject = this.subject === null ? "" : this.names[this.subject];
    this.parts.callers.setAttribute("aria-label", `Callers of ${subject}`);
    this.parts.callees.setAttribute("aria-label", `What ${subject} calls`);
  }

  /** The function that the sandwich is of: the selected one, until another is selected in the sandwich. */
  get subject() {
    return this.state.of ?? this.state.fn ?? this.heaviestFunction();
  }

  showCode() {
    const { state } = this;
    const fn = state.code === null ? null : state.fn ?? this.heaviestFunction();
    this.code.show({
      mode: state.code,
      fn,
      name: fn === null ? "" : this.names[fn],
      hosts: () => hostsOf(this.data.nodes, this.weights.at(-1).own, fn),
      nameOf: (other) => this.names[other],
      compared: this.data.recordings.length > 1,
      recording: this.recording.name,
    });
  }

  showLayers() {
    const { state, parts } = this;
    const isZoomed = GRAPHS.some((name) => state.zoom[name] !== "" || state.part[name] !== null);
    this.layers.update([["zoom", isZoomed], ["finding", state.finding !== null], ["search", state.search !== ""],
      ["code", state.code !== null], ["menu", parts.menu.classList.contains("open")]]);
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
      colourOf: (fn) => shaded(this.places.get(this.binaries[fn]), 0, this.dark),
    });
  }

  /** What stands beside the graph; where there are no findings, the functions in their place. */
  get side() {
    return this.state.side === "findings" && !this.findings.has ? "functions" : this.state.side;
  }

  showSide() {
    const { state, data, parts, side } = this;
    for (const tab of document.querySelectorAll("[data-side]")) {
      tab.setAttribute("aria-selected", String(tab.dataset.side === side));
    }
    parts.table.hidden = side === "details";
    parts.details.hidden = side !== "details";
    this.findings.show(side === "findings", state.finding, data.recordings.length > 1 ? `Of ${this.recording.name}` : null);
    if (side === "details") this.showDetails();
  }

  /** What is known of the selected function; what there is where nothing of it changed, as while one searches. */
  showDetails() {
    const { fn, merged } = this.state;
    const key = JSON.stringify([this.weighed, fn, [...merged]]);
    if (key === this.detailed) return;
    this.detailed = key;
    this.details.show(fn === null ? null : this.detailsOf(fn));
  }

  /** All that is known of a function in what is chosen; of two recordings in the new one. */
  detailsOf(fn) {
    const { data } = this;
    const { nodes } = data;
    const weights = this.weights.at(-1);
    const tree = new DrawnTree(nodes, [weights], { recursion: true, merged: this.state.merged });
    const neighbours = (root) => tree.children(root).map((node) => ({ fn: node.fn, weight: widest(node) }));
    const below = tree.down(fn);
    const { self, total } = this.byFunction.at(-1);
    const whole = this.whole.at(-1);
    const figure = (weight) => {
      const share = whole > 0 ? weight / whole : 0;
      return `<b>${percent(share)}</b> ${plusMinus(standardError(share, this.samples.at(-1)))} <small>${amount(weight, data.unit)}</small>`;
    };
    const change = this.changes?.get(fn);
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
      // The hub shows a view in a frame of its page.
      isServed: location.protocol === "blob:" && window.parent !== window,
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

  showControls() {
    const { parts, state, data } = this;
    const compared = data.recordings.length > 1;
    parts.title.textContent = data.recordings.map(({ name }) => name).join(" → ");
    const { seen } = this.recording;
    parts.facts.textContent = `${seen.toLocaleString("en")} samples of ${data.event}, ` +
      `${amount(this.whole.at(-1), data.unit)} shown${ownNames(data.own_names)}`;
    for (const button of document.querySelectorAll("button[data-view]")) {
      button.setAttribute("aria-pressed", String(button.dataset.view === state.view));
      if (button.dataset.view === "chart") button.hidden = this.recording.step > 0;
    }
    for (const button of document.querySelectorAll("button[data-switch]")) {
      button.setAttribute("aria-pressed", String(Boolean(state[button.dataset.switch])));
    }
    parts.legend.hidden = !compared;
    parts.binaries.hidden = compared;
    parts.binaries.innerHTML = this.legend.map(({ place, text, share }) =>
      `<li><i class="swatch" style="background:${shaded(place, 0, this.dark)}"></i>${escaped(text)} <small>${percent(share)}</small></li>`).join("");
    if (parts.search.value !== state.search) parts.search.value = state.search;
    parts.thread.innerHTML = `<option value="">all threads</option>` + this.recording.threads
      .map(({ pid, tid, name }, index) => `<option value="${index}">${escaped(name)} (${pid}/${tid})</option>`).join("");
    parts.thread.value = this.thread === null ? "" : String(this.thread);
    parts.matched.textContent = this.matchedText();
    parts.timeline.hidden = !(this.recording.duration > 0);
    parts["code-button"].setAttribute("aria-pressed", String(state.code !== null));
    parts.actions.hidden = state.fn === null;
    const filters = this.filterTexts();
    parts.filters.innerHTML = filters.map(([text], index) =>
      `<li><button class="chip" data-filter="${index}" aria-label="Remove the filter: ${escaped(text)}">${escaped(text)} <span aria-hidden="true">×</span></button></li>`).join("");
    this.withoutFilter = filters.map(([, part]) => part);
  }

  matchedText() {
    const { search, finding } = this.state;
    if (this.matches === null) return search === "" ? "" : "no pattern";
    // An open panel shows which finding is chosen.
    if (search === "") return this.side === "findings" ? "" : `marked: ${finding}`;
    const { total } = this.weights.at(-1);
    const matched = matchedWeight(this.data.nodes, total, this.matches);
    return `matched ${percent(this.whole.at(-1) > 0 ? matched / total[0] : 0)}`;
  }

  /** What is filtered, each with the change that takes the filter away. */
  filterTexts() {
    const { state } = this;
    const texts = [];
    if (state.focus !== null) texts.push([`only ${this.names[state.focus]}`, { focus: null }]);
    for (const fn of state.dropped) texts.push([`without ${this.names[fn]}`, { dropped: toggled(state.dropped, fn) }]);
    for (const fn of state.merged) texts.push([`${this.names[fn]} as its caller`, { merged: toggled(state.merged, fn) }]);
    const of = this.data.recordings.length > 1 ? ` of ${this.recording.name}` : "";
    if (state.range !== null) {
      const [from, to] = state.range.map((time) => (time / 1e6).toFixed(2));
      texts.push([`${from} to ${to} s of the time${of}`, { range: null }]);
    }
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
    return shaded(this.places.get(this.binaries[node.fn]), node.shade, this.dark);
  }

  changeOf({ values }) {
    const share = (index) => (this.whole[index] > 0 ? values[index] / this.whole[index] : 0);
    return share(1) - share(0);
  }

  /** What may stand in a frame, the longest first. */
  namesOf(node) {
    const forms = node.fn < 0 ? ["all"] : formsOf(this.names[node.fn]);
    if (node.values.length < 2) return forms;
    const change = percent(this.changeOf(node), true);
    return [...forms.map((form) => `${change} ${form}`), change];
  }

  /** What is said of a frame: its figures, and its name. */
  words(node) {
    const whole = node.inTime ? widest(this.flame.root) : this.whole.at(-1);
    const weight = widest(node);
    const name = node.fn < 0 ? "all" : `${this.names[node.fn]} in ${this.binaries[node.fn]}`;
    const inlined = node.inlined ? ", inlined" : "";
    const change = node.values.length > 1 ? `, ${percent(this.changeOf(node), true)} of all` : "";
    return [`${percent(whole > 0 ? weight / whole : 0)}  ${amount(weight, this.data.unit)}${change}`, `${name}${inlined}`];
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

/** Says which files have no symbols, but names in the recording itself. */
function ownNames(files) {
  const shown = files.slice(0, 3).map(fileName);
  const more = files.length > shown.length ? ` and ${files.length - shown.length} more` : "";
  return files.length > 0 ? `; names in ${shown.join(", ")}${more} are the recording's own` : "";
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
    window.page = new Page(data);
    document.body.dataset.ready = "yes";
  },
  (error) => {
    document.getElementById("status").textContent = `This page's data cannot be read: ${error}`;
    document.body.dataset.ready = "failed";
  },
);
