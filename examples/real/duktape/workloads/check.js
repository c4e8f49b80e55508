// Checks an interpreter: language, libraries, collector. Ends with an error at the first wrong answer.
var checks = 0;
function check(condition, what) {
  checks++;
  if (!condition) {
    throw new Error("wrong: " + what);
  }
}

// numbers
check(7 % -3 === 1 && -7 % 3 === -1 && 2 * 3.5 === 7, "arithmetic");
check((1 << 31) === -2147483648 && (-1 >>> 28) === 15 && ~5 === -6, "bits");
check(0.1 + 0.2 !== 0.3 && (0.1).toFixed(3) === "0.100" && (255).toString(16) === "ff", "numbers as text");
check(parseInt("12px", 10) === 12 && isNaN(Number("12px")) && +"0x10" === 16, "text as numbers");
check(1 / -0 === -Infinity && Math.max(1, NaN) !== Math.max(1, NaN), "special numbers");
check(Math.floor(-1.5) === -2 && Math.round(2.5) === 3 && Math.pow(2, 53) === 9007199254740992, "Math");

// strings and regular expressions
check("abcdef".slice(1, -1).split("").reverse().join("-") === "e-d-c-b", "strings");
check("k=v, x=y".replace(/(\w)=(\w)/g, "$2=$1") === "v=k, y=x", "replace");
check("The (quick) fox".match(/\((\w+)\)/)[1] === "quick" && /^a+?b$/.test("aab"), "match");
check(/(a|ab)(c|bcd)(d*)/.exec("abcd").join() === "abcd,a,bcd,", "backtracking");
check("\u20ac".charCodeAt(0) === 8364 && "a" < "b" && "a" + 1 + 2 === "a12", "characters");

// arrays and objects
check([5, 2, 8, 1].sort(function (a, b) { return a - b; }).join(" ") === "1 2 5 8", "sort");
check([1, 2, 3, 4].filter(function (x) { return x & 1; }).map(function (x) { return x * x; }).join() === "1,9", "map");
check([1, 2, 3].reduce(function (a, b) { return a + b; }) === 6 && [3, 4].indexOf(4) === 1, "reduce");
var list = [1, 2, 3, 4, 5];
check(list.splice(1, 2, "x").join() === "2,3" && list.join() === "1,x,4,5", "splice");
var object = { get twice() { return this.n * 2; }, n: 21, 1: "one" };
check(object.twice === 42 && "n" in object && delete object.n && !("n" in object), "properties");
var names = [];
for (var name in { a: 1, b: 2, c: 3 }) {
  names.push(name);
}
check(names.join("") === "abc", "for in");
check(JSON.stringify(JSON.parse('{"a":[1,2.5,"x\\n",null,true]}')) === '{"a":[1,2.5,"x\\n",null,true]}', "JSON");

// functions, prototypes, exceptions
function Counter(start) {
  this.next = function () { return start++; };
}
Counter.prototype.skip = function (n) { while (n-- > 0) { this.next(); } return this; };
var one = new Counter(1), ten = new Counter(10);
check(one.skip(3).next() === 4 && ten.next() === 10 && one instanceof Counter, "closures and prototypes");
check((function () { return arguments.length; }).apply(null, [1, 2, 3]) === 3, "arguments");
var order = "";
try {
  try {
    null.x;
  } catch (e) {
    order += e instanceof TypeError;
    throw "again";
  } finally {
    order += " finally ";
  }
} catch (e) {
  order += e;
}
check(order === "true finally again", "exceptions");
outer: for (var i = 0, steps = 0; i < 10; i++) {
  for (var j = 0; j < 10; j++) {
    if (j === 3) continue outer;
    if (i === 5) break outer;
    steps++;
  }
}
check(steps === 15, "labels");

// collector
var kept = [];
for (i = 0; i < 100000; i++) {
  var node = { i: i, self: null, text: "n" + i };
  node.self = node;
  if (i % 1000 === 0) {
    kept.push(node);
  }
}
check(kept.length === 100 && kept[99].self.text === "n99000", "what is kept");
print("check", checks, "ok");
