# A table of values: sums by group, columns put together anew, a running median of three.
BEGIN { FS = "," }
{
  sum[$5] += $4; count[$5]++
  a = b; b = c; c = $2 + 0
  middle += a < b ? (b < c ? b : (a < c ? c : a)) : (a < c ? a : (b < c ? c : b))
  line = sprintf("%-12s|%08d|%s", toupper($1), $2, $5)
  if (line ~ /^[A-M].*\|0*[1-9]+\|[NE]$/) lines++
  hash = (hash * 31 + length(line) + index(line, "A")) % 1000003
}
END { for (group in sum) printf "%s %.2f\n", group, sum[group] / count[group]; print middle, lines, hash }
