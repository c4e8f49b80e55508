# Arithmetic and functions: Fibonacci numbers, primes, the Collatz walk.
fib() { if (($1 < 2)); then result=$1; else local n=$1 first; fib $((n - 1)); first=$result; fib $((n - 2)); ((result += first)); fi; }
fib 17
echo "$result"
primes=0
for ((i = 3; i < 4000; i += 2)); do
  for ((j = 3; j * j <= i; j += 2)); do ((i % j == 0)) && continue 2; done
  ((primes++))
done
echo "$primes"
steps=0
for ((i = 1; i < 700; i++)); do
  n=$i
  while [ "$n" -ne 1 ]; do
    if [ $((n % 2)) -eq 0 ]; then n=$((n / 2)); else n=$((3 * n + 1)); fi
    steps=$((steps + 1))
  done
done
echo "$steps"
