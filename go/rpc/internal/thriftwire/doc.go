// Package thriftwire frames messages of Apache Thrift's protocols: alone, behind a length, or behind a TTHeader with facts about the call.
//
// TTHeader is described at https://www.cloudwego.io/docs/kitex/reference/transport_protocol_ttheader/ and, as THeader, at
// https://github.com/apache/thrift/blob/master/doc/specs/HeaderFormat.md.
package thriftwire
