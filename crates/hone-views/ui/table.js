// The table of functions: self and total, sorted, filtered by the search; as many rows as can be read.

const ROWS_MAX = 400;

class FunctionTable {
  /** `onChoose(fn)` is called when a row was chosen. */
  constructor(element, onChoose) {
    this.element = element;
    this.onChoose = onChoose;
    this.order = "self";
    element.addEventListener("click", (event) => {
      const header = event.target.closest("th[data-order]");
      if (header !== null) {
        this.order = header.dataset.order;
        this.render();
        return;
      }
      const row = event.target.closest("tr[data-fn]");
      if (row !== null) this.onChoose(Number(row.dataset.fn));
    });
  }

  /** `data`: {functions, weights: [{self, total}, ...], whole: [...], samples, matches, chosen, nameOf(fn), fileOf(fn)}. */
  show(data) {
    this.data = data;
    this.render();
  }

  render() {
    const { weights, matches } = this.data;
    const now = weights.at(-1);
    const compared = weights.length > 1;
    const shares = this.data.whole.map((whole) => (weight) => (whole > 0 ? weight / whole : 0));
    const last = shares.at(-1);
    const change = (fn) => (compared ? last(now.self[fn]) - shares[0](weights[0].self[fn]) : 0);
    const keys = {
      self: (fn) => now.self[fn],
      total: (fn) => now.total[fn],
      change: (fn) => Math.abs(change(fn)),
    };
    const key = keys[this.order] ?? keys.self;
    const shown = [];
    for (let fn = 0; fn < this.data.functions.length; fn++) {
      if (matches !== null && !matches[fn]) continue;
      if (weights.some(({ total }) => total[fn] > 0)) shown.push(fn);
    }
    shown.sort((a, b) => key(b) - key(a) || a - b);
    const header = (order, text) =>
      `<th data-order="${order}" aria-sort="${this.order === order ? "descending" : "none"}">${text}</th>`;
    const rows = shown.slice(0, ROWS_MAX).map((fn) => {
      const own = last(now.self[fn]);
      const error = standardError(own, this.data.samples);
      const changed = compared ? `<td class="${change(fn) > 0 ? "grew" : "shrank"}">${percent(change(fn), true)}</td>` : "";
      const chosen = fn === this.data.chosen ? ' class="chosen"' : "";
      return `<tr data-fn="${fn}"${chosen}><td>${percent(own)}<small> ± ${(error * 100).toFixed(1)}</small></td>` +
        `<td>${percent(last(now.total[fn]))}</td>${changed}<td title="${escaped(this.data.nameOf(fn))}">${escaped(this.data.nameOf(fn))}` +
        `<small> ${escaped(this.data.fileOf(fn))}</small></td></tr>`;
    });
    const more = shown.length > ROWS_MAX
      ? `<tr><td colspan="4">${shown.length - ROWS_MAX} more; search to see them</td></tr>` : "";
    this.element.innerHTML = `<thead><tr>${header("self", "self")}${header("total", "total")}` +
      `${compared ? header("change", "change") : ""}<th>function</th></tr></thead><tbody>${rows.join("")}${more}</tbody>`;
  }
}

/** Of a share that was estimated from so many samples. */
function standardError(share, samples) {
  return samples > 0 ? Math.sqrt((share * (1 - share)) / samples) : 0;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[letter]);
}
