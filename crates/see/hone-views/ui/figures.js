// The figures of what is chosen, for each side of a comparison: two recordings, or two parts of the time of one; the new side comes last.

class Figures {
  constructor(model) {
    this.model = model;
    this.lens = null;
    this.key = null;
  }

  /** Computes the figures of a state; those that there are where nothing of them changed, as while one searches. */
  choose(state) {
    const { model } = this;
    const { by, libraries, focus, dropped, process } = state;
    this.state = state;
    const lens = JSON.stringify([by, [...libraries], model.recordings.length]);
    if (lens !== this.lens) Object.assign(this, { lens, seen: model.through(state) });
    this.sides = sidesOf(model.recordings, state);
    const key = JSON.stringify([lens, this.sides, this.thread, process, focus, [...dropped]]);
    if (key === this.key) return;
    this.key = key;
    const { nodes } = this.seen;
    this.weights = this.sides.map((side) => {
      const weights = selfWeights(nodes, this.seen.recordings[side.place], this.selection(side));
      applyFilters(nodes, weights, state);
      return { ...weights, total: totalWeights(nodes, weights.own) };
    });
    this.whole = this.weights.map(({ total }) => total[0]);
    this.samples = this.weights.map(effectiveSamples);
    this.byFunction = this.weights.map(({ own, total }) => functionWeights(nodes, model.names.length, own, total));
    this.changes = this.compared();
  }

  /** The recording that is looked at; of two the new one. */
  get recording() {
    return this.model.recordings[this.sides.at(-1).place];
  }

  /** The same through the lens. */
  get seenRecording() {
    return this.seen.recordings[this.sides.at(-1).place];
  }

  get isCompared() {
    return this.sides.length > 1;
  }

  /** The thread that is looked at: in time order always one. */
  get thread() {
    const { thread, process, view } = this.state;
    const { threads, processes } = this.recording;
    if (thread !== null && thread < threads.length) return thread;
    return view === "chart" ? busiestThread(this.recording, processes.get(process)?.threads) : null;
  }

  /** Samples of a side that count: of an older recording all threads that are called as the chosen ones. */
  selection({ place, range }) {
    const recording = this.model.recordings[place];
    const { thread } = this;
    const chosen = thread !== null ? [thread] : this.recording.processes.get(this.state.process)?.threads;
    if (chosen === undefined) return { threads: null, range };
    if (recording === this.recording) return { threads: new Set(chosen), range };
    const names = new Set(chosen.map((index) => this.recording.threads[index].name));
    const called = recording.threads.map(({ name }, index) => (names.has(name) ? index : -1));
    return { threads: new Set(called.filter((index) => index >= 0)), range };
  }

  /** By function how its share changed; `null` where nothing is compared. */
  compared() {
    if (!this.isCompared) return null;
    const [old, now] = this.byFunction;
    const share = (index, weight) => (this.whole[index] > 0 ? weight / this.whole[index] : 0);
    const changes = new Map();
    for (let fn = 0; fn < this.model.names.length; fn++) {
      if (old.total[fn] <= 0 && now.total[fn] <= 0) continue;
      changes.set(fn, changeOfShare(share(0, old.self[fn]), share(1, now.self[fn]), this.samples));
    }
    markSignificant([...changes.values()]);
    return changes;
  }

  /** The change of the share of a drawn node's weights. */
  changeOf({ values }) {
    const share = (index) => (this.whole[index] > 0 ? values[index] / this.whole[index] : 0);
    return share(1) - share(0);
  }

  /** The function with the most time in its own instructions. */
  get heaviest() {
    const { self } = this.byFunction.at(-1);
    let heaviest = null;
    self.forEach((weight, fn) => {
      if (weight > 0 && (heaviest === null || weight > self[heaviest])) heaviest = fn;
    });
    return heaviest;
  }
}

/** What is compared, the new side last: [{place of the recording, range}]; one side where nothing is. */
function sidesOf(recordings, { old, now, base, range }) {
  const last = recordings.length - 1;
  const place = Math.min(now ?? last, last);
  const before = old ?? 0;
  const side = { place, range };
  if (base !== null) return [{ place, range: base }, side];
  const isCompared = before !== place && recordings[before] !== undefined;
  return isCompared ? [{ place: before, range: null }, side] : [side];
}

/** The thread with the most samples by weight, of these or of all. */
function busiestThread({ byThread }, among = [...byThread.keys()]) {
  return among.reduce((most, index) => (byThread[index] > byThread[most] ? index : most), among[0]);
}

/** The weight of each thread in a part of the time. */
function weightsOfThreads(recording, range) {
  const sums = new Float64Array(recording.threads.length);
  const { samples } = recording;
  for (const sample of selected(samples, { threads: null, range })) sums[samples.thread[sample]] += samples.weight[sample];
  return sums;
}
