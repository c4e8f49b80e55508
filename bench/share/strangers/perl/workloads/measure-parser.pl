# A scanner by regular expressions, a parser by recursion and an evaluator of trees.
use strict;
use warnings;
my $state = 77;
sub roll { $state = ($state * 69069 + 1) % 4294967296; return int($state / 65536) % shift }
sub make { my $depth = shift; return $depth <= 0 || roll(5) == 0 ? (roll(2) ? roll(1000) : 'v' . roll(10)) : '(' . make($depth - 1) . (qw(+ - * /))[ roll(4) ] . make($depth - 1) . ')' }
sub parse {
    my $tokens = shift;
    my $token = shift @$tokens;
    return { value => $token } if $token =~ /^\d/;
    return { name => $token } if $token =~ /^v/;
    my $left = parse($tokens);
    my $operator = shift @$tokens;
    my $right = parse($tokens);
    shift @$tokens;
    return { operator => $operator, left => $left, right => $right };
}
sub evaluate {
    my ($node, $scope) = @_;
    return $node->{value} if exists $node->{value};
    return $scope->{ $node->{name} } if exists $node->{name};
    my ($left, $right) = (evaluate($node->{left}, $scope), evaluate($node->{right}, $scope));
    my $operator = $node->{operator};
    return ($left + $right) % 65521 if $operator eq '+';
    return ($left - $right) % 65521 if $operator eq '-';
    return ($left * $right) % 65521 if $operator eq '*';
    return $right ? int($left / $right) : 0;
}
my $sum = 0;
for my $round (1 .. 2600) {
    my $source = make(9);
    my @tokens;
    push @tokens, $1 while $source =~ /\G\s*(\d+|v\d|[-+*\/()])/gc;
    my $tree = parse(\@tokens);
    my %scope = map { ("v$_" => $_ * $round) } 0 .. 9;
    for my $step (1 .. 4) { $scope{v0} = $step; $sum = ($sum + evaluate($tree, \%scope)) % 1_000_003 }
}
print "$sum\n";
