// What is looked at, as the part of the address after #: a link shows the same.

const VIEWS = ["flame", "sandwich", "chart"];
const SORTS = ["self", "total", "change"];

/** The state of a page that nobody has touched. */
function initialState() {
  return {
    view: "flame",
    inverted: false,
    upwards: false,
    recursion: false,
    search: "",
    finding: null,
    findings: true,
    ignoreCase: true,
    fn: null,
    focus: null,
    dropped: new Set(),
    merged: new Set(),
    thread: null,
    range: null,
    sort: "self",
  };
}

/** Functions stand in the address by their names: their numbers differ from page to page. */
function readState(fragment, indexOf) {
  const state = initialState();
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  const functions = (key) => words.getAll(key).map(indexOf).filter((fn) => fn !== undefined);
  if (VIEWS.includes(words.get("view"))) state.view = words.get("view");
  for (const key of ["inverted", "upwards", "recursion"]) state[key] = words.has(key);
  state.ignoreCase = !words.has("case");
  state.search = words.get("search") ?? "";
  if (SORTS.includes(words.get("sort"))) state.sort = words.get("sort");
  state.finding = words.get("finding");
  state.findings = words.get("findings") !== "closed";
  state.fn = functions("fn")[0] ?? null;
  state.focus = functions("focus")[0] ?? null;
  state.dropped = new Set(functions("drop"));
  state.merged = new Set(functions("merge"));
  const thread = Number(words.get("thread") ?? NaN);
  state.thread = Number.isInteger(thread) ? thread : null;
  const range = (words.get("range") ?? "").split("-").map(Number);
  state.range = range.length === 2 && range.every(Number.isFinite) && range[0] < range[1] ? range : null;
  return state;
}

function writeState(state, nameOf) {
  const words = new URLSearchParams();
  if (state.view !== "flame") words.set("view", state.view);
  for (const key of ["inverted", "upwards", "recursion"]) if (state[key]) words.set(key, "");
  if (!state.ignoreCase) words.set("case", "");
  if (state.search !== "") words.set("search", state.search);
  if (state.sort !== "self") words.set("sort", state.sort);
  if (state.finding !== null) words.set("finding", state.finding);
  if (!state.findings) words.set("findings", "closed");
  if (state.fn !== null) words.set("fn", nameOf(state.fn));
  if (state.focus !== null) words.set("focus", nameOf(state.focus));
  for (const fn of state.dropped) words.append("drop", nameOf(fn));
  for (const fn of state.merged) words.append("merge", nameOf(fn));
  if (state.thread !== null) words.set("thread", String(state.thread));
  if (state.range !== null) words.set("range", state.range.map((time) => Math.round(time)).join("-"));
  return words.toString().replace(/=(?=&|$)/g, "");
}

/** Which functions a search finds; `null` where nothing is searched for, `undefined` where it is no pattern. */
function matcher(state, functions, nameOf) {
  if (state.search === "") return null;
  let pattern;
  try {
    pattern = new RegExp(state.search, state.ignoreCase ? "i" : "");
  } catch {
    return undefined;
  }
  const matches = new Uint8Array(functions.length);
  for (let fn = 0; fn < functions.length; fn++) matches[fn] = pattern.test(nameOf(fn)) ? 1 : 0;
  return matches;
}
