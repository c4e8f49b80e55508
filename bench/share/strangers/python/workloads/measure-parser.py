"""Makes expressions, scans, parses and evaluates them, and plays queens on integers."""

OPERATORS = {"+": lambda a, b: (a + b) % 65521, "-": lambda a, b: (a - b) % 65521, "*": lambda a, b: a * b % 65521, "/": lambda a, b: a // b if b else 0}


class Maker:
    def __init__(self, state):
        self.state = state

    def below(self, limit):
        self.state = (self.state * 69069 + 1) % 2**32
        return (self.state >> 16) % limit

    def make(self, depth):
        if depth <= 0 or self.below(5) == 0:
            return str(self.below(1000)) if self.below(2) else f"v{self.below(10)}"
        return f"({self.make(depth - 1)}{'+-*/'[self.below(4)]}{self.make(depth - 1)})"


def scan(text):
    at = 0
    while at < len(text):
        if text[at] in "()+-*/":
            yield text[at]
            at += 1
            continue
        end = at + 1
        while end < len(text) and text[end].isdigit():
            end += 1
        yield text[at:end]
        at = end


def parse(tokens):
    token = next(tokens)
    if token != "(":
        return token if token[0] == "v" else int(token)
    left, operator, right = parse(tokens), next(tokens), parse(tokens)
    next(tokens)
    return (OPERATORS[operator], left, right)


def evaluate(node, scope):
    if isinstance(node, tuple):
        return node[0](evaluate(node[1], scope), evaluate(node[2], scope))
    return scope[node] if isinstance(node, str) else node


def queens(size, columns=0, left=0, right=0, row=0):
    if row == size:
        return 1
    found, free = 0, ~(columns | left | right) & ((1 << size) - 1)
    while free:
        bit = free & -free
        free ^= bit
        found += queens(size, columns | bit, (left | bit) << 1, (right | bit) >> 1, row + 1)
    return found


maker, total = Maker(77), 0
for step in range(5000):
    tree = parse(scan(maker.make(9)))
    for value in range(4):
        scope = {f"v{number}": number * step for number in range(10)} | {"v0": value}
        total = (total + evaluate(tree, scope)) % 1_000_003
print(total, queens(9))
