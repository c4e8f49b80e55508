// Source and machine code of one function beside the graph, with the time that went to each line and instruction.
// The command puts the code of the hottest functions on the page: crates/see/hone-views/src/code.rs describes the form.

const CODE_ROWS_MAX = 3000;

class CodePane {
  /** `onMode(mode | null)` is called when source or assembly was chosen, or the pane was closed. */
  constructor(parts, onMode, onFunction) {
    this.parts = parts;
    this.code = null;
    this.loading = null;
    this.shown = null;
    this.lastMode = "source";
    parts.code.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button?.dataset.code !== undefined) onMode(button.dataset.code);
      if (button?.id === "code-close") onMode(null);
      if (button?.dataset.host !== undefined) onFunction(Number(button.dataset.host));
      if (button?.dataset.target !== undefined) this.goTo(button.dataset.target);
    });
  }

  /** The way of looking behind this one, of those that there are. */
  next(mode) {
    const modes = CODES.filter((name) => !this.parts.code.querySelector(`[data-code=${name}]`).hidden);
    return modes[(modes.indexOf(mode) + 1) % modes.length];
  }

  /** Shows the row of an address, and marks it for a moment. */
  goTo(address) {
    const row = this.parts["code-rows"].querySelector(`[data-address="${address}"]`);
    if (row === null) return;
    row.scrollIntoView({ block: "center" });
    row.animate([{ backgroundColor: "var(--accent-wash)" }, {}], 1500);
  }

  /** Unpacks the code when it is first looked at. */
  load() {
    this.loading ??= unpackJson("packed-code").then((code) => {
      this.code = code;
      this.byFunction = new Map();
      for (const of of code.functions) {
        const all = this.byFunction.get(of.fn) ?? [];
        all.push(of);
        this.byFunction.set(of.fn, all);
      }
    });
    return this.loading;
  }

  /** The lines of a function that take its own time, the dearest first: [{place, text, share}]; none where the page has no code of it. */
  async dearestLines(fn) {
    await this.load();
    const { files, whole } = lineWeights(this.byFunction.get(fn) ?? []);
    const all = [...files].flatMap(([file, lines]) => [...lines].map(([line, weight]) => ({ file, line, weight })));
    return all.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight).map(({ file, line, weight }) => {
      const place = placeOf(this.code, file, line);
      return { place, text: textOf(this.code, file, line) || place, share: weight / whole };
    });
  }

  /**
   * `of`: {mode: "source", "assembly", "file" or null, fn, name, hosts(): where it is inlined, nameOf(fn), compared, recording: its name, all: its
   * weight}.
   */
  async show(of) {
    const { parts } = this;
    this.wanted = of;
    const wasHidden = parts.code.hidden;
    parts.code.hidden = of.mode === null;
    if (of.mode === null) return;
    // On a small screen it is below the graph.
    if (wasHidden) parts.code.scrollIntoView({ block: "nearest" });
    this.lastMode = of.mode;
    this.press(of.mode);
    parts["code-title"].textContent = of.name;
    const key = `${of.mode} ${of.fn}`;
    if (key === this.shown) {
      this.press(this.shownMode);
      return;
    }
    try {
      await this.load();
    } catch (error) {
      parts["code-notes"].textContent = `The code on this page cannot be read: ${error}`;
      return;
    }
    // Another function may have been chosen meanwhile.
    if (this.wanted !== of) return;
    this.shown = key;
    const { notes, rows, mode, modes } = this.content(of);
    this.shownMode = mode;
    for (const button of parts.code.querySelectorAll("[data-code]")) button.hidden = !modes.includes(button.dataset.code);
    this.press(mode);
    parts["code-notes"].innerHTML = notes.map((note) => `<p>${note}</p>`).join("");
    parts["code-rows"].innerHTML = rows;
    const table = parts["code-table"];
    table.scrollTop = 0;
    const first = table.querySelector("tr.chosen") ?? table.querySelector("tr.hottest");
    if (first !== null) table.scrollTop = Math.max(first.offsetTop - table.clientHeight / 3, 0);
  }

  /** Marks which of source and assembly is shown. */
  press(mode) {
    for (const button of this.parts.code.querySelectorAll("[data-code]")) {
      button.setAttribute("aria-pressed", String(button.dataset.code === mode));
    }
  }

  /** What is shown, in which mode, and which modes there are: a function without lines has its assembly alone. */
  content(of) {
    const { code } = this;
    const { mode } = of;
    if (of.fn === null) return { notes: ["Choose a function: in the graph, or in the table."], rows: "", mode, modes: CODES };
    let shown = this.byFunction.get(of.fn);
    const notes = [];
    const inlined = shown === undefined ? of.hosts().filter(([fn]) => fn !== of.fn) : [];
    if (inlined.length > 0) {
      const all = inlined.reduce((sum, [, weight]) => sum + weight, 0);
      const host = inlined.map(([fn]) => fn).find((fn) => this.byFunction.has(fn));
      shown = this.byFunction.get(host);
      const buttons = inlined.slice(0, 8).map(([fn, weight]) => {
        const name = escaped(of.nameOf(fn));
        return `<button data-host="${fn}" title="${name}" aria-pressed="${fn === host}">${name}</button> ${percent(weight / all)}`;
      });
      const here = host === undefined ? "" : ". The code of the underlined one is here; a bar beside it marks what is inlined";
      notes.push(`It is inlined into ${buttons.join(", ")}${here}.`);
    }
    if (shown === undefined) {
      const whose = of.compared ? `, which is of ${of.recording}` : "";
      notes.push(escaped(`The page has no code of it${whose}. ${code.left_out}`));
      return { notes, rows: "", mode, modes: [mode] };
    }
    const weights = lineWeights(shown);
    const { files } = weights;
    const [file] = [...files].filter(([file]) => code.files[file].whole).sort((a, b) => sumOf([...b[1].values()]) - sumOf([...a[1].values()]))[0] ?? [];
    const modes = CODES.filter((name) => (name === "source" ? files.size > 0 : name === "assembly" || file !== undefined));
    if (mode === "file" && file !== undefined) {
      notes.push(escaped(`Shares are of the time of ${of.compared ? `all of ${of.recording}` : "the whole recording"}, of functions whose code is on the page.`));
      return { notes, rows: wholeFileRows(code, file, of, notes), mode, modes };
    }
    notes.push(escaped(`Shares are of the function's own time in ${of.compared ? `all of ${of.recording}` : "the whole recording"}, ` +
      `whatever is chosen above.`));
    const at = code.inlined.findIndex((name) => of.name === name || of.name.startsWith(`${name} [`));
    const mine = inlined.length === 0 || at < 0 ? null : at;
    if (mode !== "assembly" && files.size > 0) return { notes, rows: sourceRows(code, shown, weights, mine, notes), mode: "source", modes };
    if (mode !== "assembly") notes.push("Its file has no line tables, so this is the assembly; build with -g1 for the source.");
    return { notes, rows: assemblyRows(code, shown, mine, notes), mode: "assembly", modes };
  }
}

