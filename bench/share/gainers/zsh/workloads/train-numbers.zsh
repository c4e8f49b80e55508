# Arithmetic and functions: floating point, recursion, a sieve in an array.
integer i j n found=0
float sum=0
for ((i = 1; i < 6000; i++)) { ((sum += 1.0 / (i * i))) }
printf '%.6f\n' $sum
hanoi() { if (($1 == 0)); then return; fi; hanoi $(($1 - 1)) $2 $4 $3; ((moves += $1 % 3)); hanoi $(($1 - 1)) $4 $3 $2 }
moves=0
hanoi 11 a b c
print $moves
n=5000
typeset -a crossed
crossed[n]=0
for ((i = 2; i <= n; i++)) {
  if ((crossed[i])) continue
  ((found++))
  for ((j = i * i; j <= n; j += i)) { crossed[j]=1 }
}
print $found
