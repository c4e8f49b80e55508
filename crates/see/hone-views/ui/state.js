// What is looked at, as the part of the address after #: a link shows the same, and Back what was there before.

const VIEWS = ["flame", "sandwich", "chart"];
const SORTS = ["self", "total", "change"];
const CODES = ["source", "assembly", "file"];
const SIDES = ["functions", "findings", "details"];
const COLOURINGS = ["library", "self"];
const WIDTHS = ["new", "old", "both"];
const GRAPHS = ["flame", "callers", "callees"];

/** The state of a page that nobody has touched. */
function initialState() {
  return {
    view: "flame",
    inverted: false,
    upwards: false,
    recursion: false,
    search: "",
    finding: null,
    // What stands beside the graph; findings where there are any, until something else was chosen.
    side: "findings",
    ignoreCase: true,
    fn: null,
    // The sandwich's function, where another is selected in it.
    of: null,
    focus: null,
    dropped: new Set(),
    merged: new Set(),
    thread: null,
    // A process by its number: all of its threads.
    process: null,
    range: null,
    // The part of the time that the chosen one is compared with.
    base: null,
    // Recordings by their places: the one that is looked at, and the one that it is compared with, -1 for none. Where there are several and
    // nothing was chosen, the first with the last.
    now: null,
    old: null,
    // What is put outermost (Model.groupings), and binaries whose frames are one each.
    by: null,
    libraries: new Set(),
    colours: "library",
    widths: "new",
    // Whether processes and threads have a strip of time each; null where nobody has chosen.
    tracks: null,
    sort: "self",
    code: null,
    // By graph: the way to the frame that is zoomed into, and the part that is seen where that was moved.
    zoom: { flame: "", callers: "", callees: "" },
    part: { flame: null, callers: null, callees: null },
    // Functions of the address that this page does not have.
    missing: [],
  };
}

/** Functions stand in the address by their names: their numbers differ from page to page. */
function readState(fragment, indexOf) {
  const state = initialState();
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  const functions = (key) => words.getAll(key).flatMap((name) => {
    const fn = indexOf(name);
    if (fn === undefined) state.missing.push(name);
    return fn === undefined ? [] : [fn];
  });
  const oneOf = (key, list, otherwise) => (list.includes(words.get(key)) ? words.get(key) : otherwise);
  const numbers = (text, between) => (text === "" ? [] : text.split(between).map(Number));
  state.view = oneOf("view", VIEWS, state.view);
  state.sort = oneOf("sort", SORTS, state.sort);
  state.code = oneOf("code", CODES, state.code);
  for (const key of ["inverted", "upwards", "recursion"]) state[key] = words.has(key);
  state.ignoreCase = !words.has("case");
  state.search = words.get("search") ?? "";
  state.finding = words.get("finding");
  state.side = oneOf("side", SIDES, state.side);
  state.fn = functions("fn")[0] ?? null;
  state.of = functions("of")[0] ?? null;
  state.focus = functions("focus")[0] ?? null;
  state.dropped = new Set(functions("drop"));
  state.merged = new Set(functions("merge"));
  const number = (key, least) => {
    const value = Number(words.get(key) ?? NaN);
    return Number.isInteger(value) && value >= least ? value : null;
  };
  state.thread = number("thread", 0);
  state.process = number("process", 0);
  state.now = number("now", 0);
  state.old = number("old", -1);
  for (const key of ["range", "base"]) {
    const range = numbers(words.get(key) ?? "", "-");
    state[key] = range.length === 2 && range.every(Number.isFinite) && range[0] < range[1] ? range : null;
  }
  state.by = words.get("by");
  state.libraries = new Set(words.getAll("library"));
  state.colours = oneOf("colours", COLOURINGS, state.colours);
  state.widths = oneOf("widths", WIDTHS, state.widths);
  state.tracks = words.has("tracks") ? words.get("tracks") !== "no" : null;
  for (const graph of GRAPHS) {
    state.zoom[graph] = words.get(word("zoom", graph)) ?? "";
    const part = numbers(words.get(word("part", graph)) ?? "", "_");
    state.part[graph] = part.length === 3 && part.every(Number.isFinite) ? part : null;
  }
  return state;
}

