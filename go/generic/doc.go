// Package generic calls and answers functions of an IDL without generated code. On one side, the arguments and the result of a function are JSON text
// or a map of Go. On the other side, they are a message of any protocol.
//
//	program, problems := idl.Load("shop.thrift", os.ReadFile, nil)
//	shop, err := generic.NewService(program, "Shop", generic.Options{})
//	find, err := shop.Function("find")
//	args, result := find.Args(), find.Result()
//	err = args.UnmarshalJSON([]byte(`{"id": 7}`))
//	err = caller.Call(ctx, find.Name, args, result)
//	text, err := result.MarshalJSON() // {"result":{"id":7,"name":"pen"}}
//
// A [Message] is a thrift.Writer and a thrift.Reader, so it can be used wherever a generated struct can: in clients and in servers, with the Binary
// and the Compact protocol. A server uses the same methods the other way round.
//
// # Values
//
// JSON text and maps of Go have the same form:
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
// In Go, numbers of all number types are read, and json.Number. null in JSON, or nil in Go, means that the field is absent.
//
// The arguments of a function are an object with each argument by its name. The result of a function is one of these objects:
//
//	{"result": VALUE}                   {} where it gives nothing
//	{"exception": {"NAME": VALUE}}      an exception by its name in the function's throws
//
// # What is written
//
// A message has the same bytes as generated code writes for the same fields. Fields are in the order of their ids. An absent field gets its default
// in the IDL. An absent field that is neither required nor optional gets zero, unless it is a struct, which is left out. An optional number or text
// that equals its default is left out too. It is an error if a required field is absent, or if the input has a field that the struct does not have.
//
// # What is read
//
// A message is read as generated code reads it. Required fields must be present. Fields that the IDL does not have are skipped. There are limits on
// the depth of types that contain themselves and on the memory that is allocated. In JSON and in Go, absent fields with a default have that default.
// If a message has a key of a map twice, the JSON text has it twice, and most readers of JSON take the last; Go has the last. A text that is not
// UTF-8 cannot be written as JSON and is an error there; Go has its bytes unchanged.
//
// # Why it is no part of package codec
//
// Package codec describes Go types: where a field is in memory, and how much memory to allocate. A generic message has no Go type. Package reflect of
// Go cannot make types that contain themselves, so package codec cannot be given a type for every IDL. The code that reads and writes the protocol is
// in package thrift, below both packages. codec.Compact serves messages of both packages.
package generic
