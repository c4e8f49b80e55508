package kitex

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cloudwego/thriftgo/generator/backend"
	"github.com/cloudwego/thriftgo/generator/golang"
	theirs "github.com/cloudwego/thriftgo/parser"
	"github.com/cloudwego/thriftgo/semantic"

	"hone/go/gen"
	"hone/go/idl"
)

// definitions returns random definitions with similar names. Each definition has a mark of its own, by which it is recognized: a field, an argument
// or a value whose name is mark and a number.
func definitions(random *rand.Rand) string {
	words := func() string {
		for {
			name := tricky[random.Intn(len(tricky))]
			if random.Intn(3) == 0 {
				name = randomName(random)
			}
			if name[0] == '_' || 'A' <= name[0] && name[0] <= 'z' && !strings.Contains(name, "é") {
				return name
			}
		}
	}
	mark := 0
	fields := func(without string) string {
		mark++
		text := fmt.Sprintf("%d: i32 mark%d", 1000+mark, mark)
		for i := range random.Intn(4) {
			if name := words(); name != without {
				text += fmt.Sprintf(", %d: %s i32 %s", i+1, []string{"", "optional"}[random.Intn(2)], name)
			}
		}
		return text
	}
	var text strings.Builder
	for range 1 + random.Intn(4) {
		switch kind := random.Intn(7); kind {
		case 0, 1, 2:
			fmt.Fprintf(&text, "%s %s { %s }\n", []string{"struct", "union", "exception"}[kind], words(), fields(""))
		case 3:
			mark++
			fmt.Fprintf(&text, "enum %s { mark%d, %s }\n", words(), mark, words())
		case 4:
			fmt.Fprintf(&text, "typedef i32 %s\n", words())
		case 5:
			mark++
			fmt.Fprintf(&text, "const i32 %s = %d\n", words(), mark)
		case 6:
			fmt.Fprintf(&text, "service %s {\n", words())
			for range 1 + random.Intn(3) {
				fmt.Fprintf(&text, "  i32 %s(%s)\n", words(), fields("success"))
			}
			text.WriteString("}\n")
		}
	}
	return text.String()
}

// structNames are the names that belong to a struct: fields and methods by the names of the IDL.
type structNames struct {
	name                            string
	fields, getters, setters, isSet map[string]string
}

// fileNames are the names of a file, by marks: those of structs, functions, values of enums and constants. It also holds the names of other types.
type fileNames struct {
	structs map[string]structNames
	others  map[string]string
	types   map[string]bool
}

// namesOfThriftgo returns the names that thriftgo generates. isGo is false if thriftgo refuses the file, or its code is not valid Go.
func namesOfThriftgo(text, options string) (names fileNames, isGo bool) {
	tree, err := theirs.ParseString("a.thrift", text)
	if err != nil || semantic.ResolveSymbols(tree) != nil {
		return names, false
	}
	if _, err := semantic.NewChecker(semantic.Options{FixWarnings: true}).CheckAll(tree); err != nil {
		return names, false
	}
	utils := golang.NewCodeUtils(backend.DummyLogFunc())
	if err := utils.HandleOptions(strings.Split(options, ",")); err != nil {
		return names, false
	}
	scope, err := golang.BuildScope(utils, tree)
	if err != nil {
		return names, false
	}
	names = fileNames{map[string]structNames{}, map[string]string{}, map[string]bool{}}
	isGo = true
	taken := map[string]bool{}
	take := func(all ...string) {
		for _, name := range all {
			isGo = isGo && !taken[name] && token.IsIdentifier(name)
			taken[name] = true
		}
	}
	structure := func(s *golang.StructLike) {
		take(string(s.GoName()), "New"+string(s.GoName()))
		// The constructor of an unexported struct is exported, and so takes a name.
		isGo = isGo && collectStruct(names, s) && (ast.IsExported(string(s.GoName())) || !strings.Contains(text, " New_"))
	}
	for _, s := range scope.StructLikes() {
		structure(s)
	}
	for _, s := range scope.Services() {
		name := string(s.GoName())
		take(name, name+"Client", "New"+name+"Client", name+"Processor", "New"+name+"Processor")
		names.types[name] = true
		for _, f := range s.Functions() {
			structure(f.ArgType())
			structure(f.ResType())
			names.others[markOf(f.ArgType())+" function"] = string(f.GoName())
		}
	}
	for _, e := range scope.Enums() {
		name := string(e.GoName())
		take(name, name+"FromString", name+"Ptr")
		for _, value := range e.Values() {
			take(string(value.GoName()))
			names.others[e.Values()[0].Name+" "+value.Name] = string(value.GoName())
		}
	}
	for _, d := range scope.Typedefs() {
		take(string(d.GoName()))
		names.types[string(d.GoName())] = true
	}
	for _, c := range scope.Constants() {
		take(string(c.GoName()))
		names.others[fmt.Sprintf("const %d", *c.Value.TypedValue.Int)] = string(c.GoName())
	}
	return names, isGo
}

