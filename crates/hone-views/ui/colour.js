// Colours of frames: by binary, or by what changed.

/** A steady hue for a name, so that a library looks the same in every recording. */
function hueOf(name) {
  let hash = 2166136261;
  for (let at = 0; at < name.length; at++) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 16777619) >>> 0;
  }
  return hash % 360;
}

/** The last part of a path. */
function fileName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Colour of a frame by the binary it is in. */
function colourOfBinary(binary, dark) {
  if (binary.startsWith("[kernel")) return dark ? "hsl(215 22% 38%)" : "hsl(215 30% 78%)";
  if (binary.startsWith("[")) return dark ? "hsl(0 0% 34%)" : "hsl(0 0% 82%)";
  const hue = hueOf(fileName(binary));
  return dark ? `hsl(${hue} 38% 36%)` : `hsl(${hue} 58% 78%)`;
}

/**
 * Colour of a change of share, -1 to 1: red grew, blue shrank, grey did neither. Red and blue are told apart
 * with every common kind of colour blindness, and the sign is printed too.
 */
function colourOfChange(change, dark) {
  const strength = Math.min(Math.sqrt(Math.abs(change) / 0.1), 1);
  if (strength < 0.05) return dark ? "hsl(0 0% 32%)" : "hsl(0 0% 88%)";
  const hue = change > 0 ? 8 : 215;
  const lightness = dark ? 30 + 22 * strength : 88 - 32 * strength;
  return `hsl(${hue} ${30 + 45 * strength}% ${lightness}%)`;
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
