// Regressions: a list beside the services, and all that is known of one above the view of it.

const REGRESSION_LETTERS = 40;
/** Time for which a button says that it has copied, or shows what it could not copy. */
const COPIED_MS = 4_000;

class RegressionPanel {
  /** `onChoose(part)` changes what is looked at; `onClose()` takes the panel away; `onAcknowledge(word)` says why it is known, or nothing. */
  constructor(parts, { onChoose, onClose, onAcknowledge }) {
    this.parts = parts;
    this.onChoose = onChoose;
    this.services = [];
    this.courses = new Map();
    parts["regression-close"].addEventListener("click", onClose);
    parts["regression-copy"].addEventListener("click", () => copyText(parts["regression-copy"], this.text));
    parts["regression-command-copy"].addEventListener("click", () => copyText(parts["regression-command-copy"], parts["regression-command"].textContent));
    parts["acknowledge"].addEventListener("submit", (event) => {
      event.preventDefault();
      onAcknowledge(parts["acknowledge-word"].value.trim());
    });
  }

  /** Takes the shares over the weeks of a service's regressions. */
  takeCourses({ step_s, services }) {
    this.step_s = step_s;
    this.courses = new Map(services.flatMap(({ regressions }) => regressions.map(({ id, course }) => [id, course])));
  }

  /** Takes what the hub has found; the list has what stands, the largest in cores first and what is known last, and is away where there is nothing. */
  take(services) {
    const { parts } = this;
    this.services = services;
    const all = services.flatMap(({ service, regressions }) => regressions.map((regression) => ({ service, ...regression })))
      .filter(({ status }) => status === "stands")
      .sort((a, b) => (a.acknowledged !== null) - (b.acknowledged !== null) || b.finding.cores.value - a.finding.cores.value);
    parts.regressions.hidden = all.length === 0;
    parts["regressions-list"].replaceChildren(...all.map((one) => this.item(one)));
  }

  item({ service, id, finding, text, acknowledged }) {
    const regression = button(`${service}: ${shortened(finding.function, REGRESSION_LETTERS)}`, () => this.onChoose(choiceOf(service, id, finding)));
    regression.title = text;
    const { value, standard_error: error } = finding.cores;
    const known = acknowledged === null ? "" : `, known: ${acknowledged.word}`;
    return made("li", regression, made("small", ` + ${coresText([value, error])} cores${known}`));
  }

  /** Tells of the regression that is looked at, where the hub still has it. */
  show({ service, regression }, cost, colourOf) {
    const { parts } = this;
    const found = this.services.find((one) => one.service === service)?.regressions.find(({ id }) => id === regression);
    parts.regression.hidden = regression === null;
    if (parts.regression.hidden) return;
    parts["regression-title"].textContent = found?.finding.function ?? "This regression is over";
    parts["regression-over"].hidden = found !== undefined;
    this.text = found?.text ?? "";
    parts["regression-copy"].hidden = found === undefined;
    parts["regression-facts"].replaceChildren(...(found === undefined ? [] : factsOf(found, cost).flatMap(([word, ...text]) =>
      [made("dt", word), made("dd", ...text)])));
    const course = this.courses.get(regression) ?? null;
    const isDrawn = found !== undefined && course !== null && course.points.length > 1;
    parts["regression-course"].replaceChildren(...(isDrawn ? [courseGraph(course, found.finding, this.step_s, colourOf)] : []));
    parts.acknowledge.hidden = found === undefined;
    // What somebody types is not replaced by what the hub has each minute.
    if (document.activeElement !== parts["acknowledge-word"]) parts["acknowledge-word"].value = found?.acknowledged?.word ?? "";
    const proof = found?.prove ?? null;
    parts["regression-proof"].hidden = proof === null;
    parts["regression-command"].textContent = proof ?? "";
  }
}

/** What is told of a regression: words, and what stands beside each. */
function factsOf({ finding, status, last_s: last, acknowledged }, cost) {
  const { change, cores, cause, parts, callers, before, after, units, evidence } = finding;
  const share = (value) => `${(100 * value).toFixed(2)} %`;
  const money = cost ? `, ${monthText([cores.value], cost)} ${cost.unit} a month` : "";
  const states = { stands: "stands", went_away: "has gone away again", over: "was told more than a week ago", seen: "was seen once" };
  const facts = [
    ["share", `${share(before)} → ${share(after)}, ${finding.measure === "own" ? "in its own instructions" : "with what it calls"}`],
    ["change", `+ ${share(change.value)} (${share(change.low)} to ${share(change.high)})`],
    ["cores", `+ ${coresText([cores.value, cores.standard_error])}${money}`],
    ["since", timeText(finding.since_s)],
    ["seen on", `${units} ${finding.unit === "host" ? "hosts" : "groups of hosts"}, ${evidence.side_by_side ? "old and new build side by side" : `beside ${evidence.over_time.days} days before`}`],
    ["state", `${states[status] ?? status}, last looked at ${timeText(last)}`],
  ];
  if (acknowledged !== null) facts.push(["known", `${acknowledged.word} (${timeText(acknowledged.at_s)})`]);
  if (cause.new_build !== undefined) facts.push(["came with", idButton(cause.new_build)]);
  if (finding.old_build) facts.push(["before it", idButton(finding.old_build)]);
  const names = (list) => list.flatMap((name, at) => {
    const one = made("span", shortened(name));
    one.title = name;
    return at === 0 ? [one] : [", ", one];
  });
  if (callers.length > 0) facts.push(["callers", ...names(callers)]);
  if (parts.length > 0) facts.push(["parts of it", ...names(parts)]);
  return facts;
}

/** The begin of an id; a click copies the whole. */
function idButton(id) {
  const copy = button(`build ${shortName("build", id)}`, () => copyText(copy, id));
  copy.title = `${id}: copy`;
  return copy;
}

/** Copies a text, and says so on the button for a while; where a browser has no clipboard the button has the text. */
async function copyText(on, text) {
  on.dataset.resting ??= on.textContent;
  on.textContent = (await copied(text)) ? "Copied" : text;
  setTimeout(() => (on.textContent = on.dataset.resting), COPIED_MS);
}

/** What to look at for a regression: two builds beside each other, or the time since beside the time before, with its function marked. */
function choiceOf(service, id, finding) {
  const choice = { service, regression: id, mark: finding.function };
  if (finding.evidence.side_by_side) {
    const { old, new: build } = finding.evidence.side_by_side;
    return { ...choice, by: "build", filters: { ...readState("").filters, build: [build] }, against: `build:${old}` };
  }
  return { ...choice, from: timeText(finding.since_s), to: "now", against: "before" };
}
