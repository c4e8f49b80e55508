// What stands above the graph: what the page is of, which buttons are pressed, what is filtered.

const SHOWN_NAMES = 3;

class Header {
  constructor(page) {
    this.page = page;
    this.parts = page.parts;
  }

  show() {
    const { page, parts } = this;
    const { state, recording, isCompared, model } = page;
    parts.title.textContent = this.title;
    parts.facts.textContent = `${recording.seen.toLocaleString("en")} samples${recording.event === "samples" ? "" : ` of ${recording.event}`}, ` +
      `${page.amount(page.figures.whole.at(-1))} shown${recording === model.own ? ownNames(model.ownNames) : ""}`;
    for (const button of document.querySelectorAll("button[data-view]")) {
      button.setAttribute("aria-pressed", String(button.dataset.view === state.view));
      if (button.dataset.view === "chart") button.hidden = recording.step > 0;
    }
    for (const button of document.querySelectorAll("button[data-switch]")) {
      button.setAttribute("aria-pressed", String(Boolean(state[button.dataset.switch])));
    }
    parts.legend.hidden = !isCompared;
    parts.binaries.hidden = isCompared || state.colours !== "library";
    parts.binaries.innerHTML = page.legend.map(({ place, text, share }) =>
      `<li><i class="swatch" style="background:${shaded(place, 0, page.dark)}"></i>${escaped(text)} <small>${percent(share)}</small></li>`).join("");
    if (parts.search.value !== state.search) parts.search.value = state.search;
    parts.matched.textContent = this.matchedText();
    parts["code-button"].setAttribute("aria-pressed", String(state.code !== null));
    parts.actions.hidden = state.fn === null;
    this.showChoices();
    this.showFilters();
  }

  /** What is looked at: recordings, or parts of the time of one. */
  get title() {
    const { figures, model, state } = this.page;
    const { name } = figures.recording;
    const nameOf = ({ place, range }) => (state.base === null ? model.recordings[place].name : range === null ? "all of the time" : partText(range));
    const sides = figures.sides.map(nameOf).join(" → ");
    return state.base === null ? sides : `${name}: ${sides}`;
  }

  showChoices() {
    const { page, parts } = this;
    const { state, recording, model, figures } = page;
    const option = (value, text) => `<option value="${value}">${escaped(text)}</option>`;
    parts.thread.innerHTML = option("", "all threads") + recording.threads
      .map(({ pid, tid, name }, index) => option(index, `${name} (${pid}/${tid})`)).join("");
    parts.thread.value = String(figures.thread ?? "");
    const groupings = { process: "processes", thread: "threads", label: "labels" };
    parts.by.innerHTML = option("", "functions") + model.groupings.map((grouping) => option(escaped(grouping), groupings[grouping] ?? grouping.replace(":", " "))).join("");
    parts.by.value = state.by ?? "";
    parts.colours.value = state.colours;
    parts.widths.value = state.widths;
    parts["colours-label"].hidden = page.isCompared;
    parts["widths-label"].hidden = !page.isCompared;
    // The hub's page has its own choice of what is compared.
    parts.recordings.hidden = model.recordings.length < 2 || page.isServed;
    const all = model.recordings.map(({ name }, place) => option(place, name)).join("");
    parts.now.innerHTML = all;
    parts.old.innerHTML = option(-1, "nothing") + all;
    const [now, before] = [figures.sides.at(-1).place, state.base === null && page.isCompared ? figures.sides[0].place : -1];
    parts.now.value = String(now);
    parts.old.value = String(before);
  }

  showFilters() {
    const { page, parts } = this;
    const filters = this.filterTexts();
    const { range, base } = page.state;
    const action = (name, text, title) => `<li><button data-part="${name}" title="${title}">${text}</button></li>`;
    const actions = base !== null ? action("swap", "Swap", "The new part as the old one") :
      range !== null ? action("base", "Compare with another part", "v; drag over the other part then") : "";
    parts.filters.innerHTML = filters.map(([text], index) =>
      `<li><button class="chip" data-filter="${index}" aria-label="Remove the filter: ${escaped(text)}">${escaped(text)} <span aria-hidden="true">×</span></button></li>`).join("") + actions;
    this.withoutFilter = filters.map(([, part]) => part);
  }

  matchedText() {
    const { page } = this;
    const { search, finding } = page.state;
    if (page.matches === null) return search === "" ? "" : "no pattern";
    // An open panel shows which finding is chosen.
    if (search === "") return page.side === "findings" ? "" : `marked: ${finding}`;
    const { total } = page.figures.weights.at(-1);
    const matched = matchedWeight(page.figures.seen.nodes, total, page.matches);
    return `matched ${percent(total[0] > 0 ? matched / total[0] : 0)}`;
  }

  /** What is filtered, each with the change that takes the filter away. */
  filterTexts() {
    const { state, names, model, recording } = this.page;
    const texts = [];
    if (state.focus !== null) texts.push([`only ${names[state.focus]}`, { focus: null }]);
    for (const fn of state.dropped) texts.push([`without ${names[fn]}`, { dropped: toggled(state.dropped, fn) }]);
    for (const fn of state.merged) texts.push([`${names[fn]} as its caller`, { merged: toggled(state.merged, fn) }]);
    for (const binary of state.libraries) texts.push([`${fileName(binary)} as one frame`, { libraries: toggled(state.libraries, binary) }]);
    const process = recording.processes.get(state.process);
    if (process !== undefined && state.thread === null) texts.push([`process ${process.name} (${process.pid})`, { process: null }]);
    const of = model.recordings.length > 1 ? ` of ${recording.name}` : "";
    if (state.range !== null) texts.push([`${partText(state.range)} of the time${of}`, { range: null }]);
    if (state.base !== null) texts.push([`compared with ${partText(state.base)}`, { base: null }]);
    return texts;
  }
}

/** Says which files have no symbols, but names in the recording itself. */
function ownNames(files) {
  const shown = files.slice(0, SHOWN_NAMES).map(fileName);
  const more = files.length > shown.length ? ` and ${files.length - shown.length} more` : "";
  return files.length > 0 ? `; names in ${shown.join(", ")}${more} are the recording's own` : "";
}