function writeState(state, nameOf) {
  const words = new URLSearchParams();
  if (state.view !== "flame") words.set("view", state.view);
  for (const key of ["inverted", "upwards", "recursion"]) if (state[key]) words.set(key, "");
  if (!state.ignoreCase) words.set("case", "");
  if (state.search !== "") words.set("search", state.search);
  if (state.sort !== "self") words.set("sort", state.sort);
  if (state.code !== null) words.set("code", state.code);
  if (state.finding !== null) words.set("finding", state.finding);
  if (state.side !== "findings") words.set("side", state.side);
  if (state.fn !== null) words.set("fn", nameOf(state.fn));
  if (state.of !== null && state.view === "sandwich" && state.of !== state.fn) words.set("of", nameOf(state.of));
  if (state.focus !== null) words.set("focus", nameOf(state.focus));
  for (const fn of state.dropped) words.append("drop", nameOf(fn));
  for (const fn of state.merged) words.append("merge", nameOf(fn));
  for (const key of ["thread", "process", "now", "old", "by"]) if (state[key] !== null) words.set(key, String(state[key]));
  for (const key of ["range", "base"]) if (state[key] !== null) words.set(key, state[key].map((time) => Math.round(time)).join("-"));
  for (const library of state.libraries) words.append("library", library);
  if (state.colours !== "library") words.set("colours", state.colours);
  if (state.widths !== "new") words.set("widths", state.widths);
  if (state.tracks !== null) words.set("tracks", state.tracks ? "" : "no");
  for (const graph of GRAPHS) {
    if (state.zoom[graph] !== "") words.set(word("zoom", graph), state.zoom[graph]);
    const part = state.part[graph];
    if (part !== null) words.set(word("part", graph), part.map(inDecimals).join("_"));
  }
  return words.toString().replace(/=(?=&|$)/g, "");
}

/** Short, and never with an exponent. */
function inDecimals(share) {
  return share.toFixed(9).replace(/\.?0+$/, "");
}

function word(key, graph) {
  return graph === "flame" ? key : `${key}-${graph}`;
}

/**
 * The way from the root to a frame, short and the same on every page: a mark of each function on it. In time order, where
 * many neighbours are one function, row and place.
 */
function wayTo(node, markOf) {
  if (node.inTime) return node.depth === 0 ? "" : `${node.depth}@${node.start}`;
  const way = [];
  for (let frame = node; frame.parent !== null; frame = frame.parent) way.unshift(markOf(frame.fn));
  return way.join(".");
}

/** The frame at the end of a way, or of as much of it as there is. */
function atWay(root, way, markOf, children) {
  if (way === "") return root;
  let node = root;
  const [depth, start] = way.split("@").map(Number);
  const wanted = root.inTime ? Array(Number.isInteger(depth) && depth > 0 ? Math.min(depth, 10000) : 0).fill(start) : way.split(".");
  for (const mark of wanted) {
    const below = children(node);
    const next = root.inTime
      ? below.find((child) => child.start <= mark && mark < child.start + child.wide)
      : below.find((child) => markOf(child.fn) === mark);
    if (next === undefined) break;
    node = next;
  }
  return node;
}

/** Which functions a search finds; `null` where nothing is searched for, `undefined` where it is no pattern. */
function matcher(state, names) {
  if (state.search === "") return null;
  let pattern;
  try {
    pattern = new RegExp(state.search, state.ignoreCase ? "i" : "");
  } catch {
    return undefined;
  }
  return Uint8Array.from(names, (name) => (pattern.test(name) ? 1 : 0));
}

/** What is open, in the order in which it was opened, so that Escape closes the last. */
class Layers {
  constructor() {
    this.open = [];
  }

  /** Takes note of what is open now: [[name, is open], ...]. */
  update(now) {
    const isOpen = new Map(now);
    this.open = this.open.filter((name) => isOpen.get(name));
    for (const [name, open] of now) if (open && !this.open.includes(name)) this.open.push(name);
  }

  get last() {
    return this.open.at(-1) ?? null;
  }
}
