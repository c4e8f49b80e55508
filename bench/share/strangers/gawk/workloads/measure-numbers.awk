# A sieve, a matrix and an automaton: arrays with numbers for keys, no input.
BEGIN {
  for (i = 2; i <= 200000; i++) if (!(i in composite)) { primes++; for (j = i * 2; j <= 200000; j += i) composite[j] = 1 }
  n = 60
  for (i = 0; i < n; i++) for (j = 0; j < n; j++) { a[i, j] = (i * j) % 7; b[i, j] = (i + j) % 5 }
  for (i = 0; i < n; i++) for (j = 0; j < n; j++) { s = 0; for (k = 0; k < n; k++) s += a[i, k] * b[k, j]; trace += i == j ? s : 0 }
  for (i = 0; i < 400; i++) cell[i] = i % 3 == 0
  for (step = 0; step < 300; step++) {
    for (i = 0; i < 400; i++) next_cell[i] = cell[(i + 399) % 400] != (cell[i] || cell[(i + 1) % 400])
    for (i = 0; i < 400; i++) cell[i] = next_cell[i]
  }
  for (i = 0; i < 400; i++) alive += cell[i]
  print primes, trace, alive
}
