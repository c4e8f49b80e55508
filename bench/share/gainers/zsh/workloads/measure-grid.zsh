# Arrays: a walk through a maze by breadth, then Pascal's triangle modulo 1000.
integer width=40 x=7 i at by head=1 reached=0
typeset -a wall far queue row
for ((i = 1; i <= width * width; i++)) { ((x = (x * 1103 + 12345) % 65536)); ((wall[i] = x % 10 < 3)); far[i]=-1 }
queue=(1)
far[1]=0
while ((head <= $#queue)); do
  at=$queue[head++]
  ((reached++))
  for by in -$width -1 1 $width; do
    i=$((at + by))
    if ((i > 0 && i <= width * width && far[i] < 0 && !wall[i])); then far[i]=$((far[at] + 1)); queue+=($i); fi
  done
done
print $reached
row=(1)
repeat 90 {
  for ((i = $#row; i > 1; i--)) { ((row[i] = (row[i] + row[i - 1]) % 1000)) }
  row+=(1)
}
print $row[20] $row[45]
