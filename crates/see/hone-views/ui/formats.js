// Files of other profilers, read in the browser: pprof, speedscope, the Firefox Profiler, and folded stacks. Each reader gives
// {event, unit, threads: [{pid, tid, name}], labels: [[[key, text]]], frames: [[name, binary, inlined]], samples: [{time, thread, labels, stack,
// times, weight}]}; stacks are places of frames, the outermost first, `labels` is the place of a set (only pprof has them), `time` microseconds,
// `times` how often it was seen, and weights of the unit "ns" nanoseconds. A file without times has them all 0.

const NANOSECONDS = { nanoseconds: 1, microseconds: 1e3, milliseconds: 1e6, seconds: 1e9 };

/** Reads the bytes of a file of any of these kinds. */
async function readProfile(bytes) {
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? await gunzipped(bytes) : bytes;
  const begin = new TextDecoder().decode(plain.subarray(0, 64));
  if (/^(PERFILE2|2ELIFREP)/.test(begin)) throw new Error("it is a recording: run `hone view FILE` where its programs are");
  if (begin.trimStart().startsWith("{")) return readJson(JSON.parse(new TextDecoder().decode(plain)));
  // No text has a NUL; each pprof has its empty first string.
  if (plain.includes(0) || plain[0] === 0x0a) return readPprof(plain);
  return readFolded(new TextDecoder("utf-8", { fatal: true }).decode(plain));
}

async function gunzipped(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function readJson(json) {
  if (Array.isArray(json.profiles) && Array.isArray(json.shared?.frames)) return readSpeedscope(json);
  if (Array.isArray(json.threads) && json.meta !== undefined) return readFirefox(json);
  throw new Error("it is JSON, but neither of speedscope nor of the Firefox Profiler");
}

/** Lines of `outermost;…;innermost COUNT`, as of stackcollapse-perf.pl and `hone view --to folded`. */
function readFolded(text) {
  const frames = new Frames();
  const samples = [];
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "") return;
    const [, stack, count] = /^(.*) (\d+(?:\.\d+)?)\s*$/.exec(line) ?? [];
    if (stack === undefined) throw new Error(`line ${index + 1} does not end with a count`);
    const weight = Number(count);
    samples.push({ time: 0, thread: 0, stack: stack.split(";").map((name) => frames.of(name, "")), times: Math.max(weight, 1), weight });
  });
  if (samples.length === 0) throw new Error("it is empty");
  return { event: "samples", unit: "events", threads: [{ pid: 0, tid: 0, name: "all" }], frames: frames.list, samples };
}

/** https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts */
function readSpeedscope({ shared, profiles }) {
  const frames = new Frames();
  const places = shared.frames.map(({ name, file }) => frames.of(name, file ?? ""));
  const samples = [];
  const threads = profiles.map(({ name }, index) => ({ pid: 0, tid: index + 1, name: name ?? `profile ${index + 1}` }));
  const isTime = profiles.every(({ unit }) => unit in NANOSECONDS);
  profiles.forEach((profile, thread) => {
    const scale = isTime ? NANOSECONDS[profile.unit] : 1;
    const begin = profile.startValue ?? 0;
    const add = (at, stack, weight) => {
      const time = isTime ? ((at - begin) * scale) / 1e3 : 0;
      const missing = stack.find((frame) => places[frame] === undefined);
      if (missing !== undefined) throw new Error(`a sample has frame ${missing}, of ${places.length}`);
      if (weight > 0 && stack.length > 0) samples.push({ time, thread, stack: stack.map((frame) => places[frame]), times: 1, weight: weight * scale });
    };
    if (profile.type === "evented") {
      const open = [];
      let since = begin;
      for (const { type, frame, at } of profile.events) {
        add(since, open, at - since);
        since = at;
        if (type === "O") open.push(frame);
        else open.pop();
      }
      return;
    }
    let at = begin;
    profile.samples.forEach((stack, index) => {
      const weight = profile.weights[index];
      add(at, stack, weight);
      at += weight;
    });
  });
  return { event: isTime ? "time" : profiles[0]?.unit ?? "samples", unit: isTime ? "ns" : "events", threads, frames: frames.list, samples };
}

