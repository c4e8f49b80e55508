// Package few holds code of a few definitions of package sweep, with all options; one makes containers hold structs as values too. The tests of make
// test read and write it; all definitions need a module that is made for them. A test of package gen checks that the code equals the present output
// of gen.
package few

//go:generate go run hone/go/cmd/hone-thrift gen -r -o . -prefix hone/go/internal/sweep/few -values -setters -deep-equal -deep-copy -keep-unknown swept.thrift
