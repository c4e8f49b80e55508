// Package raw reads and writes numbers in big-endian order at an offset of a buffer, as Thrift's Binary protocol has them,
// without a bounds check of its own; and numbers lowest byte first and texts for Protocol Buffers. It refers to Go values whose type is known only
// when the program runs, and reads and writes file descriptors by system calls that Go's scheduler is not told of.
//
// It is the one package of the module that uses unsafe. Whoever calls it has checked before that the bytes are there; one
// check may stand for several reads. Built with the tag purego, or for a processor that is not little-endian or
// cannot read at odd addresses, the same functions are ordinary Go: an offset that was not checked panics there, which
// is how the tests hold every caller to its duty. A [Ref] knows its type there, and panics where another one is asked for.
package raw
