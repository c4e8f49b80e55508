# Objects with methods, closures and lists: a queue of events with a heap of its own.
use strict;
use warnings;
package Heap;
sub new { bless { items => [], count => 0 }, shift }
sub push {
    my ($self, $key, $value) = @_;
    my $items = $self->{items};
    my $at = $self->{count}++;
    while ($at > 0) {
        my $up = ($at - 1) >> 1;
        last if $items->[$up][0] <= $key;
        $items->[$at] = $items->[$up];
        $at = $up;
    }
    $items->[$at] = [$key, $value];
}
sub pop {
    my $self = shift;
    my $items = $self->{items};
    my $top = $items->[0];
    my $last = $items->[--$self->{count}];
    my ($at, $count) = (0, $self->{count});
    while ((my $down = 2 * $at + 1) < $count) {
        $down++ if $down + 1 < $count && $items->[$down + 1][0] < $items->[$down][0];
        last if $last->[0] <= $items->[$down][0];
        $items->[$at] = $items->[$down];
        $at = $down;
    }
    $items->[$at] = $last;
    return $top;
}
package main;
my $heap = Heap->new;
my $state = 12345;
my $roll = sub { $state = ($state * 1103515245 + 12345) % 2147483648; return $state >> 8 };
my %handlers = (
    arrive => sub { my $now = shift; $heap->push($now + 1 + $roll->() % 50, 'leave'); return 1 },
    leave  => sub { my $now = shift; $heap->push($now + 1 + $roll->() % 30, $roll->() % 2 ? 'arrive' : 'wait'); return -1 },
    wait   => sub { my $now = shift; $heap->push($now + 1, 'arrive'); return 0 },
);
$heap->push($_, 'arrive') for 1 .. 500;
my ($inside, $sum) = (0, 0);
for (1 .. 450_000) {
    my $event = $heap->pop;
    $inside += $handlers{ $event->[1] }->($event->[0]);
    $sum = ($sum + $inside * $event->[0]) % 1_000_003;
}
print "$inside $sum\n";
