// A function over all services: where it runs, and who calls it.

const FOUND_SHOWN = 200;
const OUTERMOST = "(none: outermost)";

/** Shows what the state searches for. `change` takes parts of the state, as a click changes them. */
class Search {
  constructor(parts, change) {
    this.parts = parts;
    this.change = change;
    parts.find.addEventListener("submit", (event) => {
      event.preventDefault();
      this.change({ find: parts["find-text"].value.trim() || null, callersOf: null });
    });
    parts["found-close"].addEventListener("click", () => this.change({ find: null, callersOf: null }));
  }

  clear() {
    const { parts } = this;
    for (const part of ["found-functions", "found-callers"]) parts[part].tBodies[0].replaceChildren();
    for (const part of ["found-title", "found-note"]) parts[part].textContent = "";
    parts["found-callers-part"].hidden = true;
  }

  async load({ find, callersOf }, [from, to], cost, signal) {
    const { parts } = this;
    const answer = await ask("/v1/search", { function: find, from, to, rows: FOUND_SHOWN }, signal);
    const found = await answer.json();
    parts["found-title"].textContent = `Functions with “${find}” in their name`;
    this.fill(parts["found-functions"], cost, found.functions, "No function of that name has samples in this time.", (row) => {
      const name = button(row.function, () => this.change({ callersOf: row.function }));
      return { name, service: this.service(row.service, row.function), numbers: [row.total, row.self], isChosen: row.function === callersOf };
    });
    parts["found-note"].textContent = noteOf(found);
    parts["found-callers-part"].hidden = callersOf === null;
    if (callersOf !== null) await this.loadCallers(callersOf, [from, to], cost, signal);
  }

  async loadCallers(name, [from, to], cost, signal) {
    const { parts } = this;
    const answer = await ask("/v1/callers", { function: name, from, to, rows: FOUND_SHOWN }, signal);
    const found = await answer.json();
    parts["callers-title"].textContent = `Who calls ${name}`;
    this.fill(parts["found-callers"], cost, found.callers, "It has no samples in this time.", (row) => {
      const caller = row.caller === null ? made("span", OUTERMOST) : button(row.caller, () => this.change({ callersOf: row.caller }));
      return { name: caller, service: this.service(row.service, name), numbers: [row.cores] };
    });
    parts["callers-note"].textContent = noteOf(found);
    parts["found-callers-part"].scrollIntoView({ block: "nearest" });
  }

  /** A service, whose flame graph with the function marked is a click away. */
  service(service, name) {
    const link = button(service || NAMELESS, () => this.change({ ...initialChoice(), service, mark: name }));
    link.title = `Flame graph of ${service || NAMELESS} with ${name} marked`;
    return link;
  }

  fill(table, cost, rows, nothing, cellsOf) {
    const head = table.querySelector(".cost");
    head.hidden = !cost;
    if (cost) head.textContent = `${cost.unit} a month`;
    const lines = rows.map((row) => {
      const { name, service, numbers, isChosen } = cellsOf(row);
      const cells = [name, service, ...numbers.map(coresCell)];
      if (cost) cells.push(monthText(numbers[0], cost));
      const line = made("tr", ...cells.map((cell) => made("td", cell)));
      if (isChosen !== undefined) line.setAttribute("aria-selected", String(isChosen));
      return line;
    });
    if (rows.length === 0) {
      const cell = made("td", nothing);
      cell.colSpan = table.querySelectorAll("th:not([hidden])").length;
      lines.push(made("tr", cell));
    }
    table.tBodies[0].replaceChildren(...lines);
  }
}

/** What was searched, and what is not shown. */
function noteOf({ services, left_out: leftOut, too_large: tooLarge }) {
  const parts = [`Services searched: ${services}.`];
  if (leftOut > 0) parts.push(`${leftOut} more rows are not shown: give more of the name.`);
  if (tooLarge.length > 0) parts.push(`Not searched, since they have too many different rows: ${tooLarge.join(", ")}; choose a shorter time.`);
  return parts.join(" ");
}