/**
 * Instructions in order of their addresses, under the source lines that they come from; with a bar beside those of the
 * inlined function `mine`.
 */
function assemblyRows(code, shown, mine, notes) {
  const rows = [];
  // A function may lie in several pieces, such as a cold part.
  const whole = shown.reduce((sum, of) => sum + of.weight, 0);
  const hottest = shown.flatMap((of) => of.instructions).reduce((most, { weight }) => Math.max(most, weight ?? 0), 0);
  const addresses = new Set(shown.flatMap((of) => of.instructions.map(({ address }) => address)));
  for (const of of shown) {
    let before = null;
    for (const { address, text, weight, file, line, inlined, gap } of of.instructions) {
      if (rows.length >= CODE_ROWS_MAX) {
        notes.push(`Only the first ${CODE_ROWS_MAX.toLocaleString("en")} rows are shown.`);
        return rows.join("");
      }
      if (gap !== undefined) {
        rows.push(gapRow(`${gap.toLocaleString("en")} instructions without samples`));
        before = null;
        continue;
      }
      const place = `${file} ${line} ${inlined}`;
      if (line > 0 && place !== before) rows.push(placeRow(code, file, line, inlined));
      before = place;
      rows.push(codeRow(weight, whole, hottest, address.toString(16), jump(text, address, addresses) ?? escaped(text), inlined === mine));
    }
  }
  return rows.join("");
}

/** What the lines of a function's pieces take, by file: {files: file to line to weight, whole, without: what has no line}. */
function lineWeights(shown) {
  const files = new Map();
  let whole = 0;
  let without = 0;
  for (const of of shown) {
    whole += of.weight;
    for (const { weight, file, line, gap } of of.instructions) {
      if (gap !== undefined) continue;
      if (!(line > 0)) {
        without += weight;
        continue;
      }
      const lines = files.get(file) ?? new Map();
      files.set(file, lines);
      lines.set(line, (lines.get(line) ?? 0) + weight);
    }
  }
  return { files, whole, without };
}

/** A jump within the code that is shown as HTML: its target leads there, and an arrow says which way; null where it is none. */
function jump(text, from, addresses) {
  const [, name, target] = /^(j\w+ +|loop\w* +|xbegin +)(0x[0-9a-f]+)$/.exec(text) ?? [];
  const to = Number(target);
  if (target === undefined || !addresses.has(to)) return null;
  return `${escaped(name)}<button class="bare ${to > from ? "down" : "up"}" data-target="${to.toString(16)}" title="Show where it goes">${target}</button>`;
}

