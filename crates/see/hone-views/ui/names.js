// Names of functions that are too long for their frame: what says least goes first, so that the last part stays.

const OPEN = { "<": ">", "(": ")", "[": "]", "{": "}" };
/** Qualifiers and marks of the compiler behind a list of parameters. */
const BEHIND = /^(?: const| volatile| ?&&?| noexcept|\[abi:\w+\]| \[clone [^\]]*\]|@plt)*$/;

/** Letters of a name in a list. */
const LIST_LETTERS = 56;
/** Parts of a name that may go one by one; those before them go together. */
const PARTS_MAX = 8;
/** Last parts that say nothing without the one before. */
const UNNAMED = /^(?:::|\.)?(?:\{.*\}|\(.*\)|func\d+|operator\(\)|\d+)(?:::operator\(\))?$/;

/** Names that crates/base/hone-symbols/src/bodies.rs makes of addresses. */
const MADE = /^\[unnamed, \d+ bytes at (0x[0-9a-f]+)(?: of .*)?\]$/;

const knownForms = new Map();

/** Names of one function, each shorter than the one before: without parameters, without template arguments, without what it stands in. */
function formsOf(name) {
  let forms = knownForms.get(name);
  if (forms === undefined) knownForms.set(name, (forms = madeForms(name)));
  return forms;
}

function madeForms(name) {
  const made = MADE.exec(name);
  if (made !== null) return [name, `[unnamed at ${made[1]}]`, `[${made[1]}]`];
  const plain = withoutParameters(name);
  const bare = withoutArguments(plain);
  const inner = outwards(bare);
  const forms = [name, plain, bare, ...inner.map((rest) => `…${rest}`), ...inner.slice(-1).map((rest) => rest.replace(/^(?:::|\/)/, ""))];
  return forms.filter((form, at) => at === 0 || form.length < forms[at - 1].length);
}

/** The longest form of a name that has at most so many letters; the shortest where none has. */
function shortened(name, letters = LIST_LETTERS) {
  const forms = formsOf(name).slice(1);
  return forms.find((form) => form.length <= letters) ?? forms.at(-1) ?? name;
}

/** `int* a::f<b>(c) const` is `a::f<b>`: without its parameters and what it gives back. */
function withoutParameters(name) {
  const [begin, end] = parameters(name);
  if (begin < 0 || !BEHIND.test(name.slice(end + 1))) return name;
  const head = name.slice(0, begin);
  // What stands before the last blank outside of brackets is a type, but for operators that are words.
  const operator = head.search(/\boperator\b/);
  const before = operator < 0 ? head : head.slice(0, operator);
  let blank = -1;
  eachOutside(before, (at, letter) => {
    if (letter === " ") blank = at;
  });
  return head.slice(blank + 1) || name;
}

/** Where the last list in round brackets begins and ends, which is no `operator()` and no `(anonymous namespace)`. */
function parameters(name) {
  const end = name.lastIndexOf(")");
  let depth = 0;
  for (let at = end; at > 0; at--) {
    if (name[at] === ")") depth++;
    if (name[at] === "(" && --depth === 0) {
      const isName = name.slice(0, at).endsWith("operator") || /^\((?:anonymous|\*)/.test(name.slice(at)) || name[at - 1] === ".";
      return isName ? [-1, -1] : [at, end];
    }
  }
  return [-1, -1];
}

/** `a<b>::f<c>` is `a::f`. A name that begins with a bracket, as Rust's `<a as b>::f` does, has `a` in its place. */
function withoutArguments(name) {
  const operator = name.search(/\boperator\W/);
  const head = operator < 0 ? name : name.slice(0, operator);
  let short = "";
  let depth = 0;
  for (let at = 0; at < head.length; at++) {
    const letter = head[at];
    if (letter === "<") {
      if (depth === 0 && (short === "" || short.endsWith("::"))) {
        const end = closing(head, at);
        const inside = head.slice(at + 1, end).split(" as ")[0];
        // Rust's `{impl#0}` and `<impl a>` say little, and what they are of stands before.
        short += withoutArguments(inside.replace(/^impl /, "").replace(/^[&*]+(?:mut |const )?/, ""));
        at = end;
        continue;
      }
      depth++;
    } else if (letter === ">" && head[at - 1] !== "-") {
      depth--;
      continue;
    }
    if (depth === 0) short += letter;
  }
  const rest = operator < 0 ? "" : name.slice(operator);
  return (short + rest).replace(/::(?=::|$)/g, "") || name;
}

/** What is left of a name where its first parts go, one after the other. */
function outwards(name) {
  const places = [];
  // Go's names have paths before the package, whose dots are none between parts.
  const path = name.search(/\boperator\b/) < 0 ? name.lastIndexOf("/", indexOr(name, "(", name.length)) : -1;
  if (path >= 0) places.push(path);
  eachOutside(name, (at, letter, next) => {
    if (letter === ":" && next === ":") places.push(at);
    if (letter === "." && at > path && at > 0 && /[\w(]/.test(next ?? "") && !name.includes("::")) places.push(at);
  });
  return places.slice(-PARTS_MAX).map((at) => name.slice(at)).filter((rest) => /\w/.test(rest) && !UNNAMED.test(rest)).map((rest) => rest.replace(/^\./, ""));
}

function indexOr(text, letter, otherwise) {
  const at = text.indexOf(letter);
  return at < 0 ? otherwise : at;
}

/** Calls for each letter that stands in no bracket. */
function eachOutside(text, call) {
  const open = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === open.at(-1)) open.pop();
    else if (OPEN[letter] !== undefined) open.push(OPEN[letter]);
    else if (open.length === 0) call(at, letter, text[at + 1]);
  }
}

/** Where the bracket closes that opens here; the end where none does. */
function closing(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "<") depth++;
    if (text[at] === ">" && text[at - 1] !== "-" && --depth === 0) return at;
  }
  return text.length;
}