/** Processed profiles, as profiler.firefox.com saves them and samply and `hone view --to firefox` write them. */
function readFirefox(profile) {
  const frames = new Frames();
  const samples = [];
  const threads = [];
  profile.threads.forEach((thread) => {
    const of = (table) => thread[table] ?? profile.shared?.[table];
    const strings = of("stringArray") ?? of("stringTable");
    const [stacks, frameTable, functions, resources] = ["stackTable", "frameTable", "funcTable", "resourceTable"].map(of);
    const binaryOf = (fn) => {
      const resource = functions.resource[fn];
      const lib = resource >= 0 ? resources.lib[resource] : null;
      return profile.libs?.[lib]?.name ?? (resource >= 0 ? strings[resources.name[resource]] : "");
    };
    const known = new Map([[null, []]]);
    const stackOf = (stack) => {
      let list = known.get(stack);
      if (list !== undefined) return list;
      const frame = stacks.frame[stack];
      const fn = frameTable.func[frame];
      list = [...stackOf(stacks.prefix[stack]), frames.of(strings[functions.name[fn]], binaryOf(fn), (frameTable.inlineDepth?.[frame] ?? 0) > 0)];
      known.set(stack, list);
      return list;
    };
    const { stack, time, timeDeltas, weight } = thread.samples;
    let at = 0;
    stack.forEach((leaf, index) => {
      at = time === undefined ? at + timeDeltas[index] : time[index];
      if (leaf !== null) samples.push({ time: at * 1e3, thread: threads.length, stack: stackOf(leaf), times: 1, weight: Math.abs(weight?.[index] ?? 1) });
    });
    threads.push({ pid: Number(thread.pid) || 0, tid: Number(thread.tid) || 0, name: thread.name ?? "thread" });
  });
  return { event: "samples", unit: "events", threads, frames: frames.list, samples };
}

/** https://github.com/google/pprof/blob/main/proto/profile.proto */
function readPprof(bytes) {
  const strings = [];
  const [types, samples, mappings, locations, functions] = [[], [], new Map(), new Map(), new Map()];
  let chosen = 0;
  for (const { field, value } of fieldsOf(bytes)) {
    if (field === 1) types.push(messageOf(value, {}));
    if (field === 2) samples.push(messageOf(value, { 1: "numbers", 2: "numbers", 3: "messages" }));
    if (field === 3) addById(mappings, messageOf(value, {}));
    if (field === 4) addById(locations, messageOf(value, { 4: "messages" }));
    if (field === 5) addById(functions, messageOf(value, {}));
    if (field === 6) strings.push(new TextDecoder().decode(value));
    if (field === 14) chosen = value;
  }
  if (types.length === 0 || strings.length === 0) throw new Error("it is neither text, JSON nor a pprof");
  const named = types.findIndex((type) => type[1] === chosen);
  const place = named >= 0 && chosen > 0 ? named : types.length - 1;
  const unit = strings[types[place][2] ?? 0];
  const scale = NANOSECONDS[unit];
  const frames = new Frames();
  const stackOf = new Map([...locations].map(([id, location]) => {
    const binary = strings[mappings.get(location[2])?.[5] ?? 0];
    // The innermost of inlined calls stands first.
    const lines = (location[4] ?? []).map((line) => strings[functions.get(line[1])?.[2] ?? 0]);
    const list = lines.map((name, index) => frames.of(name, binary, index < lines.length - 1)).reverse();
    return [id, list.length > 0 ? list : [frames.of(`0x${(location[3] ?? 0).toString(16)}`, binary)]];
  }));
  const labels = new LabelSets(strings);
  const counts = types.findIndex((type) => strings[type[2] ?? 0] === "count");
  const made = samples.map((sample) => ({
    time: 0,
    thread: 0,
    labels: labels.of(sample[3] ?? []),
    stack: [...(sample[1] ?? [])].reverse().flatMap((id) => stackOf.get(id) ?? []),
    times: Math.max(sample[2]?.[counts] ?? 1, 1),
    weight: (sample[2]?.[place] ?? 0) * (scale ?? 1),
  })).filter(({ weight, stack }) => weight > 0 && stack.length > 0);
  return {
    event: strings[types[place][1] ?? 0], unit: scale === undefined ? "events" : "ns", threads: [{ pid: 0, tid: 0, name: "all" }],
    labels: labels.isThere ? labels.list : [], frames: frames.list, samples: made,
  };
}

