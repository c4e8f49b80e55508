"""Word counts, regular expressions and sorting over text, and sums over a server's log."""
import re

seen, pairs = {}, {}
for step in range(3):
    for line in open("inputs/train.txt"):
        words = re.sub("[^a-z ]+", "", line.lower()).split()
        for word in words:
            seen[word] = seen.get(word, 0) + 1
        for pair in zip(words, words[1:]):
            pairs[pair] = pairs.get(pair, 0) + 1
print(sorted(seen.items(), key=lambda item: (-item[1], item[0]))[:20], len(pairs))
request = re.compile(r'^(\S+) \S+ \S+ \[([^\]]+)\] "(\w+) (/[^ ?]+)\?id=(\d+) [^"]*" (\d{3}) (\d+)$')
total = {}
for step in range(3):
    for line in open("inputs/train.log"):
        found = request.match(line)
        if found:
            _, _, method, path, _, status, size = found.groups()
            key = f"{method} {status}"
            total[key] = total.get(key, 0) + int(size) + len(path)
print(sorted(total.items()))
