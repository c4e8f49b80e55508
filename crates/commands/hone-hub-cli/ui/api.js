// Asks the hub, and tells it something.

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
  return answered(fetch(`${path}?${query}`, { headers: authorization(), signal }));
}

/** Tells the hub something, as JSON. */
async function tell(path, said) {
  const headers = { ...authorization(), "content-type": "application/json" };
  return answered(fetch(path, { method: "POST", headers, body: JSON.stringify(said) }));
}

function authorization() {
  const token = sessionStorage.getItem(TOKEN);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** The answer; throws the reason where the hub refuses. */
async function answered(asking) {
  const answer = await asking;
  if (!answer.ok) throw new Refusal(answer.status, (await answer.text()).trim());
  return answer;
}
