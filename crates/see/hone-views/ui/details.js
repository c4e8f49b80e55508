// All that is known of the selected function, beside the graph: what it costs, who calls it, what it calls, its dearest lines, and findings about it.

const NEIGHBOURS_MAX = 8;
const LINES_MAX = 6;
const NEIGHBOUR_SHARE_MIN = 0.005; // Of the function's time; what is less is added up.

class DetailsPanel {
  /** `onChoose(fn)` is called for a caller or callee, `onFinding(rule)` for a finding, `onLine()` for a line, `onCallers(fn)` for callers in all services. */
  constructor(parts, { onChoose, onFinding, onLine, onCallers }) {
    this.parts = parts;
    parts.details.addEventListener("click", (event) => {
      const { fn, rule, line, callers } = event.target.closest("button")?.dataset ?? {};
      if (fn !== undefined) onChoose(Number(fn));
      if (rule !== undefined) onFinding(rule);
      if (line !== undefined) onLine();
      if (callers !== undefined) onCallers();
    });
  }

  /**
   * `of`: null, or {name, file, figures: [[word, text]], callers, callees: [{fn, weight}] of `whole`, own, inlined: its weight where it was inlined,
   * nameOf(fn), findings: [{rule, title}], lines: a promise of [{line, text, share}], isServed}.
   */
  async show(of) {
    const { parts } = this;
    this.wanted = of;
    parts["details-none"].hidden = of !== null;
    parts["details-all"].hidden = of === null;
    if (of === null) return;
    parts["details-name"].textContent = of.name;
    const inlined = of.whole > 0 && of.inlined > 0 ? `, inlined for ${percent(of.inlined / of.whole)} of its time` : "";
    parts["details-file"].textContent = `in ${of.file}${inlined}`;
    parts["details-figures"].innerHTML = of.figures.map(([word, text]) => `<dt>${word}</dt><dd>${text}</dd>`).join("");
    parts["details-callers"].innerHTML = neighbourRows(of.callers, of, "nobody: it is the outermost");
    const own = of.own > 0 ? [{ fn: null, weight: of.own }] : [];
    parts["details-callees"].innerHTML = neighbourRows([...own, ...of.callees], of, "nothing");
    parts["details-elsewhere"].hidden = !of.isServed;
    parts["details-findings"].hidden = of.findings.length === 0;
    parts["details-findings-list"].innerHTML = of.findings
      .map(({ rule, title }) => `<li><button class="bare" data-rule="${escaped(rule)}">${escaped(title)}</button></li>`).join("");
    parts["details-lines"].hidden = true;
    const lines = await of.lines;
    // Another function may have been chosen meanwhile.
    if (this.wanted !== of || lines.length === 0) return;
    parts["details-lines"].hidden = false;
    parts["details-lines-rows"].innerHTML = lines.slice(0, LINES_MAX).map(({ place, text, share }) =>
      `<tr><td>${percent(share)}</td><td><button class="bare" data-line title="${escaped(place)}"><code>${escaped(text)}</code></button></td></tr>`).join("");
  }
}

/** Rows of callers or callees with their share of the function's time, the dearest first. */
function neighbourRows(neighbours, { whole, nameOf }, nothing) {
  const share = ({ weight }) => (whole > 0 ? weight / whole : 0);
  const all = neighbours.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  if (all.length === 0) return `<tr><td></td><td>${nothing}</td></tr>`;
  const shown = all.filter((one, at) => at < NEIGHBOURS_MAX && share(one) >= NEIGHBOUR_SHARE_MIN);
  const rest = all.slice(shown.length);
  const rows = shown.map((one) => {
    const name = one.fn === null ? "its own instructions" : nameOf(one.fn);
    const text = escaped(one.fn === null ? name : shortened(name));
    const cell = one.fn === null ? text : `<button class="bare" data-fn="${one.fn}" title="${escaped(name)}">${text}</button>`;
    return shareRow(share(one), cell);
  });
  if (rest.length > 0) rows.push(shareRow(rest.reduce((sum, one) => sum + share(one), 0), `${rest.length} more`));
  return rows.join("");
}

function shareRow(share, cell) {
  return `<tr style="--share:${(100 * Math.min(share, 1)).toFixed(1)}%"><td>${percent(share)}</td><td>${cell}</td></tr>`;
}
