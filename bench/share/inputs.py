"""Inputs of programs' workloads, the same bytes each time: what more than one generator writes."""


class Dice:
    """A small generator of its own, so that no version of Python changes the inputs (xorshift64*)."""

    def __init__(self, seed):
        self.state = seed * 0x9E3779B97F4A7C15 % 2**64 or 1

    def below(self, limit):
        for shift in [-12, 25, -27]:
            self.state ^= (self.state << shift if shift > 0 else self.state >> -shift) % 2**64
        return (self.state * 0x2545F4914F6CDD1D % 2**64 >> 33) % limit

    def of(self, values):
        return values[self.below(len(values))]

    def word(self):
        return "".join(self.of("bdfgklmnprstvz") + self.of("aeiou") + self.of(["", "", "n", "r", "st"]) for _ in range(1 + self.below(4)))


def prose(dice, lines):
    """Text whose words are as unevenly frequent as in a language."""
    vocabulary = [dice.word() for _ in range(3000)]
    def line():
        return " ".join(vocabulary[dice.below(1 + dice.below(len(vocabulary)))] for _ in range(8 + dice.below(8)))
    return "".join(line().capitalize() + ".\n" for _ in range(lines))


def log(dice, lines):
    paths = [f"/{dice.word()}/{dice.word()}" for _ in range(400)]
    return "".join(
        f"10.{dice.below(4)}.{dice.below(256)}.{dice.below(256)} - - [{1 + dice.below(28):02}/Mar/2024:{dice.below(24):02}:{dice.below(60):02}] "
        f"\"{dice.of(['GET', 'GET', 'POST', 'PUT'])} {dice.of(paths)}?id={dice.below(100000)} HTTP/1.1\" "
        f"{dice.of([200, 200, 200, 304, 404, 500])} {dice.below(60000)}\n" for _ in range(lines))


def records(dice, lines):
    return "".join(f"{dice.word()},{dice.below(10**6)},{dice.word()} {dice.word()},{dice.below(10**4)}.{dice.below(100):02},{dice.of('NSEW')}\n"
                   for _ in range(lines))


def distinct(dice, count):
    words = {}
    while len(words) < count:
        words[f"{dice.word()}{dice.word()}"] = None
    return list(words)


def grammar_of_expressions(dice, levels, operators):
    """Levels of operators, each a rule of its own, with statements around them."""
    tokens = [f"T{number}" for number in range(levels * operators)]
    lines = ["%token ID NUMBER " + " ".join(tokens), "%%", "program: %empty | program statement ';';"]
    statements = " | ".join(f"T{dice.below(len(tokens))} '(' e0 ')' ID e{dice.below(levels)}" for _ in range(12))
    lines.append(f"statement: e0 | {statements} | '{{' program '}}';")
    for level in range(levels):
        below = f"e{level + 1}" if level + 1 < levels else "atom"
        own = tokens[level * operators:(level + 1) * operators]
        lines.append(f"e{level}: {below} | " + " | ".join(f"e{level} {token} {below}" for token in own) + ";")
    lines.append("atom: ID | NUMBER | '(' e0 ')' | ID '[' e0 ']' | ID '(' list ')'; list: %empty | e0 | list ',' e0;")
    return "\n".join(lines) + "\n"


def grammar_of_clauses(dice, count):
    """Statements of clauses that may be left out, as in a query language; each clause has a keyword of its own."""
    lines = ["%token ID NUMBER " + " ".join(f"K{number}" for number in range(count * 4)), "%define parse.error verbose", "%%",
             "start: %empty | start item '.';", "item: " + " | ".join(f"s{number}" for number in range(count)) + ";"]
    for number in range(count):
        clauses = [f"c{number}_{part}" for part in range(3)]
        lines.append(f"s{number}: K{number * 4} ID {' '.join(clauses)};")
        for part, clause in enumerate(clauses):
            lines.append(f"{clause}: %empty | K{number * 4 + part + 1} names | K{number * 4 + part + 1} '(' sum ')' {'NUMBER' if dice.below(2) else 'ID'};")
    lines += ["names: ID | names ',' ID;", "sum: product | sum '+' product | sum '-' product;",
              "product: ID | NUMBER | product '*' NUMBER | '(' sum ')';"]
    return "\n".join(lines) + "\n"
