# Writes a C program, the same on every machine. Any POSIX awk will do. It is meant to be compiled,
# not to be run.
# usage: awk -v kind=integers|tables|records|mixed -v seed=NUMBER -v functions=NUMBER -f generate.awk

# Park and Miller's generator: exact in doubles.
function between(low, high) {
  seed = seed * 16807 % 2147483647
  return low + seed % (high - low + 1)
}

# How much of what each kind of program holds: digits of the choice in statement().
function mix(kind_) {
  if (kind_ == "integers") return "00011122334"
  if (kind_ == "tables") return "0055566678"
  if (kind_ == "records") return "0277788994"
  return "0123456789"
}

function number() {
  if (!between(0, 5)) return sprintf("0x%xu", between(1, 2147483646))
  if (!between(0, 9)) return "'" substr("abcdefgh", between(1, 8), 1) "'"
  return between(0, 1) ? between(0, 9) : between(0, 99999)
}

function leaf(  pick) {
  pick = between(0, 9)
  if (pick < 4) return "v" between(0, 5)
  if (pick < 6) return number()
  if (pick == 6) return "counters[v" between(0, 5) " & 63]"
  if (pick == 7) return "LIMIT_" between(0, 19)
  return between(0, 1) ? "p->size" : "p->parts[" between(0, 3) "]"
}

function expression(depth,  pick, left) {
  if (depth <= 0) return leaf()
  pick = between(0, 15)
  left = expression(depth - 1)
  if (pick < 8) return left " " operators[pick] " " expression(depth - between(1, 2))
  if (pick < 10) return "(" left " << " between(1, 15) ")"
  if (pick == 10) return "(" left " < " expression(depth - 2) " ? " leaf() " : " leaf() ")"
  if (pick == 11) return "MIX(" left ", " expression(depth - 2) ")"
  if (pick == 12) return "~(" left ")"
  if (pick == 13) return "(unsigned char)(" left ")"
  if (pick == 14) return "CLAMP(" leaf() ", " number() ", LIMIT_" between(0, 19) ")"
  return "step" between(0, at ? at - 1 : 0) "(p, " left ")"
}

function statement(depth, pad,  pick, text, i) {
  pick = substr(weights, between(1, length(weights)), 1)
  if (depth <= 0 && (pick == 1 || pick == 2 || pick == 3)) pick = 0
  if (pick == 0) return pad "v" between(0, 5) " " substr("+-^|&", between(1, 5), 1) "= " expression(3) ";\n"
  if (pick == 1) {
    return pad "for (i = 0; i < " between(2, 99) "; i++) {\n" statements(depth - 1, pad "  ") pad "}\n"
  }
  if (pick == 2) {
    text = pad "if (" expression(2) " > " leaf() " && !(" expression(1) ")) {\n" statements(depth - 1, pad "  ")
    return text (between(0, 1) ? pad "}\n" : pad "} else {\n" statements(depth - 1, pad "  ") pad "}\n")
  }
  if (pick == 3) {
    text = pad "switch (" expression(1) " & 15) {\n"
    for (i = 0; i < 16; i += between(1, 4))
      text = text pad "case " i ":\n" statement(0, pad "  ") (between(0, 3) ? pad "  break;\n" : "")
    return text pad "default:\n" statement(0, pad "  ") pad "}\n"
  }
  if (pick == 4) return pad "while (v1 > " number() ") /* halves it */ v1 = v1 / 2 - " expression(1) ";\n"
  if (pick == 5) return pad "v0 += names[" between(0, 15) "][v" between(0, 5) " & 3] + (int)sizeof(\"" word() "\\n\");\n"
  if (pick == 6) return pad "v2 ^= table" between(0, tables - 1) "[v" between(0, 5) " & 31].weight; // " word() " " word() "\n"
  if (pick == 7) return pad "p->next->parts[" between(0, 3) "] = p->next->next->size + " expression(2) ";\n"
  if (pick == 8) return pad "if (p->call) v3 = p->call(p->next, " expression(2) ");\n"
  return pad "ratio = ratio * " between(0, 9) "." between(1, 99) " + p->share / (double)(" leaf() " | 1);\n"
}

function statements(depth, pad,  text, n) {
  for (n = between(2, 5); n > 0; n--) text = text statement(depth, pad)
  return text
}

function word(  text, n) {
  for (n = between(1, 4); n > 0; n--) text = text syllables[between(1, syllable_count)]
  return text
}

function table(index_,  text, i) {
  text = "static const struct entry table" index_ "[32] = {\n"
  for (i = 0; i < 32; i++) text = text "  { \"" word() "\", " number() ", { " between(0, 9) ", ." "kind = " between(0, 99) " } },\n"
  return text "};\n"
}

BEGIN {
  split("+ - * & | ^ % ==", list, " ")
  for (i = 1; i <= 8; i++) operators[i - 1] = list[i]
  operators[6] = "/ 3 +"
  syllable_count = split("ka lo mi ten ra su vel or an dis ge pro ti mo ber lin est", syllables, " ")
  weights = mix(kind)
  for (i = 0; i < 20; i++) print "#define LIMIT_" i " " number()
  print "#define MIX(a, b) (((a) * 31 + (b)) ^ ((a) >> 3))"
  print "#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))"
  print "struct record;\ntypedef int (*callback)(struct record *, int);"
  print "struct record {\n  struct record *next;\n  callback call;\n  int size, parts[4];\n  double share;\n};"
  print "struct entry {\n  const char *name;\n  unsigned weight;\n  struct { short rank, kind; } order;\n};"
  print "int counters[64];\nstatic const char *names[16] = {"
  for (i = 0; i < 16; i++) print "  \"" word() " " word() "\","
  print "};"
  tables = kind == "tables" ? int(functions / 4) : 8
  for (i = 0; i < tables; i++) print table(i)
  for (at = 0; at < functions; at++) {
    print "/* " word() " " word() " " word() ". */"
    print "int step" at "(struct record *p, int v0)\n{\n  int i, v1 = v0, v2 = " number() ", v3 = 0, v4 = v0 & 7, v5 = 1;"
    print "  double ratio = p->share;"
    if (at == 0) print "  return v0;\n}"
    else print "#if LIMIT_" between(0, 19) " > " between(0, 500) "\n" statements(3, "  ") "#else\n" statements(3, "  ") "#endif\n" \
      statements(3, "  ") "  return (int)ratio + v1 + v2 + v3 + v4 + v5 + i;\n}\n"
  }
}
