# Arithmetic and functions: the Ackermann function, greatest common divisors, perfect numbers.
function ackermann {
  if (($1 == 0)); then result=$(($2 + 1))
  elif (($2 == 0)); then ackermann $(($1 - 1)) 1
  else
    ackermann $1 $(($2 - 1))
    ackermann $(($1 - 1)) $result
  fi
}
ackermann 2 20
print $result
i=1 sum=0
while ((i < 1500)); do
  a=$((i * 9973)) b=5040
  while ((b != 0)); do t=$((a % b)) a=$b b=$t; done
  sum=$((sum + a)) i=$((i + 1))
done
print $sum
n=2
while [ $n -le 300 ]; do
  d=1 s=0
  while [ $d -le $((n / 2)) ]; do
    if [ $((n % d)) -eq 0 ]; then s=$((s + d)); fi
    d=$((d + 1))
  done
  if [ $s -eq $n ]; then print perfect $n; fi
  n=$((n + 1))
done
