# Writes a tree of text: prose, notes with letters beyond ASCII, code and logs, always the same for one seed.
#
# usage: awk -v seed=N -v files=N -v lines=N -f generate.awk      in a directory that holds the folders
#
# Words come from a made-up vocabulary, few of them often and most of them seldom, as in real text.

# Park and Miller's generator; exact in a double.
function random(below) {
  seed = (seed * 16807) % 2147483647
  return seed % below
}

function pick() {  # rank falls off roughly as in Zipf's law
  return word[int(words * (random(100000) / 100000) ^ 3)]
}

function sentence(count,  text) {
  text = pick()
  while (--count > 0) text = text " " pick()
  return text
}

function name(  text) {
  text = pick()
  if (random(2)) text = text "_" pick()
  return text
}

function prose_line(  text) {
  text = sentence(9 + random(6))
  return toupper(substr(text, 1, 1)) substr(text, 2) (random(3) ? "." : ",")
}

function note_line() {
  if (random(4) == 0) return "## " beyond[random(beyonds)] " " sentence(3)
  return sentence(3 + random(4)) " " beyond[random(beyonds)] " " sentence(2) " " beyond[random(beyonds)] "."
}

function code_line(  kind) {
  kind = random(6)
  if (kind == 0) return "static int " name() "(struct " name() " *" pick() ", size_t " pick() ") {"
  if (kind == 1) return "    if (" name() "->" pick() " != NULL && " name() " < " random(4096) ")"
  if (kind == 2) return "        return " name() "(" name() ", " random(256) ");"
  if (kind == 3) return "    " name() " = " name() " + 0x" sprintf("%04x", random(65536)) ";  /* " sentence(3) " */"
  if (kind == 4) return "#define " toupper(name()) " " random(100000)
  return "}"
}

function log_line() {
  return sprintf("2023-%02d-%02dT%02d:%02d:%02d.%03dZ %s %s[%d]: %d.%d.%d.%d %s %s=%d", \
    1 + random(12), 1 + random(28), random(24), random(60), random(60), random(1000), \
    level[random(4)], pick(), random(30000), 10, random(256), random(256), random(256), \
    sentence(2 + random(4)), pick(), random(100000))
}

BEGIN {
  print "*.md.bak\n/logs/d/" >".ignore"
  close(".ignore")
  syllables = split("ba ce di fo gu la me ni ro su ta ve wi xo zy ker lin mor pan rest sil tor und ver wol ing", syllable, " ")
  words = 4000
  for (i = 0; i < words; i++) {
    word[i] = ""
    for (j = 1 + random(3) + (i > 200); j > 0; j--) word[i] = word[i] syllable[1 + random(syllables)]
  }
  beyonds = split("Größe Übung naïve façade señor mañana Ελλάδα λόγος слово время Привет 東京 検索 données été", b, " ")
  for (i = 0; i < beyonds; i++) beyond[i] = b[i + 1]
  split("INFO WARN ERROR DEBUG", l, " ")
  for (i = 0; i < 4; i++) level[i] = l[i + 1]
  folders = split("a b c d", folder, " ")

  for (f = 1; f <= folders; f++)
    for (i = 0; i < files; i++) {
      for (k = 1; k <= 4; k++) {
        path[1] = "prose/" folder[f] "/" i ".txt"
        path[2] = "notes/" folder[f] "/" i ".md"
        path[3] = "code/" folder[f] "/" i ".c"
        path[4] = "logs/" folder[f] "/" i ".log"
        for (n = 0; n < lines; n++) {
          if (k == 1) print prose_line() >path[k]
          else if (k == 2) print note_line() >path[k]
          else if (k == 3) print code_line() >path[k]
          else print log_line() >path[k]
        }
        close(path[k])
      }
    }
}
