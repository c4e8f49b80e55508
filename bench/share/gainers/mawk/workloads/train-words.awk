# Words and pairs of words.
{
  line = tolower($0)
  gsub(/[^a-z ]/, "", line)
  count = split(line, words, " ")
  for (i = 1; i <= count; i++) { seen[words[i]]++; if (i > 1) pairs[words[i - 1] " " words[i]]++ }
}
END {
  for (word in seen) if (seen[word] > 20) { distinct++; letters += length(word) }
  for (pair in pairs) if (pairs[pair] > 60) total += pairs[pair]
  print distinct, letters, total
}
