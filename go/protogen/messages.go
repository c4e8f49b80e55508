package protogen

import "google.golang.org/protobuf/compiler/protogen"

// messages writes the methods of all messages.
func (g *generator) messages() {
	g.slots()
	for _, message := range allMessages(g.file.Messages) {
		g.entries(message)
		g.read(message)
		g.write(message)
		g.check(message)
	}
}

// entries writes the methods that programs call.
func (g *generator) entries(message *protogen.Message) {
	name := message.GoIdent.GoName
	g.P("// SizePB returns the number of bytes that MarshalToPB writes.")
	g.P("func (m *", name, ") SizePB() int { return ", g.call("Size"), "(m) }")
	g.P()
	g.P("// MarshalToPB writes the message so that it ends where b ends, and returns the offset where it begins. A negative offset is minus the number of bytes that b lacks.")
	g.P("func (m *", name, ") MarshalToPB(b []byte) (int, error) { return ", g.call("MarshalTo"), "(b, m) }")
	g.P()
	g.P("// UnmarshalPB reads data into the message, and keeps what the message had.")
	g.P("func (m *", name, ") UnmarshalPB(data []byte) error { return ", g.call("Unmarshal"), "(data, m) }")
	g.P()
}
