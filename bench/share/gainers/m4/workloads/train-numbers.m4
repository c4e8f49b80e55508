dnl Recursion and arithmetic: Fibonacci numbers, primes, sums of digits.
define(`fib', `ifelse(eval($1 < 2), 1, $1, `eval(fib(decr($1)) + fib(eval($1 - 2)))')')dnl
define(`for', `ifelse(eval($2 > $3), 1, , `pushdef(`$1', $2)$4`'popdef(`$1')for(`$1', incr($2), $3, `$4')')')dnl
define(`divides', `ifelse(eval($2 * $2 > $1), 1, prime, eval($1 % $2), 0, no, `divides($1, eval($2 + 2))')')dnl
define(`digits', `ifelse($1, , 0, `eval(substr($1, 0, 1) + digits(substr($1, 1)))')')dnl
fib(22)
for(`i', 1, 3000, `ifelse(divides(eval(2 * i + 1), 3), prime, `eval(2 * i + 1) digits(eval(i * i * 7919)) ')')
