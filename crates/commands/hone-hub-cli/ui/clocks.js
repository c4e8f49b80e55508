// Clocks that differ, above everything else: hosts whose batches wait for that, and the hub's own.

const HOSTS_SHOWN = 3;

/** Sentences on clocks, of which the hub told this; none where all agree. */
function clockLines({ hosts, store_ahead_s: storeAhead }) {
  const lines = [];
  if (storeAhead !== null) {
    const order = storeAhead > 0 ? "ahead of" : "behind";
    lines.push(`The clock of the hub is ${apartText(storeAhead)} ${order} the time at which its store was last kept: check the clock of the hub's machine.`);
  }
  lines.push(...hosts.slice(0, HOSTS_SHOWN).map(hostLine));
  if (hosts.length > HOSTS_SHOWN) lines.push(`The same is so of ${hosts.length - HOSTS_SHOWN} more hosts. If it is all of them, the clock of the hub is the wrong one.`);
  return lines;
}

function hostLine({ host, ahead_s: ahead, is_clock: isClock, is_refused: isRefused }) {
  const name = host || NAMELESS;
  if (!isClock) {
    const when = ahead > 0 ? `${apartText(ahead)} in the future` : `${apartText(ahead)} old`;
    return `The hub refuses what the host ${name} sends, since it is ${when}: check the clocks of both.`;
  }
  const apart = `The clock of the host ${name} is ${apartText(ahead)} ${ahead > 0 ? "ahead of" : "behind"} the hub's`;
  const outcome = "the hub refuses its batches, which wait on the host until one of the clocks is set";
  return isRefused ? `${apart}: ${outcome}.` : `${apart}.`;
}

/** A length of time in its largest unit that is worth two of it. */
function apartText(seconds) {
  const units = [["days", 86_400], ["hours", 3600], ["minutes", 60]];
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= 2 * length) ?? ["seconds", 1];
  return `${Math.round(Math.abs(seconds) / length)} ${unit}`;
}
