# Columns of a file: read, transformed, smoothed and binned.
set terminal dumb 100 40
set samples 500
plot 'inputs/measure.dat' using 1:(log(1 + abs($2)) * sin($1)) smooth unique, '' using ($1 * 2):2 smooth bezier
plot 'inputs/measure.dat' using (floor($2 * 10) / 10.):(1.) smooth frequency
stats 'inputs/measure.dat' using 1:2 nooutput
print STATS_records
