// What the page shows: functions, the call tree of all recordings, and their samples; also through a lens, with threads or processes as
// outermost frames, or a library as one frame.

/** Binaries of frames that are no functions. */
const OF_GROUPS = { process: "[process]", thread: "[thread]" };

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

  /** Adds recordings, whose samples are of `nodes`, with the weight of each thread, and frames for their libraries, processes and threads. */
  add(recordings) {
    this.recordings.push(...recordings);
    this.libraries = new Map([...new Set(this.binaries)].filter((binary) => !Object.values(OF_GROUPS).includes(binary))
      .map((binary) => [binary, this.intern(fileName(binary), binary)]));
    for (const recording of recordings) {
      const { threads } = recording;
      recording.byThread = weightsOfThreads(recording, null);
      recording.processes = processesOf(threads);
      recording.groups = {
        process: threads.map(({ pid }) => this.intern(recording.processes.get(pid).name, OF_GROUPS.process)),
        thread: threads.map(({ name }) => this.intern(name, OF_GROUPS.thread)),
      };
    }
  }

  /** Adds what was read of a file of another profiler (formats.js), and returns its place among the recordings. */
  open(name, { event, unit, threads, frames, samples }) {
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
      node: column(Int32Array, ({ stack }) => stack.reduce(below, 0)),
      times: column(Float64Array, ({ times }) => times),
      weight: column(Float64Array, ({ weight }) => weight),
    };
    this.nodes = tree.nodes;
    const duration = columns.time.at(-1) ?? 0;
    // Without times there is no order of time.
    this.add([{ name, event, unit, threads, step: duration > 0 ? 0 : 1, samples: columns, seen: columns.times.reduce((sum, times) => sum + times, 0), duration }]);
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
   * The call tree and the recordings as they are looked at: `by` "process" or "thread" puts these outermost, and functions of `libraries` (a set of
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

/** A call tree with a process or thread below the root, of which each has only what it ran. */
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
    const { thread, node } = recording.samples;
    const groupOf = recording.groups[by];
    return { ...recording, samples: { ...recording.samples, node: node.map((leaf, sample) => within(groupOf[thread[sample]], leaf)) } };
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
