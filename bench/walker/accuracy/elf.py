"""What the comparer must know of a binary: its instructions, functions and loaded segments.

Instructions come from objdump's linear disassembly of the code sections, because a straight range of a branch
record has to be turned into the instructions in it. ELF headers and symbols are read here. All addresses are those
of the file itself (link-time). The disassembly of a large binary takes seconds, so it is kept beside the truth.
"""

import bisect
import hashlib
import pickle
import re
import struct
import subprocess
from array import array
from dataclasses import dataclass, field
from pathlib import Path

PLAIN, CONDITIONAL, JUMP, CALL, INDIRECT_CALL, REPEATED = range(6)

INSTRUCTION = re.compile(r"^ *([0-9a-f]+):\t(.*)$")
PREFIXES = {"lock", "bnd", "notrack", "data16", "addr32", "cs", "ds", "es", "fs", "gs", "ss", "xacquire", "xrelease"}
STRING = re.compile(r"(movs|stos|cmps|scas|lods|ins|outs)[bwlq]?$")
ENDS = {"ret", "retq", "retw", "lret", "iret", "iretq", "hlt", "ud2", "ud1"}


@dataclass
class Binary:
    """One ELF file. `functions` holds (start, end, name), sorted; `plt` the address ranges of its stubs."""

    addresses: array
    kinds: bytes
    functions: list = field(default_factory=list)
    segments: list = field(default_factory=list)
    plt: list = field(default_factory=list)
    entry: int = 0
    path: str = ""
    digest: str = ""

    def index(self, address):
        """The instruction that starts at the address, or None."""
        at = bisect.bisect_left(self.addresses, address)
        if at < len(self.addresses) and self.addresses[at] == address:
            return at
        return None

    def of_file_offset(self, offset):
        """The link-time address of a place in the file, or None. The kernel maps whole pages, so the mapping of a
        segment may begin before it."""
        for start, size, address in self.segments:
            if start & ~4095 <= offset < start + size:
                return offset - start + address
        return None

    def in_plt(self, address):
        return any(start <= address < end for start, end in self.plt)


def kind_of(text):
    """The kind of an instruction by objdump's AT&T text."""
    words = text.split()
    while words and words[0] in PREFIXES:
        words = words[1:]
    if not words:
        return PLAIN
    if words[0] in ("rep", "repz", "repnz"):
        if len(words) > 1 and STRING.match(words[1]):
            return REPEATED
        words = words[1:]
        if not words:
            return PLAIN
    name = words[0].split(",")[0]  # "jne,pn" is a hint
    if name.startswith("call"):
        return INDIRECT_CALL if len(words) > 1 and words[1].startswith("*") else CALL
    if name in ("jmp", "jmpq", "ljmp") or name in ENDS:
        return JUMP
    if name.startswith("j") or name.startswith("loop"):
        return CONDITIONAL
    return PLAIN


def read_disassembly(lines):
    """Addresses and kinds of all instructions in objdump's output."""
    found = {}
    for line in lines:
        match = INSTRUCTION.match(line)
        if match:
            found[int(match.group(1), 16)] = kind_of(match.group(2))
    addresses = array("Q", sorted(found))
    return addresses, bytes(found[address] for address in addresses)


def text_at(table, offset):
    return table[offset:table.index(b"\0", offset)].decode(errors="replace")


def read_headers(data):
    """(entry, executable segments, sections) of a 64-bit little-endian ELF file."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit little-endian ELF file")
    entry, phoff, shoff = struct.unpack_from("<QQQ", data, 24)
    phsize, phnum, shsize, shnum, names_index = struct.unpack_from("<HHHHH", data, 54)
    segments = []
    for i in range(phnum):
        kind, flags, offset, address, _, size = struct.unpack_from("<IIQQQQ", data, phoff + i * phsize)
        if kind == 1 and flags & 1:
            segments.append((offset, size, address))
    raw = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + i * shsize) for i in range(shnum)]
    names = data[raw[names_index][4]:][:raw[names_index][5]] if raw else b""
    sections = [(text_at(names, s[0]), s) for s in raw]
    return entry, segments, sections


def read_functions(data, sections):
    """Functions of .symtab, or of .dynsym where that is all there is; aliases once."""
    found = {}
    for wanted in (2, 11):
        for _, (_, kind, _, _, offset, size, link, _, _, entry_size) in sections:
            if kind != wanted:
                continue
            strings = sections[link][1]
            table = data[strings[4]:strings[4] + strings[5]]
            for at in range(offset, offset + size, entry_size):
                name, info, _, section, value, length = struct.unpack_from("<IBBHQQ", data, at)
                if info & 15 == 2 and section != 0 and length > 0:
                    found.setdefault(value, (value, value + length, text_at(table, name)))
        if found:
            break
    return [found[start] for start in sorted(found)]


def readable(functions):
    """The same with names for people."""
    names = "\n".join(name for _, _, name in functions)
    plain = subprocess.run(["c++filt"], input=names, capture_output=True, text=True, check=True).stdout.splitlines()
    return [(start, end, name) for (start, end, _), name in zip(functions, plain)]


def load(path, cache_directory):
    """Reads a binary; its disassembly comes from the cache where the same file was seen before."""
    path = Path(path).resolve()
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()[:16]
    kept = Path(cache_directory) / f"{path.name}-{digest}.instructions"
    if kept.exists():
        addresses, kinds = pickle.loads(kept.read_bytes())
    else:
        command = ["objdump", "-d", "-w", "--no-show-raw-insn", str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as objdump:
            addresses, kinds = read_disassembly(objdump.stdout)
        if objdump.returncode != 0 or not addresses:
            raise RuntimeError(f"objdump could not disassemble {path}")
        write_whole(kept, pickle.dumps((addresses, kinds)))
    entry, segments, sections = read_headers(data)
    plt = [(s[3], s[3] + s[5]) for name, s in sections if name.startswith(".plt")]
    functions = readable(read_functions(data, sections))
    return Binary(addresses, kinds, functions, segments, plt, entry, str(path), digest)


def write_whole(path, content):
    """A file stands under its name only when it is complete."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    if isinstance(content, bytes):
        partial.write_bytes(content)
    else:
        partial.write_text(content)
    partial.rename(path)