func markOf(s *golang.StructLike) string {
	for _, f := range s.Fields() {
		if f.ID > 1000 {
			return f.Name
		}
	}
	return ""
}

// collectStruct adds the names of a struct, and reports whether those of its fields and methods differ.
func collectStruct(names fileNames, s *golang.StructLike) bool {
	own := structNames{string(s.GoName()), map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}}
	taken := map[string]bool{"Read": true, "Write": true, "String": true, "InitDefault": true}
	isGo := true
	for _, f := range s.Fields() {
		own.fields[f.Name] = string(f.GoName())
		own.getters[f.Name] = string(f.Getter())
		own.setters[f.Name] = string(f.Setter())
		own.isSet[f.Name] = string(f.IsSetter())
		for _, name := range []golang.Name{f.GoName(), f.Getter(), f.Setter(), f.IsSetter()} {
			isGo = isGo && (name == "" || !taken[string(name)])
			taken[string(name)] = true
		}
	}
	if mark := markOf(s); mark != "" {
		names.structs[mark] = own
	}
	return isGo
}

// namesOfOurs returns the names of our generated code. All names of a scope differ, or the test fails.
func namesOfOurs(t *testing.T, text string, options gen.Options) (names fileNames, isRight bool) {
	t.Helper()
	program, problems := idl.Load("a.thrift", func(string) ([]byte, error) { return []byte(text), nil }, nil)
	if problems.HasErrors() {
		return names, false
	}
	outputs, err := gen.Generate(program, options)
	if err != nil {
		t.Fatalf("%v of\n%s", err, text)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", outputs[0].Source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names = fileNames{map[string]structNames{}, map[string]string{}, map[string]bool{}}
	scopes := map[string]map[string]bool{"": {}}
	take := func(scope, name string) {
		if scopes[scope] == nil {
			scopes[scope] = map[string]bool{}
		}
		if scopes[scope][name] {
			t.Fatalf("%s.%s is there twice in what was made of\n%s", scope, name, text)
		}
		scopes[scope][name] = true
	}
	methods := map[string]map[string]string{} // methods of types by the fields in their names
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				collectSpec(names, take, spec)
			}
		case *ast.FuncDecl:
			receiver := ""
			if d.Recv != nil {
				receiver = strings.TrimPrefix(exprText(d.Recv.List[0].Type), "*")
			}
			take(receiver, d.Name.Name)
			collectMethod(names, methods, receiver, d)
		}
	}
	for mark, s := range names.structs {
		for raw, field := range s.fields {
			s.getters[raw], s.setters[raw], s.isSet[raw] = methods[s.name]["get "+field], methods[s.name]["set "+field], methods[s.name]["isset "+field]
		}
		names.structs[mark] = s
	}
	return names, true
}

func exprText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return "*" + exprText(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func collectSpec(names fileNames, take func(scope, name string), spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		take("", s.Name.Name)
		names.types[s.Name.Name] = true
		structure, isStruct := s.Type.(*ast.StructType)
		if !isStruct {
			return
		}
		own := structNames{s.Name.Name, map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}}
		mark := ""
		for _, f := range structure.Fields.List {
			if len(f.Names) == 0 || f.Tag == nil {
				continue
			}
			take(s.Name.Name, f.Names[0].Name)
			raw, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("thrift"), ",")
			own.fields[raw] = f.Names[0].Name
			if strings.HasPrefix(raw, "mark") {
				mark = raw
			}
		}
		if mark != "" {
			names.structs[mark] = own
		}
	case *ast.ValueSpec:
		take("", s.Names[0].Name)
		if number, ok := s.Values[0].(*ast.BasicLit); ok && exprText(s.Type) == "int32" {
			names.others["const "+number.Value] = s.Names[0].Name
		}
	}
}

