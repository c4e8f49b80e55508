# Reformats a table, checks its fields, and joins it with what it has read before.
BEGIN { FS = "," }
function checksum(text,   i, sum) {
  for (i = 1; i <= length(text); i++) sum = (sum * 33 + index("abcdefghijklmnopqrstuvwxyz ", substr(text, i, 1))) % 65521
  return sum
}
{
  key = substr($1, 1, 3)
  if (key in last) { joined++; $2 = $2 + last[key] % 7 }
  last[key] = $2
  if ($4 !~ /^[0-9]+\.[0-9][0-9]$/) bad++
  out = sprintf("%-20s|%08d|%10.2f|%s", toupper($1), $2, $4 * 1.19, $5)
  sum = (sum + checksum($3) + length(out)) % 1000000007
}
END { print joined, bad + 0, sum }
