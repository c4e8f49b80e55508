// The state, the address and the browser's history: each step of the reader's is one entry.

// Letters of a search and movements come often; browsers ignore an address that changes too often.
const REPLACE_MS = 150;

class Steps {
  /** `onBack(state)` is called when the address was changed by Back, Forward or by hand. */
  constructor(indexOf, nameOf, onBack) {
    this.nameOf = nameOf;
    this.kind = null;
    this.waiting = null;
    this.read(indexOf);
    const follow = () => {
      // Both events tell of the same change.
      if (location.hash === this.seen) return;
      clearTimeout(this.waiting?.timer);
      this.waiting = null;
      this.kind = null;
      this.read(indexOf);
      onBack(this.state);
    };
    window.addEventListener("popstate", follow);
    window.addEventListener("hashchange", follow);
  }

  read(indexOf) {
    this.seen = location.hash;
    this.state = readState(location.hash, indexOf);
    this.address = this.now();
  }

  now() {
    return `#${writeState(this.state, this.nameOf)}`;
  }

  /** Puts the state into the address: a new entry, or a little later in place of the last one where both are changes of one kind. */
  remember(kind) {
    const address = this.now();
    const isSame = kind !== null && kind === this.kind;
    this.kind = kind;
    if (isSame) {
      clearTimeout(this.waiting?.timer);
      this.waiting = { address, timer: setTimeout(() => this.replace(), REPLACE_MS) };
      return;
    }
    // What still waits belongs to the entry before.
    this.replace();
    if (address === this.address) return;
    this.address = address;
    this.put("pushState");
  }

  replace() {
    if (this.waiting === null) return;
    clearTimeout(this.waiting.timer);
    this.address = this.waiting.address;
    this.waiting = null;
    this.put("replaceState");
  }

  put(how) {
    try {
      history[how](null, "", this.address);
    } catch {
      // Within another page's frame there may be no address to change: all else works.
    }
    this.seen = location.hash;
  }

  /** What comes next is a step of its own. */
  end() {
    this.kind = null;
  }
}
