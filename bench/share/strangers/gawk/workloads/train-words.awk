# Counts words and pairs of words, and sorts them by how often they stand there.
{
  line = tolower($0)
  gsub(/[^a-z ]/, "", line)
  count = split(line, words, " ")
  for (i = 1; i <= count; i++) {
    seen[words[i]]++
    if (i > 1) pairs[words[i - 1], words[i]]++
  }
}
END {
  PROCINFO["sorted_in"] = "@val_num_desc"
  for (word in seen) if (++shown <= 20) print word, seen[word]
  for (pair in pairs) if (pairs[pair] > 60) total += pairs[pair]
  print total
}
