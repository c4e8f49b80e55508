// Measured: a small language in JavaScript: tokenizer, recursive-descent parser, evaluator.
var rounds = 2500;
var state = 36243606;

function between(low, high) {
  state = state * 16807 % 2147483647;
  return low + state % (high - low + 1);
}

function makeExpression(depth) {
  if (depth === 0) {
    return between(0, 2) ? String(between(1, 99)) : "xyz".charAt(between(0, 2));
  }
  var left = makeExpression(depth - 1), right = makeExpression(depth - between(1, depth));
  var text = left + " " + "+-*%<".charAt(between(0, 4)) + " " + right;
  return between(0, 1) ? "(" + text + ")" : text;
}

function tokenize(text) {
  var tokens = [], at = 0;
  while (at < text.length) {
    var c = text.charCodeAt(at);
    if (c === 32) {
      at++;
    } else if (c >= 48 && c <= 57) {
      var value = 0;
      while (c >= 48 && c <= 57) {
        value = value * 10 + c - 48;
        c = text.charCodeAt(++at);
      }
      tokens.push({ kind: "number", value: value });
    } else if (c >= 97 && c <= 122) {
      tokens.push({ kind: "name", value: text.charAt(at++) });
    } else {
      tokens.push({ kind: text.charAt(at++), value: null });
    }
  }
  tokens.push({ kind: "end", value: null });
  return tokens;
}

var strength = { "<": 1, "+": 2, "-": 2, "*": 3, "%": 3 };

function parse(tokens) {
  var at = 0;
  function primary() {
    var token = tokens[at++];
    if (token.kind === "(") {
      var inner = binary(0);
      at++;
      return inner;
    }
    return { kind: token.kind, value: token.value };
  }
  function binary(least) {
    var left = primary();
    while (strength[tokens[at].kind] > least) {
      var operator = tokens[at++].kind;
      left = { kind: operator, left: left, right: binary(strength[operator]) };
    }
    return left;
  }
  return binary(0);
}

function evaluate(node, names) {
  switch (node.kind) {
    case "number": return node.value;
    case "name": return names[node.value];
    case "+": return evaluate(node.left, names) + evaluate(node.right, names) | 0;
    case "-": return evaluate(node.left, names) - evaluate(node.right, names) | 0;
    case "*": return evaluate(node.left, names) * evaluate(node.right, names) % 65521;
    case "%": return evaluate(node.left, names) % (evaluate(node.right, names) || 7);
    case "<": return evaluate(node.left, names) < evaluate(node.right, names) ? 1 : 0;
  }
}

var total = 0;
for (var round = 0; round < rounds; round++) {
  var tree = parse(tokenize(makeExpression(9)));
  for (var i = 0; i < 12; i++) {
    total = (total * 31 + evaluate(tree, { x: i, y: round, z: i - round })) % 1000003;
  }
}
print("measure-interpreter", total);
