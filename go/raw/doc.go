// Package raw reads and writes numbers at an offset of a buffer, without a bounds check of its own. Numbers of Thrift's Binary protocol are
// big-endian; numbers of Protocol Buffers have the lowest byte first. The package also reads and writes texts, refers to Go values whose type is
// known only when the program runs, and reads and writes file descriptors by system calls that Go's scheduler is not told of.
//
// This is the only package of the module that uses unsafe. Callers must have checked that the bytes exist; one check may serve several reads. With
// the build tag purego, and on processors that are not little-endian or cannot read at odd addresses, the same functions are ordinary Go. There an
// offset that was not checked panics, so tests with that tag find callers that do not check. There a [Ref] knows its type, and panics if it is used
// as another type.
package raw
