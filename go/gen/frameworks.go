package gen

// forFrameworks writes the functions and methods of functions' structs that code of Kitex and of Apache's module calls: a function
// that makes one and sets its defaults, getters, and, by interface{}, a function's first argument and its result.
func (g *generator) forFrameworks(s *structure, isResult bool) {
	if !g.options.FastCodec && g.options.Apache == NoApache {
		return
	}
	maker := g.pack.messageMakers[s.name]
	g.out("// %s returns a value with the defaults of the IDL.", maker)
	g.out("func %s() *%s {\np := &%s{}\np.InitDefault()\nreturn p\n}\n", maker, s.name, s.name)
	g.initDefault(s)
	for _, f := range s.fields {
		g.getter(s, f)
	}
	if g.options.FastCodec {
		g.forKitex(s, isResult)
	}
}

// forKitex writes the methods of Kitex's KitexArgs and KitexResult, by which Kitex's middleware sees requests and responses.
func (g *generator) forKitex(s *structure, isResult bool) {
	if !isResult {
		first := "nil"
		if len(s.fields) > 0 {
			first = "p." + s.fields[0].name
		}
		g.out("// GetFirstArgument returns the first argument. It is for Kitex.")
		g.out("func (p *%s) GetFirstArgument() any { return %s }\n", s.name, first)
		return
	}
	if len(s.fields) == 0 || s.fields[0].ID != 0 {
		g.out("// GetResult returns nil, since there is no result. It is for Kitex.\nfunc (p *%s) GetResult() any { return nil }\n", s.name)
		g.out("// SetSuccess does nothing, since there is no result. It is for Kitex.\nfunc (p *%s) SetSuccess(any) {}\n", s.name)
		return
	}
	success := s.fields[0]
	g.out("// GetResult returns the result. It is for Kitex.\nfunc (p *%s) GetResult() any { return p.%s }\n", s.name, success.name)
	g.out("// SetSuccess sets the result, and panics if the value has another type. It is for Kitex.")
	g.out("func (p *%s) SetSuccess(value any) { p.%s = value.(%s) }\n", s.name, success.name, success.goType)
}
