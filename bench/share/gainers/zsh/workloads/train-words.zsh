# Text by lines: words counted in a table, with flags of expansion and patterns.
typeset -A seen
integer matched=0 letters=0
for line in ${(f)"$(<inputs/train.txt)"}; do
  for word in ${(s: :)line%.}; do
    (( seen[$word] += 1 ))
    [[ $word == (b|d)*[aeiou] ]] && ((matched++))
    ((letters += $#word))
  done
  joined=${(j:-:)${(u)${=line}}}
  line=${line//(#m)[aeiou]/<$MATCH>}
done
print $#seen $matched $letters $#joined
most=(${(On)seen})
print $most[1,3]
