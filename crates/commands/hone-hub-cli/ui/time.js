// Times as people write them.

const UNITS = { s: 1, m: 60, h: 3600, d: 86400, w: 604800 };

/** Seconds since 1970 of `now`, `-6h`, `2026-11-26 09:00` in the browser's zone, or a number of seconds; NaN if it is none. */
function secondsOf(text, now) {
  const word = text.trim();
  if (word === "" || word === "now") return now;
  const relative = /^-(\d+)([smhdw])$/.exec(word);
  if (relative !== null) return now - Number(relative[1]) * UNITS[relative[2]];
  if (/^\d+$/.test(word)) return Number(word);
  return Math.floor(Date.parse(word.replace(" ", "T")) / 1000);
}

/** A time in the browser's zone: `2026-11-26 09:00`. */
function timeText(seconds) {
  const time = new Date(seconds * 1000);
  const two = (number) => String(number).padStart(2, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** A length of time: `5 min`. */
function lengthText(seconds) {
  const units = [[86400, "d"], [3600, "h"], [60, "min"]];
  const [size, unit] = units.find(([size]) => seconds >= size && seconds % size === 0) ?? [1, "s"];
  return `${seconds / size} ${unit}`;
}
