// Package few holds code of a few definitions of those that package sweep has, with all options, by which containers hold structs as values too. The tests of make test read
// and write it; all definitions take a module that is made for them. A test of package gen keeps the code as gen writes it.
package few

//go:generate go run hone/go/cmd/hone-thrift gen -r -o . -prefix hone/go/internal/sweep/few -values -setters -deep-equal -deep-copy -keep-unknown swept.thrift
