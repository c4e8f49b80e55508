# Writes an HTML document, the same on every machine. Any POSIX awk will do.
# usage: awk -v kind=article|tables|manual|mixed -v seed=NUMBER -v sections=NUMBER -f generate.awk
#
# The markup is that of people: end tags left out where HTML allows it, attributes without quotes,
# upper and lower case. It holds nothing that tidy warns of.

# Park and Miller's generator: exact in doubles.
function between(low, high) {
  seed = seed * 16807 % 2147483647
  return low + seed % (high - low + 1)
}

function word(  text, n) {
  for (n = between(1, 4); n > 0; n--) text = text syllables[between(1, syllable_count)]
  return text
}

function words(n,  text) {
  for (text = word(); n > 1; n--) text = text (between(0, 11) ? " " : ",\n") word()
  return text
}

# Words with markup in them, nested up to `depth`; `inside` names the tags that are open.
function phrase(n, depth, inside,  text, tag) {
  for (; n > 0; n -= 6) {
    text = text " " words(between(2, 8))
    tag = inline[between(1, inline_count)]
    if (depth == 0 || index(inside, "<" tag ">")) continue
    if (tag == "a") text = text " <a href=\"#s" between(1, sections) "\" title=\"" word() "\">" words(2) "</a>"
    else if (tag == "&") text = text " " entity[between(1, entity_count)]
    else if (tag == "br") text = text "<br>\n"
    else if (tag == "!") text = text "<!-- " words(4) " -->"
    else if (tag == "img") text = text " <img src=" word() ".png alt=\"" words(2) "\" width=" between(10, 400) ">"
    else text = text " <" tag ">" phrase(between(2, 8), depth - 1, inside "<" tag ">") "</" tag ">"
  }
  return substr(text, 2)
}

function list(depth,  text, n, tag) {
  tag = between(0, 1) ? "ul" : "OL"
  text = "<" tag ">\n"
  for (n = between(2, 5); n > 0; n--) {
    text = text "<li>" phrase(between(4, 16), 2) "\n"
    if (depth > 0 && !between(0, 2)) text = text list(depth - 1)
  }
  return text "</" tag ">\n"
}

function table(  text, row, column, columns) {
  columns = between(3, 8)
  text = "<TABLE border=1 summary=\"" words(3) "\">\n<tr>"
  for (column = 0; column < columns; column++) text = text "<th align=left>" word()
  for (row = between(4, 20); row > 0; row--) {
    text = text "\n<tr" (row % 2 ? " class=odd>" : ">")
    for (column = 0; column < columns; column++)
      text = text "<td>" (between(0, 2) ? between(0, 99999) : phrase(4, 1))
  }
  return text "\n</TABLE>\n"
}

function definitions(  text, n) {
  text = "<dl>\n"
  for (n = between(2, 6); n > 0; n--) text = text "<dt><code>--" word() "</code>\n<dd>" phrase(between(8, 30), 1) "\n"
  return text "</dl>\n"
}

function listing(  text, n) {
  text = "<pre>\n"
  for (n = between(3, 12); n > 0; n--)
    text = text sprintf("%*s<b>%s</b>(%s) &lt; %d;  // %s\n", between(0, 8), "", word(), word(), between(0, 999), words(3))
  return text "</pre>\n"
}

function form(  text, n) {
  text = "<form action=\"" word() "\" method=post><p>" phrase(6, 1) "\n"
  for (n = between(1, 4); n > 0; n--)
    text = text "<label>" words(2) " <input type=" (between(0, 1) ? "text" : "checkbox") " name=" word() "></label>\n"
  text = text "<select name=" word() ">"
  for (n = between(2, 9); n > 0; n--) text = text "<option>" words(2)
  return text "</select>\n</form>\n"
}

function paragraphs(n,  text) {
  for (; n > 0; n--) text = text "<p>" phrase(between(20, 80), 3) "\n"
  return text
}

BEGIN {
  syllable_count = split("ka lo mi ten ra su vel or an dis ge pro ti mo ber lin est", syllables, " ")
  inline_count = split(kind == "manual" ? "code code var a kbd em & br" : "em strong a a & b i img ! span", inline, " ")
  entity_count = split("&amp; &lt; &eacute; &uuml; &mdash; &nbsp; &#8364; &copy;", entity, " ")
  print "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">\n<html lang=en><head><title>" words(3) "</title></head>\n<body>"
  for (s = 1; s <= sections; s++) {
    print "<h2 id=s" s ">" phrase(4, 1) "</h2>"
    if (kind == "article") print paragraphs(between(1, 4)) list(2) (between(0, 3) ? "" : "<blockquote>" paragraphs(1) "</blockquote>")
    else if (kind == "tables") print paragraphs(1) table() (between(0, 2) ? "" : form())
    else if (kind == "manual") print definitions() listing() (between(0, 1) ? list(0) : paragraphs(1))
    else print "<div class=" word() ">" paragraphs(1) (between(0, 1) ? table() : definitions()) list(1) form() "</div>"
  }
  print "</body></html>"
}
