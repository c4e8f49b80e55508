// What was found odd, beside the graph: one finding at a time can be opened, and its functions are then marked.

class FindingsPanel {
  /** `findings`: {summary, findings: [...]} or null; `onChoose(rule)` is called with null when one is closed. */
  constructor(parts, findings, functionCount, nameOf, onChoose) {
    this.parts = parts;
    this.has = findings !== null;
    this.findings = findings?.findings ?? [];
    this.marks = new Map(this.findings.map(({ rule, functions }) => [rule, marks(functions, functionCount, nameOf)]));
    if (!this.has) return;
    parts["findings-summary"].textContent = findings.summary;
    parts["findings-list"].innerHTML = this.findings.map(findingItem).join("");
    const notLooked = findings.not_looked ?? [];
    parts["findings-not-looked"].hidden = notLooked.length === 0;
    parts["findings-not-looked"].insertAdjacentHTML("beforeend", notLooked.map((text) => `<p>${escaped(text)}</p>`).join(""));
    this.items = [...parts["findings-list"].children];
    parts["findings-list"].addEventListener("click", (event) => {
      const item = event.target.closest("button")?.closest("li");
      if (item) onChoose(item.classList.contains("chosen") ? null : item.dataset.rule);
    });
  }

  /** Which functions a finding is about; `null` where none is chosen, or it is about no function in particular. */
  matches(rule) {
    return this.marks.get(rule) ?? null;
  }

  /** Findings about a function. */
  about(fn) {
    return this.findings.filter(({ rule }) => this.marks.get(rule)?.[fn]);
  }

  /** The finding so many places behind this one; the first or the last where there is none. */
  next(rule, step) {
    const now = this.findings.findIndex((finding) => finding.rule === rule);
    const next = now < 0 ? (step > 0 ? 0 : this.findings.length - 1) : now + step;
    return this.findings[next]?.rule ?? rule;
  }

  show(isOpen, chosen, title) {
    const { parts } = this;
    parts["findings-tab"].hidden = !this.has;
    parts.findings.hidden = !this.has || !isOpen;
    if (!this.has) return;
    parts["findings-title"].hidden = title === null;
    parts["findings-title"].textContent = title ?? "";
    parts["findings-tab"].textContent = this.findings.length > 0 ? `Findings (${this.findings.length})` : "Findings";
    for (const item of this.items) {
      const isChosen = item.dataset.rule === chosen;
      const isNew = isChosen && !item.classList.contains("chosen");
      item.classList.toggle("chosen", isChosen);
      item.querySelector("button").setAttribute("aria-expanded", String(isChosen));
      item.querySelector(".more").hidden = !isChosen;
      // On a small screen the whole page scrolls, and that is left to the reader. What lies where is asked for only then: it is laid out for that.
      if (isNew && isOpen && parts.findings.scrollHeight > parts.findings.clientHeight) item.scrollIntoView({ block: "nearest" });
    }
  }
}

function marks(names, functionCount, nameOf) {
  if (names.length === 0) return null;
  const wanted = new Set(names);
  const matches = new Uint8Array(functionCount);
  for (let fn = 0; fn < functionCount; fn++) matches[fn] = wanted.has(nameOf(fn)) ? 1 : 0;
  return matches;
}

function findingItem({ rule, title, share, cores, gain, place, command, advice, unless, seen }) {
  const paragraph = (name, text) => (text === undefined ? "" : `<p class="${name}">${text}</p>`);
  const interval = share === undefined ? "" :
    (cores === undefined ? "" : `<b>${escaped(cores)}</b> cores, `) +
    `<b>${percent(share[0])}</b> of the time <small>(${percent(share[1])} to ${percent(share[2])})</small>`;
  const rows = seen.map(([part, what]) =>
    `<tr><td>${part === null ? "" : percent(part)}</td><td title="${escaped(what)}">${escaped(what)}</td></tr>`);
  return `<li data-rule="${escaped(rule)}"${share === undefined ? ' class="unfit"' : ""}>` +
    `<button class="bare" aria-expanded="false"><strong>${escaped(title)}</strong><span>${interval}</span></button>` +
    paragraph("gain", gain && `Gains ${escaped(gain)}.`) + paragraph("advice", escaped(advice)) +
    paragraph("place", place && escaped(place)) +
    `<div class="more" hidden><table>${rows.join("")}</table>${paragraph("command", command && `<code>${escaped(command)}</code>`)}` +
    `${paragraph("unless", `Unless: ${escaped(unless)}`)}</div></li>`;
}
