// What the page shows: functions, the call tree of all recordings, and their samples; also through a lens, with threads, processes or labels
// as outermost frames, or a library as one frame.

/** Binaries of frames that are no functions. */
const OF_GROUPS = { process: "[process]", thread: "[thread]", label: "[label]" };

class Model {
  /** `data`: as it was unpacked. */
  constructor({ event, unit, names, functions, nodes, recordings, own_names, findings }) {
    this.nodes = nodes;
    this.ownNames = own_names;
    this.findings = findings;
    this.names = functions.map(([name]) => names[name]);
    this.binaries = functions.map(([, binary]) => names[binary]);
    this.byPlace = new Map();
    this.byName = new Map();
    this.marks = [];
    this.names.forEach((_, fn) => this.register(fn));
    this.recordings = [];
    this.add(recordings.map((recording) => ({ ...recording, event, unit })));
    /** The recording that findings and code are about. */
    this.own = this.recordings.at(-1);
  }

  register(fn) {
    const name = this.names[fn];
    if (!this.byName.has(name)) this.byName.set(name, fn);
    this.byPlace.set(placeOfName(name, this.binaries[fn]), fn);
    this.marks.push(hashOf(name).toString(36));
  }

  /** The number of a function; a new one where there is none. */
  intern(name, binary) {
    const known = this.byPlace.get(placeOfName(name, binary));
    if (known !== undefined) return known;
    this.names.push(name);
    this.binaries.push(binary);
    this.register(this.names.length - 1);
    return this.names.length - 1;
  }

  /** Adds recordings, whose samples are of `nodes`, with the weight of each thread, and frames for their libraries and for what can stand outermost. */
  add(recordings) {
    this.recordings.push(...recordings);
    this.libraries = new Map([...new Set(this.binaries)].filter((binary) => !Object.values(OF_GROUPS).includes(binary))
      .map((binary) => [binary, this.intern(fileName(binary), binary)]));
    for (const recording of recordings) {
      recording.byThread = weightsOfThreads(recording, null);
      recording.processes = processesOf(recording.threads);
    }
    const keys = new Set(this.recordings.flatMap(({ labels }) => labels.flatMap((set) => set.map(([key]) => key))));
    /** What can stand outermost: processes, threads, whole sets of labels, and those of one key. */
    this.groupings = ["process", "thread", ...(keys.size > 0 ? ["label"] : []), ...[...keys].sort().map((key) => `label:${key}`)];
    for (const recording of this.recordings) recording.groups = this.groupsOf(recording);
  }

  /** By grouping: the column of the samples that says of which group each is, and a frame for each of the groups. */
  groupsOf({ threads, processes, labels }) {
    const group = (column, names, binary) => ({ column, frames: names.map((name) => this.intern(name, binary)) });
    // A recording without labels has one set, which is empty.
    const sets = labels.length > 0 ? labels : [[]];
    return Object.fromEntries(this.groupings.map((grouping) => {
      if (grouping === "process") return [grouping, group("thread", threads.map(({ pid }) => processes.get(pid).name), OF_GROUPS.process)];
      if (grouping === "thread") return [grouping, group("thread", threads.map(({ name }) => name), OF_GROUPS.thread)];
      return [grouping, group("labels", sets.map((set) => labelsInWords(set, grouping)), OF_GROUPS.label)];
    }));
  }

  /** Adds what was read of a file of another profiler (formats.js), and returns its place among the recordings. */
  open(name, { event, unit, threads, labels = [], frames, samples }) {
    const functions = frames.map(([function_, binary]) => this.intern(function_, binary));
    const { count, parent, fn, inlined } = this.nodes;
    const tree = new GrowingTree(this.nodes);
    const keyOf = (above, of, isInlined) => above * 2 ** 26 + of * 2 + isInlined;
    const places = new Map();
    for (let node = 1; node < count; node++) places.set(keyOf(parent[node], fn[node], inlined[node]), node);
    const below = (above, frame) => {
      const [of, isInlined] = [functions[frame], frames[frame][2] ? 1 : 0];
      const key = keyOf(above, of, isInlined);
      let place = places.get(key);
      if (place === undefined) {
        place = tree.add(above, of, isInlined);
        places.set(key, place);
      }
      return place;
    };
    const inOrder = [...samples].sort((a, b) => a.time - b.time);
    const begin = inOrder[0]?.time ?? 0;
    const column = (Kind, value) => Kind.from(inOrder, value);
    const columns = {
      count: inOrder.length,
      time: column(Float64Array, ({ time }) => time - begin),
      thread: column(Int32Array, ({ thread }) => thread),
      labels: labels.length > 0 ? column(Int32Array, (sample) => sample.labels) : new Int32Array(),
      node: column(Int32Array, ({ stack }) => stack.reduce(below, 0)),
      times: column(Float64Array, ({ times }) => times),
      weight: column(Float64Array, ({ weight }) => weight),
    };
    this.nodes = tree.nodes;
    const duration = columns.time.at(-1) ?? 0;
    // Without times there is no order of time.
    this.add([{ name, event, unit, threads, labels, step: duration > 0 ? 0 : 1, samples: columns, seen: columns.times.reduce((sum, times) => sum + times, 0), duration }]);
    return this.recordings.length - 1;
  }

