# Functions of one and two variables, sums, and a fit; drawn as text.
set terminal dumb 100 40
set samples 4000
plot sin(x) * exp(-x * x / 20.), besj0(x), abs(x) < 3 ? cos(3 * x) : x / 9.
f(x, n) = sum [k = 1:n] sin((2 * k - 1) * x) / (2 * k - 1)
plot f(x, 40)
set samples 60; set isosamples 60
splot x * x - y * y, sin(x) * cos(y)
a = 1.; b = 1.; g(x) = a * exp(-b * x)
set fit quiet logfile '/dev/null'
fit g(x) 'inputs/train.dat' using 1:2 via a, b
print a, b
