// Trains on text: word counts, templates with regular expressions, JSON, sorting.
var rounds = 120;
var state = 88172645;

// Park and Miller's generator: exact in doubles, so every engine gives the same numbers.
function between(low, high) {
  state = state * 16807 % 2147483647;
  return low + state % (high - low + 1);
}

function word() {
  var length = between(2, 9), text = "";
  for (var i = 0; i < length; i++) {
    text += String.fromCharCode(97 + between(0, 25));
  }
  return text;
}

function makeText(words) {
  var vocabulary = [], out = [];
  for (var i = 0; i < 300; i++) {
    vocabulary.push(word());
  }
  for (i = 0; i < words; i++) {
    out.push(vocabulary[between(0, between(0, 299))]);
    if (i % 12 === 11) {
      out[i] += ".";
    }
  }
  return out.join(" ");
}

function countWords(text) {
  var counts = {}, list = [];
  text.split(" ").forEach(function (token) {
    var key = token.replace(/\.$/, "").toUpperCase();
    counts[key] = (counts[key] || 0) + 1;
  });
  for (var key in counts) {
    list.push({ word: key, count: counts[key] });
  }
  list.sort(function (a, b) {
    return b.count - a.count || (a.word < b.word ? -1 : 1);
  });
  return list;
}

function expand(template, values) {
  return template.replace(/\{(\w+)\}/g, function (all, name) {
    return values[name];
  });
}

function hash(text) {
  var h = 7;
  for (var i = 0; i < text.length; i++) {
    h = (h * 31 + text.charCodeAt(i)) | 0;
  }
  return h;
}

var total = 0;
for (var round = 0; round < rounds; round++) {
  var text = makeText(3000);
  var list = countWords(text);
  var lines = list.map(function (entry, rank) {
    return expand("{rank}. {word} x {count}", { rank: rank + 1, word: entry.word, count: entry.count });
  });
  var json = JSON.stringify({ lines: lines, list: list, round: round });
  var back = JSON.parse(json);
  var found = text.match(/\b[aeiou]\w*[^aeiou ]\b/g) || [];
  total = (total + hash(json) + hash(found.join()) + back.list.length) | 0;
}
print("train-text", total);
