// Regressions beside the services.

const REGRESSION_LETTERS = 40;

/** Items of the list, the largest in cores first: one for each regression that stands. */
function regressionItems(services, choose) {
  const all = services.flatMap(({ service, regressions }) => regressions
    .filter(({ status }) => status === "stands")
    .map((regression) => ({ service, ...regression })));
  all.sort((a, b) => b.finding.cores.value - a.finding.cores.value);
  return all.map(({ service, finding, text }) => {
    const regression = button(`${service}: ${shortened(finding.function, REGRESSION_LETTERS)}`, () => choose(comparisonOf(service, finding)));
    regression.title = text;
    const { value, standard_error: error } = finding.cores;
    return made("li", regression, made("small", ` + ${coresText([value, error])} cores`));
  });
}

/** What to look at: two builds beside each other, or the time since beside the time before. */
function comparisonOf(service, { evidence, since_s: since }) {
  if (evidence.side_by_side) {
    const { old, new: build } = evidence.side_by_side;
    return { service, by: "build", filters: { ...readState("").filters, build: [build] }, against: `build:${old}` };
  }
  return { service, from: timeText(since), to: "now", against: "before" };
}
