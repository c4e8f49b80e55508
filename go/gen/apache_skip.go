package gen

// apacheSkipName names the function that skips a field by one of Apache's protocols. That function is written later, once in a
// file. In old modules Apache's own function has no limit of depth where maps lie in maps.
func (g *generator) apacheSkipName() string {
	g.skips = true
	return "apacheSkip" + g.pack.helpers[g.file] + "Field"
}

func (g *generator) apacheSkip() {
	if !g.skips {
		return
	}
	g.out("func %s(%sin apache.TProtocol, kind apache.TType, depth int) (err error) {", g.apacheSkipName(), g.apacheContext())
	// The depth is counted as in package thrift: a value of a type with a fixed number of bytes has no values in it.
	g.out("if depth <= 0 && (kind == apache.STRING || kind == apache.STRUCT || kind == apache.MAP || kind == apache.SET || kind == apache.LIST) {")
	g.out("return apache.NewTProtocolExceptionWithType(apache.DEPTH_LIMIT, thrift.TooDeep)\n}")
	g.out("n, key, value := 0, kind, kind\nswitch kind {")
	g.out("case apache.STRUCT:\n_, err = %s", g.apacheCall("in.ReadStructBegin"))
	g.out("for err == nil {\n_, value, _, err = %s", g.apacheCall("in.ReadFieldBegin"))
	g.out("if err != nil || value == apache.STOP {\nbreak\n}")
	g.out("if err = %s; err == nil {\nerr = %s\n}\n}", g.apacheSkipOne("value"), g.apacheCall("in.ReadFieldEnd"))
	g.out("if err == nil {\nerr = %s\n}", g.apacheCall("in.ReadStructEnd"))
	g.out("case apache.MAP:\nkey, value, n, err = %s", g.apacheCall("in.ReadMapBegin"))
	g.out("for i := 0; i < n && err == nil; i++ {\nif err = %s; err == nil {\nerr = %s\n}\n}", g.apacheSkipOne("key"), g.apacheSkipOne("value"))
	g.out("if err == nil {\nerr = %s\n}", g.apacheCall("in.ReadMapEnd"))
	for kind, method := range [...]string{"List", "Set"} {
		g.out("case apache.%s:\nvalue, n, err = %s", [...]string{"LIST", "SET"}[kind], g.apacheCall("in.Read"+method+"Begin"))
		g.out("for i := 0; i < n && err == nil; i++ {\nerr = %s\n}", g.apacheSkipOne("value"))
		g.out("if err == nil {\nerr = %s\n}", g.apacheCall("in.Read"+method+"End"))
	}
	g.out("default:\nerr = %s\n}\nreturn err\n}\n", g.apacheCall("in.Skip", "kind"))
}

// apacheSkipOne makes a call that skips a value within another one.
func (g *generator) apacheSkipOne(kind string) string {
	return g.apacheCall(g.apacheSkipName(), "in", kind, "depth-1")
}
