# Recursion, arrays of numbers and strings that are made by characters; no input.
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
function queens(row, columns,   column, found, i) {
  if (row == columns) return 1
  for (column = 0; column < columns; column++) {
    for (i = 0; i < row; i++) if (at[i] == column || at[i] - column == row - i || column - at[i] == row - i) break
    if (i == row) { at[row] = column; found += queens(row + 1, columns) }
  }
  return found + 0
}
BEGIN {
  print fib(27), queens(0, 9)
  for (i = 0; i < 60000; i++) { x = (x * 1103 + 12345) % 65536; heap[i] = x }
  for (gap = 29524; gap > 0; gap = int(gap / 3)) for (i = gap; i < 60000; i++) {
    value = heap[i]
    for (j = i; j >= gap && heap[j - gap] > value; j -= gap) heap[j] = heap[j - gap]
    heap[j] = value
  }
  for (i = 0; i < 3000; i++) text = text sprintf("%c", 97 + heap[i * 20] % 26)
  for (i = 1; i <= length(text); i++) letters[substr(text, i, 1)]++
  print heap[0], heap[30000], letters["k"]
}
