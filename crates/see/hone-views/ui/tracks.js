// A strip of time for each process, and for each thread of the process that is looked at; a drag over one chooses it with the part of the time.

const TRACKS_MAX = 40;
const FEW_TRACKS = 6; // Up to so many are open from the beginning.

class Tracks {
  /** `onPart(range, kind, chosen)`: a part of a track's time, `chosen` {process, thread}; `onChoose(chosen)`: the track alone. */
  constructor(list, { onPart, onChoose }) {
    this.list = list;
    this.onPart = onPart;
    this.rows = new Map();
    list.addEventListener("click", (event) => {
      const { process, thread } = event.target.closest("button")?.dataset ?? {};
      if (process === undefined) return;
      const chosen = { process: Number(process), thread: thread === undefined ? null : Number(thread) };
      onChoose(chosen);
    });
  }

  /** `of`: {recording, process, thread: what is chosen, range, base, isTime}. */
  show(of) {
    const { recording, isTime } = of;
    const { tracks, left } = tracksOf(of);
    const uses = tracks.map(({ threads }) => useOf(recording, new Set(threads), isTime));
    const top = topOf(uses.reduce((most, use) => Math.max(most, highestOf(use)), 1e-9), isTime);
    const rows = tracks.map((track) => this.row(track));
    const rest = left === null ? [] : [this.restRow(left)];
    const wanted = [...rows.map(({ item }) => item), ...rest];
    // What stays keeps the focus.
    if (wanted.length !== this.list.children.length || wanted.some((item, at) => this.list.children[at] !== item)) {
      this.list.replaceChildren(...wanted);
    }
    tracks.forEach((track, at) => {
      const { button, timeline } = rows[at];
      const isChosen = track.thread === null ? track.process === of.process && of.thread === null : track.thread === of.thread;
      button.setAttribute("aria-pressed", String(isChosen));
      button.innerHTML = `${escaped(track.name)} <small>${track.number} · ${percent(track.share)}</small>`;
      timeline.show({ ...of, threads: new Set(track.threads), top });
    });
  }

  draw() {
    for (const { timeline } of this.rows.values()) if (timeline.canvas.clientWidth > 0) timeline.draw();
  }

  /** The row of a track; made once. */
  row({ process, thread, isBelow }) {
    const key = `${process} ${thread}`;
    let row = this.rows.get(key);
    if (row !== undefined) return row;
    const item = document.createElement("li");
    item.className = isBelow ? "below" : "";
    const button = document.createElement("button");
    button.className = "bare";
    button.dataset.process = process;
    if (thread !== null) button.dataset.thread = thread;
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.title = "Drag to look at this one in a part of the time";
    item.append(button, canvas);
    row = { item, button, timeline: new Timeline(canvas, (range, kind) => this.onPart(range, kind, { process, thread }), false) };
    this.rows.set(key, row);
    return row;
  }

  restRow(text) {
    const item = document.createElement("li");
    item.innerHTML = `<small>${text}</small>`;
    return item;
  }
}

/** Tracks from the heaviest on, with the threads of the chosen process below it, and what is left in words or null. */
function tracksOf({ recording, process, thread, range }) {
  const all = recording.byThread;
  const inRange = weightsOfThreads(recording, range);
  const whole = sumOf(inRange) || 1;
  const sum = (weights, threads) => sumOf(threads.map((index) => weights[index]));
  const ofThread = (index) => ({
    process: recording.threads[index].pid, thread: index, isBelow: recording.processes.size > 1, name: recording.threads[index].name,
    number: recording.threads[index].tid, threads: [index], weight: all[index],
  });
  const byWeight = (tracks) => tracks.sort((a, b) => b.weight - a.weight);
  const threadsOf = (of) => byWeight(of.threads.map(ofThread));
  const processes = [...recording.processes.values()];
  const open = thread === null ? process : recording.threads[thread]?.pid;
  const tracks = processes.length === 1 ? threadsOf(processes[0]) : byWeight(processes.map((of) => ({
    process: of.pid, thread: null, isBelow: false, name: of.name, number: of.pid, threads: of.threads, weight: sum(all, of.threads),
  }))).flatMap((track) => (track.process === open && track.threads.length > 1 ? [track, ...threadsOf(track)] : [track]));
  const shown = tracks.slice(0, TRACKS_MAX);
  const rest = tracks.slice(TRACKS_MAX);
  for (const track of shown) track.share = sum(inRange, track.threads) / whole;
  const of = processes.length === 1 ? "threads" : "processes";
  const left = rest.length === 0 ? null : `${rest.length} more ${of}, ${percent(sum(inRange, rest.flatMap((track) => track.threads)) / whole)}`;
  return { tracks: shown, left };
}

/** How many tracks a recording has before one is opened. */
function trackCount({ threads, processes }) {
  return processes.size === 1 ? threads.length : processes.size;
}
