// What is looked at, as the part of the address after #: a link shows the same.

const BYS = ["nothing", "build", "host", "container", "thread"];
/** What samples are chosen by; labels as `KEY:VALUE`. */
const FILTERS = ["build", "host", "container", "thread", "label"];
/** The begin of ways to tell lines apart by a label. */
const BY_LABEL = "label:";

/** The state that an address tells. */
function readState(fragment) {
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  const part = (words.get("part") ?? "").split("-").map(Number);
  return {
    service: words.get("service"),
    from: words.get("from") ?? "-1h",
    to: words.get("to") ?? "now",
    by: BYS.includes(words.get("by")) || words.get("by")?.startsWith(BY_LABEL) ? words.get("by") : "build",
    filters: Object.fromEntries(FILTERS.map((key) => [key, words.getAll(key)])),
    // Part of the time that the view is of, in seconds since 1970.
    part: part.length === 2 && part.every(Number.isInteger) && part[0] < part[1] ? part : null,
    // "before", or `build:ID`.
    against: words.get("against"),
    // Function that is marked in the view.
    mark: words.get("mark"),
    // Regression of the service that is told of above the view, by its id.
    regression: words.get("regression"),
    // Part of the names of functions that are searched for in all services, and the one whose callers are shown.
    find: words.get("find"),
    callersOf: words.get("callers"),
  };
}

function writeState(state) {
  const words = new URLSearchParams();
  if (state.service !== null) words.set("service", state.service);
  if (state.from !== "-1h") words.set("from", state.from);
  if (state.to !== "now") words.set("to", state.to);
  if (state.by !== "build") words.set("by", state.by);
  for (const key of FILTERS) for (const value of state.filters[key]) words.append(key, value);
  if (state.part !== null) words.set("part", state.part.join("-"));
  for (const key of ["against", "mark", "regression", "find"]) if (state[key] !== null) words.set(key, state[key]);
  if (state.callersOf !== null) words.set("callers", state.callersOf);
  return words.toString();
}

/** Words of the question for the service's samples. */
function questionOf({ service, filters }) {
  return { service, ...filters };
}

/** The filter for a line of a way to tell lines apart: its kind and value. */
function filterOf(by, name) {
  return by.startsWith(BY_LABEL) ? ["label", `${by.slice(BY_LABEL.length)}:${name}`] : [by, name];
}

/** Words of the question for the view: of the newer time or build, and as `old_...` of what it is compared with. */
function viewOf(state, [from, to]) {
  const words = { ...questionOf(state), from, to };
  if (state.against === "before") return { ...words, old_from: from - (to - from), old_to: from };
  const build = /^build:(.+)$/.exec(state.against ?? "");
  return build === null ? words : { ...words, old_build: build[1], old_from: from, old_to: to };
}

/** End of the view's address that marks a function in it. */
function markOf({ mark }) {
  if (mark === null) return "";
  const pattern = `^${mark.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
  return `#${new URLSearchParams({ search: pattern })}`;
}
