package gen

// forFrameworks writes the functions and methods of functions' structs that code of Kitex and of Apache's module calls: a function
// that makes one and sets its defaults, getters, and, by interface{}, a function's first argument and its result.
func (g *generator) forFrameworks(s *structure, isResult bool) {
	if !g.options.FastCodec && g.options.Apache == NoApache {
		return
	}
	maker := g.pack.messageMakers[s.name]
	g.out("// %s makes one with its defaults.", maker)
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
		g.out("// GetFirstArgument is for Kitex.")
		g.out("func (p *%s) GetFirstArgument() any { return %s }\n", s.name, first)
		return
	}
	if len(s.fields) == 0 || s.fields[0].ID != 0 {
		g.out("// GetResult is for Kitex: there is none.\nfunc (p *%s) GetResult() any { return nil }\n", s.name)
		g.out("// SetSuccess is for Kitex: there is nothing to be set.\nfunc (p *%s) SetSuccess(any) {}\n", s.name)
		return
	}
	success := s.fields[0]
	g.out("// GetResult is for Kitex.\nfunc (p *%s) GetResult() any { return p.%s }\n", s.name, success.name)
	g.out("// SetSuccess is for Kitex: a value of the field's type, or a panic.")
	g.out("func (p *%s) SetSuccess(value any) { p.%s = value.(%s) }\n", s.name, success.name, success.goType)
}
