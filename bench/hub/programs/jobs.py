"""Work for a Python interpreter, as jobs of services have it: texts, tables, packing, trees. A byte is added to a file for each round of all jobs."""

import ast
import hashlib
import json
import random
import re
import statistics
import string
import sys
import textwrap
import zlib
from collections import Counter, defaultdict
from pathlib import Path

TEXT = Path(json.__file__).read_text() * 4
choose = random.Random(1)


def words():
    found = Counter(re.findall(r"[A-Za-z_]\w+", TEXT))
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:100]


def tables():
    rows = [{"id": at, "name": "".join(choose.choices(string.ascii_letters, k=12)), "price": choose.random()} for at in range(2000)]
    again = json.loads(json.dumps(rows))
    groups = defaultdict(list)
    for row in again:
        groups[row["name"][0].lower()].append(row["price"])
    return {letter: statistics.fmean(prices) for letter, prices in groups.items()}


def packing():
    packed = zlib.compress(TEXT.encode(), 6)
    return hashlib.sha256(zlib.decompress(packed)).hexdigest()


def trees():
    tree = ast.parse(TEXT[: len(TEXT) // 4])
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    return ast.unparse(tree)[:100], len(names)


def layout():
    return textwrap.fill(" ".join(TEXT.split()[:3000]), 72)


def primes(limit=30_000):
    sieve = bytearray([1]) * limit
    for at in range(2, int(limit**0.5) + 1):
        if sieve[at]:
            sieve[at * at :: at] = bytes(len(range(at * at, limit, at)))
    return sum(sieve)


with open(sys.argv[1], "ab", buffering=0) as done:
    while True:
        for job in [words, tables, packing, trees, layout, primes]:
            job()
        done.write(b".")
