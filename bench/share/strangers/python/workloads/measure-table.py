"""Parses a table, formats it anew, joins it with itself and counts by sets and comprehensions."""

with open("inputs/measure.csv") as table:
    rows = [line.rstrip("\n").split(",") for line in table]
total, prefixes = 0, {}
for step in range(1, 7):
    for name, number, note, price, side in rows:
        words = [word.capitalize() for word in note.split(" ")]
        line = f"{name:<16}|{int(number) * step:08d}|{float(price) * 1.19:9.2f}|{side}|{'-'.join(reversed(words))}"
        total = (total + len(line.replace("an", "na")) + line.count("e") * step + ord(line[step])) % 1_000_000_007
        prefixes.setdefault(name[:2], set()).add(int(number) // 1000)
groups = {key: sorted(value)[:3] for key, value in sorted(prefixes.items())}
print(len(rows), total, sum(sum(value) for value in groups.values()))
