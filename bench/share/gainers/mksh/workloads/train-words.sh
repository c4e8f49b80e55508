# Text by lines: words by their beginnings, with cases, patterns and replacements.
set -A heads
count=0 letters=0 longest=
IFS='
'
set -A lines -- $(<inputs/train.txt)
IFS=' '
for line in "${lines[@]}"; do
  set -- ${line%.}
  for word; do
    case $word in
      b*|d*) heads[0]=$((heads[0] + 1)) ;;
      *[aeiou]st*) heads[1]=$((heads[1] + ${#word})) ;;
      @(ka|ma|na)*) heads[2]=$((heads[2] + 1)) ;;
    esac
    letters=$((letters + ${#word}))
    if ((${#word} > ${#longest})); then longest=$word; fi
  done
  rest=${line#* } first=${line%% *}
  if [[ ${first//a/} != "$first" ]]; then count=$((count + $#)); fi
done
print $count $letters $longest ${heads[*]}