  /** The function of a name in the address. */
  functionOf(name) {
    return this.byName.get(name) ?? this.byPlace.get(name);
  }

  /** A function's name in the address: with its binary where others are called so. */
  addressName(fn) {
    const name = this.names[fn];
    return this.byName.get(name) === fn ? name : placeOfName(name, this.binaries[fn]);
  }

  /**
   * The call tree and the recordings as they are looked at: `by` is the grouping that stands outermost, and functions of `libraries` (a set of
   * binaries) are the library.
   */
  through({ by, libraries }) {
    let { nodes, recordings } = this;
    if (by !== null) ({ nodes, recordings } = grouped(nodes, recordings, by));
    if (libraries.size > 0) {
      const of = this.binaries.map((binary, fn) => (libraries.has(binary) ? this.libraries.get(binary) : fn));
      nodes = { ...nodes, fn: nodes.fn.map((fn) => (fn < 0 ? fn : of[fn])) };
    }
    return { nodes, recordings };
  }
}

function placeOfName(name, binary) {
  return `${name} @ ${binary}`;
}

/** By process: {name, threads: their places}; it is called as its first thread. */
function processesOf(threads) {
  const processes = new Map();
  threads.forEach(({ pid, tid, name }, index) => {
    const process = processes.get(pid) ?? { pid, name, threads: [] };
    if (pid === tid) process.name = name;
    process.threads.push(index);
    processes.set(pid, process);
  });
  return processes;
}

/** Labels of a set, or those of a key; as crates/see/hone-views/src/labels.rs writes them. */
function labelsInWords(set, grouping) {
  const key = grouping === "label" ? null : grouping.slice("label:".length);
  const words = set.filter(([own]) => key === null || own === key).map(([, text]) => text);
  if (words.length > 0) return words.join(" ");
  return key === null ? "[no labels]" : `[no label ${key}]`;
}

/** A call tree with a process, thread or set of labels below the root, of which each has only what it ran. */
function grouped(nodes, recordings, by) {
  const tree = new GrowingTree();
  const groups = new Map();
  const within = (group, node) => {
    let places = groups.get(group);
    if (places === undefined) groups.set(group, (places = new Map([[0, tree.add(0, group, 0)]])));
    const path = [];
    let at = node;
    for (; !places.has(at); at = nodes.parent[at]) path.push(at);
    let place = places.get(at);
    while (path.length > 0) {
      const next = path.pop();
      place = tree.add(place, nodes.fn[next], nodes.inlined[next]);
      places.set(next, place);
    }
    return place;
  };
  const seen = recordings.map((recording) => {
    const { column, frames } = recording.groups[by];
    const numbers = recording.samples[column];
    const node = recording.samples.node.map((leaf, sample) => within(frames[numbers[sample] ?? 0], leaf));
    return { ...recording, samples: { ...recording.samples, node } };
  });
  return { nodes: tree.nodes, recordings: seen };
}

/** A call tree that is made node by node, a parent before its children; it begins with the root, or with another tree. */
class GrowingTree {
  constructor({ parent, fn, inlined } = { parent: [-1], fn: [-1], inlined: [0] }) {
    this.parent = [...parent];
    this.fn = [...fn];
    this.inlined = [...inlined];
  }

  /** Adds a node, and returns its number. */
  add(parent, fn, inlined) {
    this.parent.push(parent);
    this.fn.push(fn);
    return this.inlined.push(inlined) - 1;
  }

  get nodes() {
    const { parent, fn, inlined } = this;
    const nodes = { count: parent.length, parent: Int32Array.from(parent), fn: Int32Array.from(fn), inlined: Uint8Array.from(inlined) };
    return Object.assign(nodes, childLists(nodes));
  }
}
