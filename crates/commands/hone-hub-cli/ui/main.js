// The hub's page: services, their CPU use over time, and the view of what is chosen.

const REFRESH_MS = 60_000;
const NAMELESS = "(no name)";
/** Characters of ids that are shown. */
const ID_SHOWN = 12;
/** Files without names that are shown, and what each may lack. */
const LACKING_SHOWN = 3;
const LACKS = {
  code: "of which only the debug file is there",
  names: "of which no file names this code",
  readable: "whose files cannot be read",
  "build-id": "without a build id: link with -Wl,--build-id",
};

class HubPage {
  constructor() {
    this.parts = Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));
    this.state = readState(location.hash);
    this.chart = new Chart(this.parts.chart, (part) => this.change({ part }));
    this.search = new Search(this.parts, (part) => this.change(part));
    this.services = new ServiceTable(this.parts, {
      onChoose: (service) => this.change({ ...initialChoice(), service }),
      onMore: () => this.load(false),
    });
    this.regressions = new RegressionPanel(this.parts, {
      onChoose: (part) => this.change({ ...initialChoice(), ...part }),
      onClose: () => this.change({ regression: null }),
      onAcknowledge: (word) => this.acknowledge(word),
    });
    this.saved = new SavedViews(this.parts, {
      onChoose: (fragment) => this.change(readState(fragment)),
      nowOf: () => writeState(this.state),
    });
    this.paper = window.matchMedia("(prefers-color-scheme: dark)");
    this.paper.addEventListener("change", () => this.load());
    this.listen();
    setInterval(() => this.refresh(), REFRESH_MS);
    this.load();
  }

  listen() {
    const { parts } = this;
    window.addEventListener("hashchange", () => {
      if (location.hash.slice(1) === writeState(this.state)) return;
      this.state = readState(location.hash);
      this.load();
    });
    // The view in the frame asks for what only the hub knows.
    window.addEventListener("message", ({ source, data }) => {
      const name = source === this.parts.view.contentWindow ? data?.callersOf : null;
      if (typeof name === "string") this.change({ find: name, callersOf: name });
    });
    parts.spans.addEventListener("click", ({ target }) => {
      if (target.dataset.from !== undefined) this.change({ from: target.dataset.from, to: "now", part: null });
    });
    parts.times.addEventListener("submit", (event) => {
      event.preventDefault();
      this.change({ from: parts.from.value, to: parts.to.value, part: null });
    });
    parts.by.addEventListener("change", () => this.change({ by: parts.by.value }));
    parts.against.addEventListener("change", () => this.change({ against: parts.against.value || null }));
    parts["sign-in"].addEventListener("close", () => {
      sessionStorage.setItem(TOKEN, parts.token.value.trim());
      parts.token.value = "";
      this.load();
    });
  }

  /** Changes what is looked at; Back goes back. */
  change(part) {
    Object.assign(this.state, part);
    const fragment = writeState(this.state);
    if (location.hash.slice(1) !== fragment) location.hash = fragment;
    this.load();
  }

  /** Shows what is new, where time goes on. The view stays as it is: somebody may be reading it. */
  refresh() {
    if (this.state.to === "now" && document.visibilityState === "visible") this.load(false);
  }

  /** Asks for all that the state says. Answers to what is no longer wanted are left. */
  async load(withView = true) {
    this.asking?.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    if (withView && this.state.find === null) this.parts.service.setAttribute("aria-busy", "true");
    try {
      this.span = this.spanOf();
      this.showControls();
      this.say("Asking the hub …");
      this.settings ??= await (await ask("/v1/settings", {}, signal)).json();
      await this.loadClocks(signal);
      await this.loadServices(signal);
      await this.loadRegressions(signal);
      if (this.state.find !== null) {
        if (withView) await this.search.load(this.state, this.span, this.settings.cost, signal);
        return this.say("");
      }
      if (this.state.service === null) {
        this.clear();
        return this.say("No samples in this time.");
      }
      await this.loadUse(signal);
      if (withView) await this.loadView(signal);
      this.say("");
    } catch (error) {
      if (error.name === "AbortError") return;
      if (withView) this.clear();
      if (error.status === 401) this.parts["sign-in"].showModal();
      this.say(error.message, true);
    }
  }

  /** Takes away what answers another question than the one that is asked now. */
  clear() {
    const { parts } = this;
    if (this.usedBy !== writeState(this.state)) {
      parts["service-name"].textContent = this.state.service ?? "";
      this.chart.clear();
      parts.lines.tBodies[0].replaceChildren();
      for (const part of ["axis-from", "axis-note", "axis-to"]) parts[part].textContent = "";
    }
    this.showLacking([]);
    this.showView(null);
    this.search.clear();
  }

  /** Begin and end of the time, in seconds since 1970. */
  spanOf() {
    const now = Math.floor(Date.now() / 1000);
    const span = [secondsOf(this.state.from, now), secondsOf(this.state.to, now)];
    if (span.some(Number.isNaN)) throw new Error("That is no time: write -6h, now, or 2026-11-26 09:00.");
    if (span[0] >= span[1]) throw new Error("The time ends before it begins.");
    return span;
  }

  showControls() {
    const { parts, state } = this;
    parts.from.value = state.from;
    parts.to.value = state.to;
    parts["find-text"].value = state.find ?? "";
    parts.found.hidden = state.find === null;
    parts.service.hidden = state.find !== null;
    for (const button of parts.spans.children) {
      button.setAttribute("aria-pressed", String(button.dataset.from === state.from && state.to === "now"));
    }
    parts.filters.replaceChildren(...FILTERS.flatMap((key) => state.filters[key].map((value) => {
      const chip = button(`${key}: ${shortName(key, value) || NAMELESS} ×`, () => this.filter(key, value), "chip");
      chip.title = value;
      chip.setAttribute("aria-label", `Remove the filter ${key} ${value}`);
      return made("li", chip);
    })));
  }

  async loadClocks(signal) {
    const lines = clockLines(await (await ask("/v1/clocks", {}, signal)).json());
    this.parts.clocks.hidden = lines.length === 0;
    this.parts.clocks.replaceChildren(...lines.map((line) => made("li", line)));
  }

  async loadServices(signal) {
    const [from, to] = this.span;
    const linesOf = async (before) => {
      const answer = await ask("/v1/series", { by: "service", from: from - before, to: to - before, lines: 500 }, signal);
      return (await answer.json()).lines;
    };
    // Of longer times the day before is a part; a young hub has none.
    const before = async () => linesOf(DAY_S).catch((error) => {
      if (error.status !== 404) throw error;
      return [];
    });
    const [lines, yesterday] = await Promise.all([linesOf(0), to - from <= DAY_S ? before() : []]);
    if (!lines.some(({ name }) => name === this.state.service)) {
      // An address may name a service of another time: its name stays.
      this.state.service ??= lines[0]?.name ?? null;
    }
    this.services.show(lines, yesterday, this.state.find === null ? this.state.service : null, this.settings.cost, this.state.to === "now");
  }

  async loadRegressions(signal) {
    const { service, regression } = this.state;
    const told = async (words) => (await ask("/v1/regressions", words, signal)).json();
    const { services } = await told({});
    if (regression !== null) this.regressions.takeCourses(await told({ service, courses: "yes" }));
    this.regressions.take(services);
    this.regressions.show(this.state, this.settings.cost, (place) => shaded(place, 0, this.paper.matches));
  }

  /** Says of the regression that is looked at why it is known; nothing takes that back. */
  async acknowledge(word) {
    const { service, regression: id } = this.state;
    try {
      await tell("/v1/regressions", { service, id, word });
      await this.loadRegressions();
      this.say(word === "" ? "It is no longer known." : "Noted.");
    } catch (error) {
      this.say(error.message, true);
    }
  }

  async loadUse(signal) {
    const { state, parts } = this;
    const [from, to] = this.span;
    parts["service-name"].textContent = state.service || NAMELESS;
    const answer = await ask("/v1/series", { ...questionOf(state), by: state.by, from, to, lines: LIGHT.binaries.length }, signal);
    const series = await answer.json();
    const lines = series.lines.map((line, place) => ({ ...line, colour: shaded(place, 0, this.paper.matches) }));
    if (series.others !== null) {
      const [count, line] = series.others;
      lines.push({ ...line, name: `${count} others`, colour: shaded("others", 0, this.paper.matches), isRest: true });
    }
    const top = this.chart.show(series, lines, state.part);
    this.showLines(lines);
    parts["axis-from"].textContent = timeText(series.first_s);
    parts["axis-to"].textContent = timeText(Math.min(this.chart.to, to));
    parts["axis-note"].textContent = `${Number(top.toPrecision(3))} ${top === 1 ? "core" : "cores"} high, steps of ${lengthText(series.step_s)}`;
    const all = lines.map(({ name, mean }) => `${name || NAMELESS} ${coresText(mean)}`).join(", ");
    parts.chart.setAttribute("aria-label", `Cores in use: ${all}. Arrow keys choose a part of the time, with Shift its end.`);
    this.showBys(series.labels);
    this.showAgainst(lines);
    this.usedBy = writeState(state);
  }

  showLines(lines) {
    const { by } = this.state;
    this.parts.lines.tBodies[0].replaceChildren(...lines.map(({ name, mean, colour, isRest }) => {
      const mark = made("i");
      mark.className = "swatch";
      mark.style.background = colour;
      const known = by === "nothing" ? this.state.service : name;
      const label = (isRest ? known : shortName(by, known)) || NAMELESS;
      const cell = isRest || by === "nothing" || name === "" ? made("span", label) : button(label, () => this.filter(...filterOf(by, name)));
      if (label !== known) cell.title = known;
      return made("tr", made("td", mark, cell), made("td", coresCell(mean)));
    }));
  }

  /** The ways to tell lines apart, with the labels that there are. */
  showBys(labels) {
    const { by } = this.state;
    const ways = [...BYS, ...labels.map((key) => `${BY_LABEL}${key}`)];
    if (!ways.includes(by)) ways.push(by);
    this.parts.by.replaceChildren(...ways.map((way) => optionOf(way, way.replace(BY_LABEL, "label "))));
    this.parts.by.value = by;
  }

  /** With what the view can be compared: the time before, or another build. */
  showAgainst(lines) {
    const { against, by } = this.state;
    const options = [["", "nothing"], ["before", "the time before"]];
    const builds = by === "build" ? lines.filter(({ name, isRest }) => name !== "" && !isRest) : [];
    options.push(...builds.map(({ name }) => [`build:${name}`, `build ${shortName("build", name)}`]));
    if (against !== null && !options.some(([value]) => value === against)) options.push([against, `build ${shortName("build", against.replace("build:", ""))}`]);
    this.parts.against.replaceChildren(...options.map(([value, text]) => optionOf(value, text)));
    this.parts.against.value = against ?? "";
  }

  async loadView(signal) {
    const span = this.state.part ?? this.span;
    const answer = await ask("/v1/view", viewOf(this.state, span), signal);
    this.showLacking(JSON.parse(answer.headers.get("hone-lacking") ?? "[]"));
    this.showView(URL.createObjectURL(await answer.blob()));
  }

  /**
   * Shows a view, or none. Each has a frame of its own: a frame that goes to another address is a further step for Back, and one that
   * comes back to a former address finds nothing there.
   */
  showView(address) {
    const old = this.parts.view;
    const view = old.cloneNode();
    view.removeAttribute("src");
    if (address !== null) view.src = address + markOf(this.state);
    old.replaceWith(view);
    this.parts.view = view;
    this.parts.service.removeAttribute("aria-busy");
    if (old.src.startsWith("blob:")) URL.revokeObjectURL(old.src.split("#")[0]);
  }

  /** Which files have no names, and what to do about it. */
  showLacking(files) {
    const line = this.parts.lacking;
    line.hidden = files.length === 0;
    if (line.hidden) return;
    const told = files.slice(0, LACKING_SHOWN).map(({ file, build, lacks, share }) => {
      const what = [build === null ? "" : `build ${shortName("build", build)}`, LACKS[lacks] ?? ""].filter(Boolean).join(", ");
      return `${file.split("/").at(-1)} ${(100 * share).toFixed(1)} % (${what})`;
    });
    if (files.length > told.length) told.push("and others");
    const known = files.filter(({ build, lacks }) => build !== null && lacks !== "readable");
    const parts = [`Without names: ${told.join(", ")}.`];
    if (known.length > 0) {
      const names = known.slice(0, LACKING_SHOWN).map(({ file }) => file.split("/").at(-1)).map(quoted);
      parts.push(" Upload them: ", made("code", `hone hub symbols ${[...new Set(names)].join(" ")} --url ${location.origin}`));
    }
    line.replaceChildren(...parts);
  }

  /** Adds a filter, or removes it where it is set. */
  filter(key, value) {
    const now = this.state.filters[key];
    const next = now.includes(value) ? now.filter((other) => other !== value) : [...now, value];
    this.change({ filters: { ...this.state.filters, [key]: next } });
  }

  say(text, isWrong = false) {
    this.parts.message.textContent = text;
    this.parts.message.classList.toggle("wrong", isWrong);
  }
}

