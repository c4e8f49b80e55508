# Arrays: Conway's game of life on a torus, then a sort by shells.
width=16 cells=256 x=7 i=0
while ((i < cells)); do x=$(((x * 1103 + 12345) % 65536)); grid[i]=$(((x >> 5) % 2)); i=$((i + 1)); done
for turn in 1 2 3 4 5 6; do
  i=0 alive=0
  while ((i < cells)); do
    n=0
    for by in -17 -16 -15 -1 1 15 16 17; do n=$((n + grid[(i + by + cells) % cells])); done
    if ((n == 3 || n == 2 && grid[i])); then next[i]=1; alive=$((alive + 1)); else next[i]=0; fi
    i=$((i + 1))
  done
  set -A grid -- "${next[@]}"
done
print $alive
i=0
while ((i < 300)); do x=$(((x * 1103 + 12345) % 65536)); list[i]=$x; i=$((i + 1)); done
for gap in 40 13 4 1; do
  i=$gap
  while ((i < 300)); do
    value=${list[i]} j=$i
    while ((j >= gap && list[j - gap] > value)); do list[j]=${list[j - gap]}; j=$((j - gap)); done
    list[j]=$value i=$((i + 1))
  done
done
print ${list[0]} ${list[150]}
