// The share of a regression's function over the weeks, a line for each build.

const [COURSE_WIDE, COURSE_HIGH] = [1000, 80];
/** Standard errors to either side that have 95 % between them. */
const NORMAL_95 = 1.96;

/** The graph of a course, with the begin of the change marked; `step_s` is the length of a step, `colourOf(place)` a colour: the newest build has the first. */
function courseGraph({ builds, points }, { since_s: since }, step_s, colourOf) {
  const colours = builds.map((_, place) => colourOf(builds.length - 1 - place));
  const svg = element("svg", { viewBox: `0 0 ${COURSE_WIDE} ${COURSE_HIGH}`, preserveAspectRatio: "none", role: "img" });
  const [from, to] = [points[0].start_s, points.at(-1).start_s + step_s];
  const upper = ({ share, standard_error: error }) => share + NORMAL_95 * error;
  const lower = ({ share, standard_error: error }) => share - NORMAL_95 * error;
  const top = niceAbove(points.reduce((most, point) => Math.max(most, upper(point)), 0));
  const across = (time) => (((time - from) / (to - from)) * COURSE_WIDE).toFixed(1);
  const up = (share) => (COURSE_HIGH * (1 - Math.min(Math.max(share / top, 0), 1))).toFixed(1);
  const at = (point, share) => `${across(point.start_s + step_s / 2)},${up(share)}`;
  builds.forEach((build, place) => {
    const own = points.filter((point) => point.build === place);
    for (const line of unbroken(own, step_s)) {
      const band = [...line.map((point) => at(point, upper(point))), ...line.toReversed().map((point) => at(point, lower(point)))];
      svg.append(element("polygon", { class: "band", points: band.join(" "), fill: colours[place] }),
        element("polyline", { points: line.map((point) => at(point, point.share)).join(" "), stroke: colours[place] }));
    }
  });
  if (since > from && since < to) svg.append(element("line", { class: "since-line", x1: across(since), x2: across(since), y1: 0, y2: COURSE_HIGH }));
  const percent = (share) => `${Number((100 * share).toPrecision(3))} %`;
  svg.setAttribute("aria-label", `Share of the function from ${timeText(from)} to ${timeText(to)}: ${percent(points[0].share)} at first, ${percent(points.at(-1).share)} at last`);
  const names = builds.map((build, place) => {
    const mark = made("i");
    mark.className = "swatch";
    mark.style.background = colours[place];
    return made("span", mark, build === "" ? "no build id" : `build ${shortName("build", build)}`);
  });
  const axis = made("p", made("span", timeText(from)), made("span", `${percent(top)} high, 95 % of chance in the band`), made("span", timeText(to)));
  axis.className = "axis";
  const legend = made("p", ...names);
  legend.className = "legend";
  return made("figure", svg, axis, legend);
}

/** Parts of a line between which a step is missing. */
function unbroken(points, step_s) {
  const parts = [];
  for (const point of points) {
    const last = parts.at(-1)?.at(-1);
    if (last !== undefined && point.start_s - last.start_s === step_s) parts.at(-1).push(point);
    else parts.push([point]);
  }
  return parts;
}
