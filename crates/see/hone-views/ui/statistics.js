// How far shares can be trusted, and which changes are more than chance: as hone-views/src/table.rs and diff.rs have it,
// which a test compares with this number by number. It is here as well since every filter changes the figures.

const FALSE_DISCOVERIES = 0.05;

function sumOf(values) {
  return values.reduce((all, value) => all + value, 0);
}

/** How many samples of equal weight would be as much evidence (Kish's effective sample size). */
function effectiveSamples({ own, squares }) {
  const all = sumOf(squares);
  return all > 0 ? sumOf(own) ** 2 / all : 0;
}

/** Of a share that was estimated from so many samples. */
function standardError(share, samples) {
  return samples > 0 ? Math.sqrt(Math.max(share * (1 - share), 0) / samples) : 0;
}

/**
 * How the share of one row changed: `old` and `now` are shares of self weight, `samples` the evidence behind each.
 * Gives the change, its standard error, and how likely so large a one is by chance alone.
 */
function changeOfShare(old, now, samples) {
  const change = now - old;
  if (!(samples[0] > 0 && samples[1] > 0)) return { old, now, change, error: 0, chance: 1, significant: false };
  const error = Math.hypot(standardError(old, samples[0]), standardError(now, samples[1]));
  // If there is no difference, both are one share.
  const pooled = (old * samples[0] + now * samples[1]) / (samples[0] + samples[1]);
  const spread = Math.sqrt(Math.max(pooled * (1 - pooled) * (1 / samples[0] + 1 / samples[1]), 0));
  const chance = spread === 0 ? 1 : 2 * beyond(Math.abs(change) / spread);
  return { old, now, change, error, chance, significant: false };
}

/** Marks the changes that Benjamini and Hochberg's procedure keeps. */
function markSignificant(changes) {
  const order = [...changes].sort((a, b) => a.chance - b.chance);
  let kept = order.length;
  while (kept > 0 && order[kept - 1].chance > (FALSE_DISCOVERIES * kept) / order.length) kept--;
  for (const change of order.slice(0, kept)) change.significant = true;
}

/** How likely a normal deviate is above `z`, which is not negative. */
function beyond(z) {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < 4) {
    // The series of the area from 0 to z.
    let term = z;
    let sum = z;
    for (let n = 1; Math.abs(term) > 1e-17 * sum; n++) {
      term *= (z * z) / (2 * n + 1);
      sum += term;
    }
    return Math.max(0.5 - density * sum, 0);
  }
  // The continued fraction of Mills's ratio.
  let fraction = z;
  for (let n = 60; n > 0; n--) fraction = z + n / fraction;
  return density / fraction;
}
