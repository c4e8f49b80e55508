# Word counts, substitutions and sorting over text, and sums over a server's log.
use strict;
use warnings;
my (%seen, %pairs, %bytes);
for my $pass (1 .. 4) {
    open my $text, '<', 'inputs/train.txt' or die "train.txt: $!";
    while (my $line = <$text>) {
        $line =~ tr/A-Z/a-z/;
        $line =~ s/[^a-z ]+//g;
        my @words = split ' ', $line;
        $seen{$_}++ for @words;
        $pairs{"$words[$_] $words[$_ + 1]"}++ for 0 .. $#words - 1;
    }
}
my @top = (sort { $seen{$b} <=> $seen{$a} || $a cmp $b } keys %seen)[0 .. 19];
print "$_ $seen{$_}\n" for @top;
print scalar(keys %pairs), "\n";
for my $pass (1 .. 4) {
    open my $log, '<', 'inputs/train.log' or die "train.log: $!";
    while (<$log>) {
        next unless m{^(\S+) \S+ \S+ \[([^\]]+)\] "(\w+) (/[^ ?]+)\?id=(\d+) [^"]*" (\d{3}) (\d+)$};
        $bytes{$4}{$6} += $7;
    }
}
my $total = 0;
for my $path (sort keys %bytes) { $total += $bytes{$path}{$_} * $_ % 1009 for sort keys %{ $bytes{$path} } }
print "$total\n";
