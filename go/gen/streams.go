package gen

import (
	"fmt"
	"path"

	"hone/go/idl"
)

// isStream reports whether there may be several requests or responses. A stream has no structs of arguments and results: its
// messages are the structs that the IDL names.
func (f function) isStream() bool { return f.Streaming() != idl.NotStreaming }

// streamKind has the part of the names that generated code of a mode calls: thrift.ServerStreaming, stream.ServerStreamingClient
// and so on.
var streamKind = map[idl.StreamingMode]string{
	idl.ClientStreaming: "ClientStreaming", idl.ServerStreaming: "ServerStreaming", idl.BidirectionalStreaming: "BidiStreaming",
}

// streamType returns the type of a stream on one side: stream.BidiStreamingServer[Request, Response].
func (g *generator) streamType(f function, side string) string {
	name := g.imports.use(path.Join(path.Dir(g.options.runtime()), "stream"), "stream")
	return fmt.Sprintf("%s.%s%s%s", name, streamKind[f.Streaming()], side, g.streamMessages(f))
}

// streamMessages returns the types of the messages that a caller sends and receives after the stream is opened.
func (g *generator) streamMessages(f function) string {
	response := g.nameOf(f.Result.Struct())
	if f.Streaming() == idl.ServerStreaming {
		return "[" + response + "]"
	}
	return "[" + g.nameOf(f.Arguments[0].Type.Struct()) + ", " + response + "]"
}

// streamSignature returns the parameters and the result of an implementation of a stream. The context is that of the stream.
func (g *generator) streamSignature(f function) string {
	if f.Streaming() == idl.ServerStreaming {
		return fmt.Sprintf("(*%s, %s) error", g.nameOf(f.Arguments[0].Type.Struct()), g.streamType(f, "Server"))
	}
	return fmt.Sprintf("(%s) error", g.streamType(f, "Server"))
}

// openStream writes a client's method that opens a stream.
func (g *generator) openStream(client string, f function) {
	parameters, given := "ctx "+g.std("context")+".Context", ""
	if f.Streaming() == idl.ServerStreaming {
		parameters += fmt.Sprintf(", %s *%s", f.parameters[0], g.nameOf(f.Arguments[0].Type.Struct()))
		given = ", " + f.parameters[0]
	}
	g.doc(f.Notes, f.name+" opens a stream of the function of this name, which ends with the context.")
	g.out("func (p *%s) %s(%s) (%s, error) {", client, f.name, parameters, g.streamType(f, "Client"))
	g.out("return thrift.Open%s%s(ctx, p.caller, %q%s)\n}\n", streamKind[f.Streaming()], g.streamMessages(f), f.Name, given)
}

// streamHandler writes the code by which a processor answers a stream.
func (g *generator) streamHandler(f function) {
	g.out("p.Handle(%q, thrift.%s(%q, handler.%s))", f.Name, streamKind[f.Streaming()], f.Name, f.name)
}
