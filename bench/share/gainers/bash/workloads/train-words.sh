# Text by lines: words counted in a table, cases, patterns and replacements.
declare -A seen
vowels=0 long=0
while read -r -a words; do
  for word in "${words[@]}"; do
    word=${word%.}
    seen[$word]=$((seen[$word] + 1))
    case $word in
      [aeiou]*) vowels=$((vowels + 1)) ;;
      *st*) long=$((long + ${#word})) ;;
    esac
  done
  line="${words[*]//a/A}"
  [[ $line =~ ^(.)[a-z]*\ ([a-zA]+) ]] && tail=${BASH_REMATCH[2]}
done < inputs/train.txt
echo "${#seen[@]} $vowels $long $tail"
