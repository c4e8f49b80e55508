"""How large generated code is: its source, and the machine code that a program gets by it."""

from gobench import HERE, command

# The struct that holds all others, by definition.
ROOTS = {"one": "One", "order": "Batch", "many": "Whole"}

# A program that reads and writes a struct, by codec: imports and statements.
USES = {
    "hone": ('"hone/go/thrift"', "thrift.Unmarshal(in, v)\n\tos.Stdout.Write(thrift.Marshal(v))"),
    "fastgo": ("", "v.FastRead(in)\n\tout := make([]byte, v.BLength())\n\tv.FastWrite(out)\n\tos.Stdout.Write(out)"),
    "apache": ('"github.com/apache/thrift/lib/go/thrift"',
               "memory := thrift.NewTMemoryBuffer()\n\tmemory.Write(in)\n\tprotocol := thrift.NewTBinaryProtocolTransport(memory)\n"
               "\tv.Read(protocol)\n\tv.Write(protocol)\n\tos.Stdout.Write(memory.Bytes())"),
}


def source_bytes(codec, name):
    return sum(path.stat().st_size for path in (HERE / f"generated/{codec}/{name}").glob("*.go"))


def text_bytes(codec, name):
    """Machine code of the functions of a program that reads and writes one kind of message."""
    imports, statements = USES[codec]
    directory = HERE / f"generated/size/{codec}-{name}"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "main.go").write_text(
        f'package main\n\nimport (\n\t"os"\n\n\tp "hone/bench/thrift/generated/{codec}/{name}"\n\t{imports}\n)\n\n'
        f"func main() {{\n\tin, _ := os.ReadFile(os.Args[1])\n\tv := new(p.{ROOTS[name]})\n\t{statements}\n}}\n")
    program = directory / "program"
    command("go", "build", "-o", program, f"./generated/size/{codec}-{name}")
    total = 0
    for symbol in command("go", "tool", "nm", "-size", program, capture_output=True).stdout.splitlines():
        words = symbol.split(None, 3)
        if len(words) == 4 and words[2] in "tT":
            total += int(words[1])
    return total


def code_bytes(codec, name):
    """What a definition adds to a program that already has one of a single number: its own code, instances of generic
    functions, and what it alone needs of libraries."""
    return text_bytes(codec, name) - text_bytes(codec, "one")