/** All lines of a file, with what all functions on the page take in them; each function's begin and time above its first line. */
function wholeFileRows(code, file, { fn, all, nameOf }, notes) {
  const weights = new Map();
  const begins = new Map();
  let chosen = null;
  for (const of of code.functions) {
    const lines = lineWeights([of]).files.get(file) ?? new Map();
    for (const [line, weight] of lines) weights.set(line, (weights.get(line) ?? 0) + weight);
    // What is inlined from elsewhere may stand above.
    const own = of.instructions.filter((one) => one.gap === undefined && one.inlined < 0 && one.file === file && one.line > 0);
    if (own.length === 0) continue;
    const begin = own.reduce((least, { line }) => Math.min(least, line), Infinity);
    if (of.fn === fn) chosen ??= begin;
    begins.set(begin, [...(begins.get(begin) ?? []), of]);
  }
  const hottest = Math.max(0, ...weights.values());
  const { path, lines, note } = code.files[file];
  if (note) notes.push(escaped(`${path} ${note}.`));
  const rows = lines.slice(0, CODE_ROWS_MAX).map(([line, text]) => {
    const heads = (begins.get(line) ?? []).map((of) =>
      `<tr class="place${line === chosen ? " chosen" : ""}"><td colspan="3">${percent(of.weight / all)} <button class="bare" data-host="${of.fn}">${escaped(shortened(nameOf(of.fn)))}</button></td></tr>`);
    return heads.join("") + codeRow(weights.get(line) ?? 0, all, hottest, String(line), escaped(text), false);
  });
  if (lines.length > CODE_ROWS_MAX) notes.push(`Only the first ${CODE_ROWS_MAX.toLocaleString("en")} rows are shown.`);
  return `<tr class="place"><td colspan="3">${escaped(path)}</td></tr>${rows.join("")}`;
}

/** Lines of the source files that the function's instructions come from, the heaviest file first. */
function sourceRows(code, shown, { files, whole, without }, mine, notes) {
  const own = shown.flatMap((of) => of.instructions).filter(({ inlined, gap }) => gap === undefined && inlined === mine);
  const bars = new Set(own.map(({ file, line }) => `${file} ${line}`));
  if (without > 0) notes.push(`${percent(without / whole)} of it has no line.`);
  const hottest = [...files.values()].reduce((most, lines) => Math.max(most, ...lines.values()), 0);
  const order = [...files].sort((a, b) => sumOf([...b[1].values()]) - sumOf([...a[1].values()]));
  const rows = order.map(([file, lines]) => fileRows(code, file, lines, whole, hottest, bars));
  return rows.join("");
}

function fileRows(code, file, weights, whole, hottest, bars) {
  const { path, lines, note } = code.files[file];
  const text = new Map(lines);
  const rows = [`<tr class="place"><td colspan="3">${escaped(path)}${note ? ` <em>${escaped(note)}</em>` : ""}</td></tr>`];
  // Without its text, a line is worth a row if it has time.
  const numbers = text.size > 0 ? around([...weights.keys()], text) : [...weights].filter(([, weight]) => weight > 0).map(([line]) => line);
  let before = null;
  for (const line of numbers.sort((a, b) => a - b)) {
    if (before !== null && line > before + 1) rows.push(gapRow("⋯"));
    rows.push(codeRow(weights.get(line) ?? 0, whole, hottest, String(line), escaped(text.get(line) ?? ""), bars.has(`${file} ${line}`)));
    before = line;
  }
  return rows.join("");
}

/** These lines and three on either side, of those that there are. */
function around(lines, text) {
  const wanted = new Set();
  for (const line of lines) {
    for (let near = line - 3; near <= line + 3; near++) if (text.has(near)) wanted.add(near);
  }
  return [...wanted];
}

function placeOf(code, file, line) {
  return `${fileName(code.files[file].path)}:${line}`;
}

/** The text of a line without its indentation; empty where the page does not have it. */
function textOf(code, file, line) {
  return (code.files[file].lines.find(([number]) => number === line)?.[1] ?? "").trim();
}

function placeRow(code, file, line, inlined) {
  const inside = inlined < 0 ? "" : ` (${escaped(code.inlined[inlined])})`;
  return `<tr class="place"><td colspan="3">${escaped(placeOf(code, file, line))}${inside} <code>${escaped(textOf(code, file, line))}</code></td></tr>`;
}

function gapRow(text) {
  return `<tr class="gap"><td colspan="3">${escaped(text)}</td></tr>`;
}

/** `text` is HTML. */
function codeRow(weight, whole, hottest, number, text, hasBar) {
  const share = whole > 0 ? weight / whole : 0;
  const heat = weight > 0 ? ` style="--heat:${(share * 100).toFixed(2)}%;--tint:${Math.min(share * 100, 40).toFixed(2)}%"` : "";
  const marks = [weight > 0 && weight === hottest ? "hottest" : "", hasBar ? "mine" : ""].filter((mark) => mark !== "");
  const names = marks.length > 0 ? ` class="${marks.join(" ")}"` : "";
  return `<tr${names}${heat} data-address="${number}"><td>${weight > 0 ? percent(share) : ""}</td><td>${number}</td><td><code>${text}</code></td></tr>`;
}
