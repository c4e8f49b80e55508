# Parses a table, formats it anew, joins it with itself and packs it.
use strict;
use warnings;
my (%by_prefix, @rows);
open my $table, '<', 'inputs/measure.csv' or die "measure.csv: $!";
while (<$table>) {
    chomp;
    my ($name, $number, $note, $price, $side) = split /,/;
    my @notes = map { ucfirst } split / /, $note;
    push @rows, { name => $name, number => $number, note => join('-', reverse @notes), price => $price, side => $side };
    push @{ $by_prefix{ substr $name, 0, 2 } }, $#rows;
}
my $sum = 0;
for my $pass (1 .. 8) {
    for my $row (@rows) {
        my $line = sprintf '%-16s|%08d|%9.2f|%s|%s', $row->{name}, $row->{number} * $pass, $row->{price} * 1.19, $row->{side}, $row->{note};
        $line =~ s/([aeiou])([bdfg])/$2$1/g;
        $sum = ($sum + unpack('%32C*', $line)) % 1_000_000_007;
        $sum += length pack 'w/a* N n', $row->{note}, $row->{number}, $pass;
    }
}
for my $prefix (sort keys %by_prefix) {
    my @sorted = sort { $rows[$a]{price} <=> $rows[$b]{price} || $a <=> $b } @{ $by_prefix{$prefix} };
    $sum += $rows[ $sorted[0] ]{number} + $#sorted;
}
print scalar(@rows), " $sum\n";
