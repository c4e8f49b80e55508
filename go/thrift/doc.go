// Package thrift is what generated code stands on: it reads and writes Apache Thrift's Binary protocol, and says what is
// wrong with a message.
//
// Three ideas make it fast. A fault of a message is remembered by the [Decoder], not returned, so that generated code has no
// branch for errors; every read gives the key of the next field along with its value. Strings are parts of copies of whole
// stretches of the message, and elements, strings in slices and values behind pointers come from batches. And a message is
// written at once, by stores behind one check for each field.
package thrift
