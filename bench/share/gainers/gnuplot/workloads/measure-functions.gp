# Loops of the language: an iteration in the plane, recursion, integers.
set terminal dumb 79 24
escape(x, y, n, cx, cy) = n == 60 || x * x + y * y > 4 ? n : escape(x * x - y * y + cx, 2 * x * y + cy, n + 1, cx, cy)
total = 0
do for [i = 0:69] { do for [j = 0:49] { total = total + escape(0., 0., 0, -2.2 + i * .045, -1.2 + j * .048) } }
gcd(a, b) = b == 0 ? a : gcd(b, a % b)
do for [i = 1:12000] { total = total + gcd(i, 5040) }
print total
