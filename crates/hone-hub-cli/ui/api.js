// Asks the hub.

/** A refusal of the hub, with its reason. */
class Refusal extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

const TOKEN = "hone-hub-token";

/** Answer of the hub to a question of a path and words; those without a value are left out. */
async function ask(path, words, signal) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(words)) {
    for (const one of [value].flat()) if (one !== null && one !== undefined) query.append(key, one);
  }
  const token = sessionStorage.getItem(TOKEN);
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${path}?${query}`, { headers, signal });
  if (!answer.ok) throw new Refusal(answer.status, (await answer.text()).trim());
  return answer;
}
