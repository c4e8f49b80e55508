# Arrays: insertion sort, queens on a board, a table of rows.
x=42
for ((i = 0; i < 260; i++)); do
  x=$(((x * 1103 + 12345) % 65536))
  for ((j = i; j > 0 && list[j - 1] > x; j--)); do list[j]=${list[j - 1]}; done
  list[j]=$x
done
echo "${list[0]} ${list[130]}"
queens() {
  local row=$1 column i
  if ((row == 6)); then found=$((found + 1)); return; fi
  for ((column = 0; column < 6; column++)); do
    for ((i = 0; i < row; i++)); do
      ((at[i] == column || at[i] - column == row - i || column - at[i] == row - i)) && continue 2
    done
    at[row]=$column
    queens $((row + 1))
  done
}
found=0
queens 0
echo "$found"
