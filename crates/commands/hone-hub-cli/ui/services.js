// The services with what each uses: over time in small, the mean, since yesterday, and in money.

/** Services with a smaller part of all cores are listed on request. */
const SMALL_SHARE = 0.001;
const DAY_S = 86_400;
/** Standard errors from which on a change since yesterday is told. */
const CHANGE_ERRORS = 3;
const [SPARK_WIDE, SPARK_HIGH] = [64, 16];

class ServiceTable {
  /** `onChoose(service)` is called for a service, `onMore()` where the small ones are wanted too. */
  constructor(parts, { onChoose, onMore }) {
    this.parts = parts;
    this.onChoose = onChoose;
    this.onMore = onMore;
    this.showsSmall = false;
  }

  /**
   * `lines` of the time that is looked at, and those of the same hours of the day before; `cost` as the hub's settings have it. Of a time
   * that goes on hosts have not sent the last step yet.
   */
  show(lines, yesterday, chosen, cost, isOpen) {
    const { parts } = this;
    parts["cost-head"].hidden = !cost;
    if (cost) parts["cost-head"].textContent = `${cost.unit} a month`;
    const least = SMALL_SHARE * lines.reduce((sum, { mean }) => sum + mean[0], 0);
    const before = new Map(yesterday.map(({ name, mean }) => [name, mean]));
    const rows = lines.filter(({ name, mean }) => this.showsSmall || name === chosen || mean[0] >= least)
      .map((line) => this.row({ ...line, cores: isOpen ? line.cores.slice(0, -1) : line.cores }, before.get(line.name), yesterday.length > 0, chosen, cost));
    if (rows.length < lines.length) rows.push(this.smallRow(lines.length - rows.length));
    parts.services.tBodies[0].replaceChildren(...rows);
  }

  row({ name, mean, cores }, before, isKnown, chosen, cost) {
    const named = made("span", button(name || NAMELESS, () => this.onChoose(name)), sparkline(cores));
    const cells = [named, made("span", coresCell(mean), isKnown ? changeSince(mean, before) : "")];
    if (cost) cells.push(monthText(mean, cost));
    const row = made("tr", ...cells.map((cell) => made("td", cell)));
    row.setAttribute("aria-selected", String(name === chosen));
    return row;
  }

  /** In place of services that use next to nothing; a click shows them. */
  smallRow(count) {
    const more = button(`${count} more, each below ${100 * SMALL_SHARE} % of all`, () => {
      this.showsSmall = true;
      this.onMore();
    });
    return made("tr", made("td", more), made("td"));
  }
}

/** Cores over time in small, from nothing to the most of this service. */
function sparkline(cores) {
  const svg = element("svg", { class: "spark", viewBox: `0 0 ${SPARK_WIDE} ${SPARK_HIGH}`, "aria-hidden": "true" });
  const top = cores.reduce((most, one) => Math.max(most, one), 0);
  if (top <= 0 || cores.length < 2) return svg;
  const points = cores.map((one, step) =>
    `${((step / (cores.length - 1)) * SPARK_WIDE).toFixed(1)},${(SPARK_HIGH - 1 - (one / top) * (SPARK_HIGH - 2)).toFixed(1)}`);
  svg.append(element("polyline", { points: points.join(" ") }));
  return svg;
}

/** How the cores differ from those of the same hours of yesterday, where that is more than chance. */
function changeSince([now, error], before) {
  const text = made("small");
  text.className = "since";
  if (before === undefined) {
    text.textContent = "new";
    text.title = "It had no samples in the same hours of yesterday";
    return text;
  }
  const difference = now - before[0];
  if (Math.abs(difference) <= CHANGE_ERRORS * Math.hypot(error, before[1])) return text;
  text.textContent = `${difference > 0 ? "+" : "−"}${Math.abs((100 * difference) / before[0]).toFixed(0)} %`;
  text.title = `${coresText(before)} cores in the same hours of yesterday`;
  text.classList.add(difference > 0 ? "grew" : "shrank");
  return text;
}
