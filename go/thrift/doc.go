// Package thrift is the library that generated code calls. It reads and writes Apache Thrift's Binary protocol, and says what is
// wrong with a message.
//
// Three ideas make it fast. First, the [Decoder] remembers a fault of a message instead of returning it, so that generated code has
// no branch for errors; every read returns the key of the next field along with its value. Second, strings are slices of copies of
// whole stretches of the message, and elements, strings in slices and values behind pointers come from batches. Third, a message is
// written in one pass, by stores behind one check for each field.
package thrift