/** Sets of labels of a pprof, each once; numbers that stand as labels are left out, as Hone does everywhere. */
class LabelSets {
  constructor(strings) {
    this.strings = strings;
    this.list = [];
    this.places = new Map();
  }

  /** The place of a set. */
  of(messages) {
    const texts = messages.filter((label) => label[2] !== undefined).map((label) => [this.strings[label[1] ?? 0], this.strings[label[2]]]);
    const set = texts.map(([key, value]) => [key, `${labelWord(key, key.includes("="))}=${labelWord(value, false)}`]).sort(([, a], [, b]) => (a < b ? -1 : 1));
    const name = JSON.stringify(set);
    if (!this.places.has(name)) this.places.set(name, this.list.push(set) - 1);
    return this.places.get(name);
  }

  get isThere() {
    return this.list.some((set) => set.length > 0);
  }
}

/** A word of a label: quoted where it has blanks and the like, as crates/base/hone-profile/src/labels.rs writes it. */
function labelWord(text, isOdd) {
  return isOdd || text === "" || /[\s\p{Cc}"]/u.test(text) ? JSON.stringify(text) : text;
}

function addById(map, message) {
  map.set(message[1], message);
}

/** Fields of a message of Protocol Buffers: numbers of varints, bytes of all else. */
function* fieldsOf(bytes) {
  const numbers = new Varints(bytes);
  while (numbers.at < bytes.length) {
    const key = numbers.next();
    const [field, type] = [Math.floor(key / 8), key % 8];
    if (type === 0) {
      yield { field, value: numbers.next() };
      continue;
    }
    const length = type === 2 ? numbers.next() : { 1: 8, 5: 4 }[type];
    if (length === undefined || !(numbers.at + length <= bytes.length)) throw new Error("it is no pprof, or not all of one");
    yield { field, value: bytes.subarray(numbers.at, numbers.at + length) };
    numbers.at += length;
  }
}

/** A message by its fields; `lists` says which are lists of "numbers" or of "messages". */
function messageOf(bytes, lists) {
  const message = {};
  for (const { field, value } of fieldsOf(bytes)) {
    const kind = lists[field];
    if (kind === undefined) message[field] = value;
    else if (kind === "messages") (message[field] ??= []).push(messageOf(value, {}));
    else (message[field] ??= []).push(...(typeof value === "number" ? [value] : packedNumbers(value)));
  }
  return message;
}

function packedNumbers(bytes) {
  const numbers = new Varints(bytes);
  const list = [];
  while (numbers.at < bytes.length) list.push(numbers.next());
  return list;
}

/** Frames by name, binary and whether they were inlined, each once. */
class Frames {
  constructor() {
    this.list = [];
    this.places = new Map();
  }

  of(name, binary, inlined = false) {
    const key = `${inlined ? 1 : 0} ${name} @ ${binary}`;
    let place = this.places.get(key);
    if (place === undefined) {
      place = this.list.push([String(name ?? ""), String(binary ?? ""), inlined]) - 1;
      this.places.set(key, place);
    }
    return place;
  }
}
