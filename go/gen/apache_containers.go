package gen

import (
	"fmt"

	"hone/go/idl"
)

// apacheRoom is the number of elements that get memory before they are read: a message may claim more elements than it has.
const apacheRoom = 1024

// apacheContainer names the code of a container for Apache's protocols. That code is written later, once in a file.
func (g *generator) apacheContainer(t *idl.Type) string {
	key := "apache " + g.typeKey(t)
	name, isKnown := g.written[key]
	if !isKnown {
		name = g.pack.helpers[g.file] + g.helpers.take(g.typeWords(t))
		g.written[key] = name
		g.pendingApache = append(g.pendingApache, t.Real())
	}
	return name
}

// apacheContainers writes the code of all containers that other code has asked for. It may ask for more.
func (g *generator) apacheContainers() {
	for len(g.pendingApache) > 0 {
		t := g.pendingApache[0]
		g.pendingApache = g.pendingApache[1:]
		if t.Kind == idl.Map {
			g.apacheMap(t, g.apacheContainer(t))
		} else {
			g.apacheList(t, g.apacheContainer(t))
		}
	}
}

func (g *generator) apacheList(t *idl.Type, name string) {
	element, what := g.elementType(t.Value), apacheTypes[t.Kind].method
	g.out("func apacheRead%s(%s) ([]%s, error) {", name, g.apacheParameters(t), element)
	g.out("kind, n, err := %s", g.apacheCall("in.Read"+what+"Begin"))
	g.out("if err == nil && n > 0 && kind != %s {", g.apacheKind(t.Value))
	g.out("err = apache.NewTProtocolExceptionWithType(apache.INVALID_DATA, thrift.WrongType)\n}")
	g.out("list := make([]%s, 0, max(0, min(n, %d)))", element, apacheRoom)
	g.out("for i := 0; i < n && err == nil; i++ {")
	g.apacheElement(t.Value, "element", element, false)
	g.out("list = append(list, element)\n}")
	g.out("if err == nil {\nerr = %s\n}\nreturn list, err\n}\n", g.apacheCall("in.Read"+what+"End"))

	g.out("func apacheWrite%s(%sout apache.TProtocol, list []%s) error {", name, g.apacheContext(), element)
	g.out("err := %s", g.apacheCall("out.Write"+what+"Begin", g.apacheKind(t.Value), "len(list)"))
	g.out("for i := 0; i < len(list) && err == nil; i++ {\nerr = %s\n}", g.apachePut(t.Value, "list[i]"))
	g.out("if err == nil {\nerr = %s\n}\nreturn err\n}\n", g.apacheCall("out.Write"+what+"End"))
}

// apacheParameters are the parameters of a function that reads a container.
func (g *generator) apacheParameters(t *idl.Type) string {
	if g.holdsDeep(t) {
		return g.apacheContext() + "in apache.TProtocol, depth int"
	}
	return g.apacheContext() + "in apache.TProtocol"
}

// apacheElement writes the code that declares a variable and reads an element of a container into it.
func (g *generator) apacheElement(t *idl.Type, into, goType string, isKey bool) {
	switch s := t.Struct(); {
	case s != nil:
		star := ""
		if g.options.Values && !isKey {
			star = "*"
		}
		g.out("%s := %s%s()\nerr = %s", into, star, g.inPackageOf(s, g.packs[s.In()].makers[s]), g.apacheReadStruct(s, into, "depth"))
	case isKey && t.Real().Kind == idl.Binary:
		g.out("var %s string\n%s, err = %s", into, into, g.apacheCall("in.ReadString"))
	case t.Enum() != nil, t.Real().Kind == idl.UUID:
		g.out("read%s, err2 := %s\nerr = err2\n%s := %s", into, g.apacheValue(t, "depth"), into, g.apacheConverted(t, "read"+into))
	default:
		g.out("var %s %s\n%s, err = %s", into, goType, into, g.apacheValue(t, "depth"))
	}
}

func (g *generator) apacheMap(t *idl.Type, name string) {
	goType, isMap := g.goType(t), isComparable(t.Key)
	key, value := g.keyType(t.Key), g.elementType(t.Value)
	if !isMap {
		key = g.elementType(t.Key)
	}
	g.out("func apacheRead%s(%s) (%s, error) {", name, g.apacheParameters(t), goType)
	g.out("keys, values, n, err := %s", g.apacheCall("in.ReadMapBegin"))
	g.out("if err == nil && n > 0 && (keys != %s || values != %s) {", g.apacheKind(t.Key), g.apacheKind(t.Value))
	g.out("err = apache.NewTProtocolExceptionWithType(apache.INVALID_DATA, thrift.WrongType)\n}")
	if isMap {
		g.out("pairs := make(%s, max(0, min(n, %d)))", goType, apacheRoom)
	} else {
		g.out("pairs := make(%s, 0, max(0, min(n, %d)))", goType, apacheRoom)
	}
	g.out("for i := 0; i < n && err == nil; i++ {")
	g.apacheElement(t.Key, "key", key, true)
	g.out("if err != nil {\nbreak\n}")
	g.apacheElement(t.Value, "value", value, false)
	if isMap {
		g.out("pairs[key] = value\n}")
	} else {
		g.out("pairs = append(pairs, thrift.Pair[%s, %s]{Key: key, Value: value})\n}", key, value)
	}
	g.out("if err == nil {\nerr = %s\n}\nreturn pairs, err\n}\n", g.apacheCall("in.ReadMapEnd"))
	g.apacheWriteMap(t, name, isMap)
}

func (g *generator) apacheWriteMap(t *idl.Type, name string, isMap bool) {
	g.out("func apacheWrite%s(%sout apache.TProtocol, pairs %s) error {", name, g.apacheContext(), g.goType(t))
	g.out("err := %s", g.apacheCall("out.WriteMapBegin", g.apacheKind(t.Key), g.apacheKind(t.Value), "len(pairs)"))
	if isMap {
		g.out("for key, value := range pairs {")
	} else {
		g.out("for i := range pairs {\nkey, value := pairs[i].Key, pairs[i].Value")
	}
	put := g.apachePut(t.Key, "key")
	if t.Key.Real().Kind == idl.Binary && isMap {
		put = g.apacheCall("out.WriteString", "key")
	}
	g.out("if err == nil {\nerr = %s\n}", put)
	g.out("if err == nil {\nerr = %s\n}\n}", g.apachePut(t.Value, "value"))
	g.out("if err == nil {\nerr = %s\n}\nreturn err\n}\n", g.apacheCall("out.WriteMapEnd"))
}

// apacheModule returns the import path of Apache's package.
func (o Options) apacheModule() string {
	if o.ApacheModule == "" {
		return DefaultApache
	}
	return o.ApacheModule
}

// apacheMessageName returns the name that the arguments or the result of a function have for Apache's protocols.
func apacheMessageName(f *idl.Function, what string) string {
	return fmt.Sprintf("%s_%s", f.Name, what)
}