/** The name of a line; of ids, which are long, the beginning. */
function shortName(by, name) {
  return by === "build" || by === "container" ? name.slice(0, ID_SHOWN) : name;
}

/** A word for a shell. */
function quoted(word) {
  return /^[\w./+@%=:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What is forgotten when another service is chosen. */
function initialChoice() {
  const { filters, part, against, mark, regression, find, callersOf } = readState("");
  return { filters, part, against, mark, regression, find, callersOf };
}

/** `1.23 ± 0.04`, with as many digits as its error deserves. */
function coresText([cores, error]) {
  const digits = error > 0 ? Math.min(Math.max(1 - Math.floor(Math.log10(error)), 0), 4) : 2;
  return `${cores.toFixed(digits)} ± ${error.toFixed(digits)}`;
}

/** What cores cost a month, of 730 hours. */
function monthText([cores], cost) {
  return (cores * cost.per_core_hour * 730).toFixed(0);
}

/** Cores with their error in a cell, the error in small. */
function coresCell(mean) {
  const [cores, error] = coresText(mean).split(" ± ");
  const cell = document.createElement("span");
  cell.append(`${cores} `, made("small", `± ${error}`));
  return cell;
}

/** A button that does something when it is pressed; by its kind it looks like text, or like a filter. */
function button(text, act, kind = "bare") {
  const element = made("button", text);
  element.className = kind;
  element.addEventListener("click", act);
  return element;
}

function optionOf(value, text) {
  const option = made("option", text);
  option.value = value;
  return option;
}

function made(name, ...content) {
  const element = document.createElement(name);
  element.append(...content);
  return element;
}

const page = new HubPage();
