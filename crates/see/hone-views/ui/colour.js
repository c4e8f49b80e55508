// Colours of frames: by binary, or by what changed.

// Hue, saturation and lightness: of the heaviest binaries, of the kernel and of all others. They were searched for by a
// program as those that stay furthest apart with normal sight and with the three kinds of colour blindness, while
// the text on them keeps a contrast of 4.5; a test computes both again.
const LIGHT = {
  binaries: [[50, 90, 61], [215, 90, 80], [5, 60, 57], [125, 70, 65], [285, 55, 61], [35, 65, 51], [265, 90, 66]],
  kernel: [215, 14, 66],
  others: [0, 0, 86],
};
const DARK = {
  binaries: [[215, 75, 49], [65, 80, 25], [305, 45, 45], [155, 85, 26], [265, 55, 37], [260, 90, 57], [245, 45, 26]],
  kernel: [215, 14, 36],
  others: [0, 0, 24],
};
// Frames of one binary that are neighbours differ in lightness.
const SHADES = 3;
const SHADE_STEP = 4;

/** A steady number for a name. */
function hashOf(name) {
  let hash = 2166136261;
  for (let at = 0; at < name.length; at++) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 16777619) >>> 0;
  }
  return hash;
}

/** The last part of a path. */
function fileName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The colour of a place in the palette; deeper shades go away from the text's colour. */
function shaded(place, shade, isDark) {
  const palette = isDark ? DARK : LIGHT;
  const [hue, saturation, lightness] = palette[place] ?? palette.binaries[place];
  return `hsl(${hue} ${saturation}% ${lightness + (isDark ? -1 : 1) * SHADE_STEP * shade}%)`;
}

/**
 * Places of the binaries in the palette: the heaviest have one each, in the order of their weight; all others share a
 * grey. `weights`: self weight by binary's path.
 */
function placesOfBinaries(weights) {
  const places = new Map();
  const order = [...weights].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  let next = 0;
  for (const [binary] of order) {
    if (binary.startsWith("[kernel")) places.set(binary, "kernel");
    else if (next < LIGHT.binaries.length && !/^\[(?!vdso)/.test(binary)) places.set(binary, next++);
    else places.set(binary, "others");
  }
  return places;
}

/** The legend's entries, the heaviest first: [{place, text, share}]; what shares the grey is one entry. */
function legendOf(weights, places) {
  const whole = [...weights.values()].reduce((all, weight) => all + weight, 0) || 1;
  const entries = [];
  let others = 0;
  let count = 0;
  for (const [binary, weight] of [...weights].sort((a, b) => b[1] - a[1])) {
    // What would read 0.0 % is left out.
    if (weight / whole < 0.0005) continue;
    if (places.get(binary) === "others") {
      others += weight;
      count++;
    } else entries.push({ place: places.get(binary), text: fileName(binary), share: weight / whole });
  }
  if (count > 0) entries.push({ place: "others", text: count === 1 ? "1 other" : `${count} others`, share: others / whole });
  return entries;
}

/**
 * Colour of a change of share, -1 to 1: red grew, blue shrank, grey did neither. Red and blue are told apart
 * with every common kind of colour blindness, and the sign is printed too.
 */
function colourOfChange(change, isDark) {
  const strength = Math.min(Math.sqrt(Math.abs(change) / 0.1), 1);
  if (strength < 0.05) return isDark ? "hsl(0 0% 32%)" : "hsl(0 0% 88%)";
  const hue = change > 0 ? 8 : 215;
  const lightness = isDark ? 26 + 18 * strength : 88 - 28 * strength;
  return `hsl(${hue} ${30 + 45 * strength}% ${lightness}%)`;
}

/** Colour of a function by its own time, as a share of the largest: from grey to a deep orange, on which the text keeps its contrast. */
function colourOfHeat(share, isDark) {
  const strength = Math.sqrt(Math.min(Math.max(share, 0), 1));
  const lightness = isDark ? 24 + 10 * strength : 90 - 28 * strength;
  return `hsl(${45 - 20 * strength} ${10 + 80 * strength}% ${lightness}%)`;
}

/** `12.3 %`, with a sign where one is asked for. */
function percent(share, sign = false) {
  const text = `${(share * 100).toFixed(1)} %`;
  return sign && share > 0 ? `+${text}` : text;
}

/** A weight in words: seconds of CPU time where it is nanoseconds. */
function amount(weight, unit) {
  if (unit !== "ns") return weight.toLocaleString("en");
  if (weight >= 1e9) return `${(weight / 1e9).toFixed(2)} s`;
  return `${(weight / 1e6).toFixed(1)} ms`;
}
