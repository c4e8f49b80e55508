# Records by fields: split, padded, joined, reversed, matched.
declare -A total
while IFS=, read -r name number places amount side; do
  total[$side]=$((${total[$side]:-0} + ${amount%.*}))
  printf -v padded '%-12s|%08d' "${name^^}" "$number"
  case $padded in *A*1*) hits=$((hits + 1)) ;; esac
  reversed=
  for ((i = ${#name} - 1; i >= 0; i--)); do reversed+=${name:i:1}; done
  [[ $reversed == "$name" || ${places#* } < "$name" ]] && early=$((early + 1))
done < inputs/measure.csv
for side in N E S W; do echo "$side ${total[$side]}"; done
echo "$hits $early"
