// Unpacks what the page carries: names as JSON, the call tree and the samples as varints, both gzipped.
// Written by crates/see/hone-views/src/page.rs, which describes the form.

/** The numbers of a byte array, one after the other, seven bits a byte. */
class Varints {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  next() {
    const bytes = this.bytes;
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[this.at++];
      value += (byte & 0x7f) * scale;
      // Beyond the end there is nothing, which ends a number too.
      if (!(byte >= 0x80)) return value;
      scale *= 128;
    }
  }
}

/** Decodes the page's data: {event, unit, names, functions, nodes, recordings}. */
async function unpack() {
  const [header, samples] = await Promise.all([unpackJson("names"), unzipped("samples").arrayBuffer()]);
  const numbers = new Varints(new Uint8Array(samples));
  const nodes = unpackNodes(numbers);
  const recordings = header.recordings.map((facts) => unpackSamples(facts, numbers));
  return { ...header, nodes, recordings };
}

/** JSON of an element, gzipped and in base64. */
async function unpackJson(id) {
  return unzipped(id).json();
}

/** Bytes of an element, gzipped and in base64. */
function unzipped(id) {
  const packed = bytesOfBase64(document.getElementById(id).textContent.trim());
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
}

/** Browsers before 2025 do not know `fromBase64`. */
function bytesOfBase64(text) {
  if (Uint8Array.fromBase64 !== undefined) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

/** The call tree: a node's parent comes before it; node 0 is the root, of no function. */
function unpackNodes(numbers) {
  const count = numbers.next();
  const nodes = {
    count,
    parent: new Int32Array(count),
    fn: new Int32Array(count),
    inlined: new Uint8Array(count),
  };
  nodes.parent[0] = -1;
  nodes.fn[0] = -1;
  for (let node = 1; node < count; node++) {
    nodes.parent[node] = node - numbers.next();
    const fn = numbers.next();
    nodes.fn[node] = Math.floor(fn / 2);
    nodes.inlined[node] = fn % 2;
  }
  Object.assign(nodes, childLists(nodes));
  return nodes;
}

/** Children of all nodes in one array: those of `node` from first[node] up to first[node + 1]. */
function childLists({ count, parent }) {
  const first = new Int32Array(count + 1);
  for (let node = 1; node < count; node++) first[parent[node] + 1]++;
  for (let node = 0; node < count; node++) first[node + 1] += first[node];
  const free = first.slice();
  const children = new Int32Array(Math.max(count - 1, 0));
  for (let node = 1; node < count; node++) children[free[parent[node]]++] = node;
  return { first, children };
}

/** Samples in order of time, as columns, and how often they were `seen` in all. `time` is microseconds since the first. */
function unpackSamples(facts, numbers) {
  const count = numbers.next();
  const samples = {
    count,
    time: new Float64Array(count),
    thread: new Int32Array(count),
    // Sets of labels are few.
    labels: new Int32Array(facts.labels.length > 0 ? count : 0),
    node: new Int32Array(count),
    times: new Float64Array(count),
    weight: new Float64Array(count),
  };
  let time = 0;
  let seen = 0;
  for (let sample = 0; sample < count; sample++) {
    time += numbers.next();
    samples.time[sample] = time;
    samples.thread[sample] = numbers.next();
    if (facts.labels.length > 0) samples.labels[sample] = numbers.next();
    samples.node[sample] = numbers.next();
    samples.times[sample] = numbers.next();
    seen += samples.times[sample];
    samples.weight[sample] = numbers.next();
  }
  return { ...facts, samples, seen, duration: count > 0 ? time + facts.step : 0 };
}
