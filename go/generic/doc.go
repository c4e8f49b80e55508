// Package generic calls and answers functions of an IDL without generated code: what a function takes and gives is JSON text, or a map of
// Go, on one side, and a message of any protocol on the other.
//
//	program, problems := idl.Load("shop.thrift", os.ReadFile, nil)
//	shop, err := generic.NewService(program, "Shop", generic.Options{})
//	find, err := shop.Function("find")
//	args, result := find.Args(), find.Result()
//	err = args.UnmarshalJSON([]byte(`{"id": 7}`))
//	err = caller.Call(ctx, find.Name, args, result)
//	text, err := result.MarshalJSON() // {"result":{"id":7,"name":"pen"}}
//
// A [Message] is a thrift.Writer and a thrift.Reader, so that it stands wherever a generated struct does: in clients and servers, in the
// Binary and the Compact protocol. A server does the same the other way round.
//
// # Values
//
// JSON and Go have the same form:
//
//	bool                 true, false
//	i8, i16, i32, i64    a number; a text with a number is read too. In Go int64. [Options.TextForI64] writes i64 as texts
//	double               a number, or "NaN", "Infinity", "-Infinity". In Go float64
//	enum                 the value's name; its number is read too, and written where it has no name
//	string               a text
//	binary               a text in base64 (RFC 4648), also of the URL's alphabet or without padding. In Go []byte
//	uuid                 a text as in "00112233-4455-6677-8899-aabbccddeeff"
//	list, set            an array. In Go []any
//	struct, exception    an object with the fields by their names. In Go map[string]any
//	union                an object with one field
//	map                  an object, whose names are the keys as texts. In Go map[string]any. Where keys are structs or containers:
//	                     an array of arrays [key, value], which is read for any map
//
// In Go all types of numbers are read, and json.Number. null, or nil, is a field that is absent.
//
// What a function takes is an object with its arguments by their names. What it gives is one of
//
//	{"result": VALUE}                   {} where it gives nothing
//	{"exception": {"NAME": VALUE}}      an exception by its name in the function's throws
//
// # What is written
//
// A message is the very one that generated code writes of the same fields: in the order of ids, with defaults of the IDL for absent fields,
// and zero for those that are neither required nor optional; structs are left out. An optional number or text that equals its default is
// left out too. A required field that is absent is an error, as is a field that the struct does not have.
//
// # What is read
//
// A message is read as generated code reads it: required fields have to be there, fields that the IDL does not have are skipped, the depth of
// types that contain themselves and what may be allocated have limits. Absent fields with a default have it in JSON and Go. A key that the
// message has twice stands twice in JSON text, of which most readers take the last; Go has the last. Text that is not UTF-8
// has no JSON and is an error there; Go has it as it is.
//
// # Why it is no part of package codec
//
// Package codec describes Go types: where a field stands in memory, and how much of that to allocate. None of that exists here, and Go's
// package reflect cannot make types that contain themselves, so that no description for codec can be made of every IDL. What reads
// and writes the protocol is below both, in package thrift; codec.Compact serves messages of both.
package generic