// collectMethod recognizes getters, setters and similar methods by their bodies, functions of services by the call that they make, and values of
// enums by the text that they return.
func collectMethod(names fileNames, methods map[string]map[string]string, receiver string, d *ast.FuncDecl) {
	if methods[receiver] == nil {
		methods[receiver] = map[string]string{}
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		kind := map[bool]string{true: "isset ", false: "get "}[len(d.Body.List) == 1]
		switch n := n.(type) {
		case *ast.AssignStmt:
			if field, ok := n.Lhs[0].(*ast.SelectorExpr); ok && len(d.Body.List) == 1 && strings.HasPrefix(d.Name.Name, "Set") {
				methods[receiver]["set "+field.Sel.Name] = d.Name.Name
				return false
			}
		case *ast.SelectorExpr:
			isGetter := strings.HasPrefix(d.Name.Name, "Get") && kind == "get " || strings.HasPrefix(d.Name.Name, "IsSet") && kind == "isset "
			if isGetter && d.Type.Results != nil && exprText(n.X) == "p" {
				methods[receiver][kind+n.Sel.Name] = d.Name.Name
			}
		case *ast.CompositeLit:
			for _, element := range n.Elts {
				if pair, ok := element.(*ast.KeyValueExpr); ok && strings.HasPrefix(exprText(pair.Key), "Mark") {
					names.others["mark"+strings.TrimPrefix(exprText(pair.Key), "Mark")+" function"] = d.Name.Name
				}
			}
		case *ast.SwitchStmt:
			if d.Name.Name == "String" {
				collectValues(names, n)
			}
		}
		return true
	})
}

func collectValues(names fileNames, s *ast.SwitchStmt) {
	first := ""
	for _, statement := range s.Body.List {
		clause := statement.(*ast.CaseClause)
		text := strings.Trim(clause.Body[0].(*ast.ReturnStmt).Results[0].(*ast.BasicLit).Value, `"`)
		if first == "" {
			first = text
		}
		names.others[first+" "+text] = exprText(clause.List[0])
	}
}

// Where thriftgo's code is valid Go, ours has the same names as all exported names of thriftgo; elsewhere all its names differ from each other.
func TestNamesOfDefinitionsAreThriftgosOwn(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	all := namings()
	compared := 0
	for round := range 100 {
		for _, options := range slices.Sorted(maps.Keys(all)) {
			text := definitions(random)
			ours := gen.Options{Names: all[options], Setters: round%2 == 0, DeepEqual: round%3 == 0, KeepUnknown: round%5 == 0, Apache: gen.Apache013}
			if ours.Setters {
				options += ",gen_setter"
			}
			if ours.DeepEqual {
				options += ",gen_deep_equal"
			}
			if ours.KeepUnknown {
				options += ",keep_unknown_fields"
			}
			got, isRight := namesOfOurs(t, text, ours)
			want, isGo := namesOfThriftgo(text, options)
			if !isRight || !isGo {
				continue
			}
			compared++
			compareNames(t, text, options, want, got)
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d definitions compared", compared)
	if compared < 300 {
		t.Fatalf("only %d definitions that both take", compared)
	}
}

func compareNames(t *testing.T, text, options string, want, got fileNames) {
	t.Helper()
	same := func(what, want, got string) {
		t.Helper()
		if ast.IsExported(want) && want != got {
			t.Errorf("%s is %q, and %q in thriftgo with %s, of\n%s", what, got, want, options, text)
		}
	}
	for mark, w := range want.structs {
		g := got.structs[mark]
		same("the struct of "+mark, w.name, g.name)
		for raw := range w.fields {
			if !ast.IsExported(w.fields[raw]) {
				continue
			}
			same("the field "+raw, w.fields[raw], g.fields[raw])
			same("the getter of "+raw, w.getters[raw], g.getters[raw])
			if g.isSet[raw] != "" || g.setters[raw] != "" { // structs of functions have none
				same("the setter of "+raw, w.setters[raw], g.setters[raw])
				same("what tells of "+raw, w.isSet[raw], g.isSet[raw])
			}
		}
	}
	for what, name := range want.others {
		same(what, name, got.others[what])
	}
	for name := range want.types {
		if ast.IsExported(name) && !got.types[name] {
			t.Errorf("there is no type %s with %s, of\n%s", name, options, text)
		}
	}
}
