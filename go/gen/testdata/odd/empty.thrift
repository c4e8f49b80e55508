namespace go odd.nothing
