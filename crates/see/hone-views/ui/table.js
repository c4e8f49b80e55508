// The table of functions: self and total, sorted, filtered by the search; further rows come when one scrolls to them.

/** Rows that are made at once. */
const ROWS_STEP = 100;
/** How near the end of what was made, in pixels, further rows are made. */
const NEAR_END = 600;

class FunctionTable {
  /** `onChoose(fn)` is called when a row was chosen, `onOrder(order)` when a column was. */
  constructor(element, onChoose, onOrder) {
    this.element = element;
    const box = element.parentElement;
    box.addEventListener("scroll", () => {
      if (box.scrollTop + box.clientHeight > box.scrollHeight - NEAR_END) this.addRows();
    });
    element.addEventListener("click", (event) => {
      const header = event.target.closest("th button");
      if (header !== null) onOrder(header.dataset.order);
      const row = event.target.closest("tr[data-fn]");
      if (row !== null) onChoose(Number(row.dataset.fn));
    });
    element.addEventListener("keydown", (event) => {
      const row = event.target.closest("tr[data-fn]");
      const next = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[event.key];
      if (row === null || event.target !== row) return;
      if (next?.dataset.fn !== undefined) next.focus();
      if (event.key === "Enter") onChoose(Number(row.dataset.fn));
      if (["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }

  /**
   * `data`: {count: of functions, weights: {self, total} of the newest recording, whole, samples, changes: by function or null,
   * matches, chosen, order, nameOf(fn), fileOf(fn), colourOf(fn)}.
   */
  show(data) {
    const { weights, matches, changes } = data;
    const keys = {
      self: (fn) => weights.self[fn],
      total: (fn) => weights.total[fn],
      change: (fn) => Math.abs(changes?.get(fn)?.change ?? 0),
    };
    const key = keys[data.order] ?? keys.self;
    const shown = [];
    for (let fn = 0; fn < data.count; fn++) {
      if (matches !== null && !matches[fn]) continue;
      if (changes === null ? weights.total[fn] > 0 : changes.has(fn)) shown.push(fn);
    }
    shown.sort((a, b) => key(b) - key(a) || a - b);
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset : null;
    // Of the same functions as many rows as before: somebody may have scrolled to one, and chosen it.
    const isSame = this.shown?.length === shown.length && shown.every((fn, place) => this.shown[place] === fn);
    const rows = isSame ? this.made : ROWS_STEP;
    Object.assign(this, { data, shown, made: 0 });
    this.element.innerHTML = `${tableHead(data)}<tbody></tbody>`;
    this.addRows(rows);
    if (!isSame) this.element.parentElement.scrollTop = 0;
    if (focused?.fn !== undefined) this.element.querySelector(`tr[data-fn="${focused.fn}"]`)?.focus();
    if (focused?.order !== undefined) this.element.querySelector(`[data-order="${focused.order}"]`)?.focus();
  }

  addRows(count = ROWS_STEP) {
    const next = this.shown.slice(this.made, this.made + count);
    this.made += next.length;
    this.element.tBodies[0].insertAdjacentHTML("beforeend", next.map((fn) => tableRow(this.data, fn)).join(""));
  }
}

function tableHead({ order, changes }) {
  const header = (name, title) => `<th scope="col" aria-sort="${order === name ? "descending" : "none"}">` +
    `<button class="bare" data-order="${name}" title="${title}">${name}</button></th>`;
  const change = changes === null ? "" : header("change", "Share of self time, new less old; a star marks more than chance");
  return `<thead><tr>${header("self", "Time in its own instructions; ± is the standard error")}` +
    `${header("total", "Also in what it called")}${change}<th scope="col">function</th></tr></thead>`;
}

function tableRow({ weights, whole, samples, changes, chosen, nameOf, fileOf, colourOf }, fn) {
  const share = (weight) => (whole > 0 ? weight / whole : 0);
  const cell = (value) =>
    `<td>${percent(value)}<small> ${plusMinus(standardError(value, samples))}</small></td>`;
  const name = nameOf(fn);
  const isChosen = fn === chosen ? ' class="chosen" aria-current="true"' : "";
  return `<tr data-fn="${fn}" tabindex="0"${isChosen}>${cell(share(weights.self[fn]))}${cell(share(weights.total[fn]))}` +
    `${changes === null ? "" : changeCell(changes.get(fn))}<td title="${escaped(name)}"><i class="swatch" style="background:${colourOf(fn)}"></i>` +
    `${escaped(shortened(name))}<small> ${escaped(fileOf(fn))}</small></td></tr>`;
}

function changeCell({ old, now, change, error, significant }) {
  const star = significant ? "<b>*</b>" : "";
  const direction = change > 0 ? "grew" : change < 0 ? "shrank" : "";
  const both = `from ${percent(old)} to ${percent(now)}${significant ? ", more than chance" : ""}`;
  return `<td class="${direction}" title="${both}">${percent(change, true)}<small> ${plusMinus(error)}</small>${star}</td>`;
}

/** `+1.2 % ± 0.4`, with a star where it is more than chance. */
function changeText({ change, error, significant }) {
  return `<b>${percent(change, true)}</b> ${plusMinus(error)}${significant ? " <b>*</b>" : ""}`;
}

/** `± 0.4`: the error of a share, in hundredths. */
function plusMinus(error) {
  return `± ${(error * 100).toFixed(1)}`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[letter]);
}
