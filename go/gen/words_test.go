package gen_test

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"hone/go/gen"
	"hone/go/idl"
)

// goWords are names that mean something to Go, to its packages, or to generated code.
func goWords() []string {
	words := strings.Fields(`init main Read Write String Error Size Reset ReadThrift write_thrift init_default InitDefault deep_equal DeepEqual
		deep_copy DeepCopy keep_unknown carrying_unknown_fields b_length BLength fast_read FastWrite fast_write_nocopy count_set_fields
		CountSetFields TExceptionType type_id TypeId read_field1 ReadField1 get_first_argument first_argument get_result result set_success
		success get_success is_set_x set_x get_x x _x _ unknown _unknown new_x New NewX new Client client x_client Processor processor args
		Args x_args Result p ctx err r a e i n d b off key seen at list some pairs value size count other copied name id kind in out element
		failed keys values field handler caller errors thrift context fmt apache gopkg math x_ptr XFromString x_from_string documentation vendor
		internal testdata _1 x1 X`)
	for t := token.BREAK; t <= token.VAR; t++ {
		words = append(words, t.String())
	}
	words = append(words, types.Universe.Names()...)
	slices.Sort(words)
	return slices.Compact(words)
}

// definable returns the words that can be names of definitions.
func definable(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		_, problems := idl.Parse("x", []byte("struct "+word+" {}"))
		return problems.HasErrors()
	})
}

// wordsEverywhere makes a program that has all words as names of everything. Each file has a package named like a word.
func wordsEverywhere(words []string) map[string]string {
	each := func(names []string, format string) string {
		var text strings.Builder
		for i, name := range names {
			text.WriteString(strings.NewReplacer("NAME", name, "#", fmt.Sprint(i+1)).Replace(format))
		}
		return text.String()
	}
	names := definable(words)
	fields := each(words, "  #: optional string NAME,\n")
	files := map[string]string{
		"structs.thrift":  each(names, "struct NAME { 1: i32 NAME, 2: optional NAME one_more }\n"),
		"enums.thrift":    each(names, "enum NAME { NAME, one_more }\n") + "struct Holder {\n" + each(names, " #: optional NAME NAME,\n") + "}\n",
		"typedefs.thrift": "struct Real { 1: i32 a = 1 }\n" + each(names, "typedef Real NAME\n"),
		"constants.thrift": each(names, "const i32 NAME = #\n") + "struct Holder {\n" + each(words, " #: i32 NAME = 1,\n") + "}\n" +
			"const Holder HOLDER = {" + each(words, "\"NAME\": #, ") + "}\n",
		"fields.thrift": "struct Fields {\n" + fields + "}\nexception Wrong {\n" + fields + "}\nunion One {\n" + fields + "}\n" +
			"struct Many {\n" + each(words, "  #: map<string, list<Fields>> NAME,\n") + "}\n",
		"services.thrift": each(names, "service NAME { i32 NAME(1: i32 NAME), oneway void one_more(1: i32 a) }\n"),
		"functions.thrift": "exception Wrong { 1: i32 a }\nservice All {\n" + each(words, "  i32 NAME(1: i32 NAME) throws (1: Wrong NAME),\n") +
			"  void arguments(" + each(words, "#: i32 NAME, ") + ")\n" +
			"}\nservice Derived extends All {\n" + each(words, "  i32 NAME(1: i32 NAME) throws (1: Wrong NAME),\n") + "}\n",
	}
	for name, text := range files {
		files[name] = "namespace go words." + strings.TrimSuffix(name, ".thrift") + "\n" + text
	}
	// There is one package for each word, and one file that uses all of these packages.
	var includes strings.Builder
	for i, name := range words {
		files["of_"+name+".thrift"] = fmt.Sprintf("namespace go packages.p%d.%s", i, name) +
			"\nstruct S { 1: i32 a = 1 }\nenum E { A }\nexception X { 1: i32 a }\nservice V { S get(1: S s) throws (1: X x) }\nconst i32 C = 7\n"
		fmt.Fprintf(&includes, "include \"of_%s.thrift\"\n", name)
	}
	files["packages.thrift"] = includes.String() + "namespace go words.packages\nstruct All {\n" +
		each(words, " #: list<of_NAME.S> NAME,\n") + "}\nstruct Defaults {\n" + each(words, " #: optional i32 NAME = of_NAME.C,\n") + "}\n" +
		each(names, "const of_NAME.S NAME = {\"a\": 3}\n") +
		"service Every {\n" + each(words, " of_NAME.S NAME(1: of_NAME.S NAME, 2: of_NAME.E one_more) throws (1: of_NAME.X NAME),\n") + "}\n" +
		each(names, "service V_# extends of_NAME.V {}\n")
	all := ""
	for _, name := range []string{"structs", "enums", "typedefs", "constants", "fields", "services", "functions", "packages"} {
		all += "include \"" + name + ".thrift\"\n"
	}
	files["all.thrift"] = all
	return files
}

// allOptions returns all options that add code, with all versions of Apache's module, and all namings in turn.
func allOptions(t *testing.T) []gen.Options {
	t.Helper()
	var all []gen.Options
	namings := []string{"thriftgo", "kitex", "golint", "apache", "thriftgo,compatible_names", "apache,ignore_initialisms,compatible_names", "golint,ignore_initialisms"}
	for bits := range 1 << 6 {
		for i, version := range []gen.ApacheVersion{gen.NoApache, gen.Apache013, gen.Apache014} {
			options := gen.Options{
				Prefix: "made", Setters: bits&1 != 0, DeepEqual: bits&2 != 0, DeepCopy: bits&4 != 0, KeepUnknown: bits&8 != 0,
				Values: bits&16 != 0, FastCodec: bits&32 != 0, Apache: version,
			}
			if err := options.Names.Set(namings[(bits+i)%len(namings)]); err != nil {
				t.Fatal(err)
			}
			all = append(all, options)
		}
	}
	return all
}

// checkTypes checks the types of the code that is made of files by these options. all.thrift is the root file.
func checkTypes(t *testing.T, files map[string]string, all []gen.Options) {
	t.Helper()
	read := func(path string) ([]byte, error) {
		text, ok := files[path]
		if !ok {
			return nil, os.ErrNotExist
		}
		return []byte(text), nil
	}
	program, problems := idl.Load("all.thrift", read, nil)
	if problems.HasErrors() {
		t.Fatal(slices.DeleteFunc(problems, func(p idl.Problem) bool { return p.Severity != idl.Error }))
	}
	checkers := map[gen.ApacheVersion]*checker{}
	for _, options := range all {
		outputs, err := gen.Generate(program, options)
		if err != nil {
			t.Fatal(err)
		}
		if checkers[options.Apache] == nil {
			checkers[options.Apache] = newChecker(t, options.Apache)
		}
		checkers[options.Apache].checkAll(t, outputs, options.Prefix)
	}
}

// A definition may have any name that Go, its packages or generated code use: the code compiles.
func TestWordsOfGoAreNamesOfEverything(t *testing.T) {
	all := allOptions(t)
	none, every := all[0], all[len(all)-1]
	every.Names = gen.KitexNaming
	t.Run("with all that options add", func(t *testing.T) { checkTypes(t, wordsEverywhere(goWords()), []gen.Options{every}) })
	t.Run("without options", func(t *testing.T) {
		if testing.Short() {
			t.Skip("builds whole modules")
		}
		checkTypes(t, wordsEverywhere(goWords()), []gen.Options{none})
	})
}

// The fields are named like the methods that options add, and like the methods of other fields.
func TestNamesOfMethodsWithOptions(t *testing.T) {
	fields := ""
	for i, name := range goWords() {
		if name != strings.ToLower(name) || strings.Contains(name, "_") {
			fields += fmt.Sprintf("%d: %s string %s,\n", i+1, []string{"", "optional"}[i%2], name)
		}
	}
	text := "struct S {" + fields + "}\nexception X {" + fields + "}\nunion U {" + fields + "}\nservice V { void get(" +
		strings.ReplaceAll(fields, "optional", "") + ") throws (1: X get_result, 2: X set_success, 3: X result) }\n"
	var some []gen.Options
	for i, options := range allOptions(t) {
		if i%5 == 0 { // no option has a multiple of 5 choices, so that all choices are among these
			some = append(some, options)
		}
	}
	checkTypes(t, map[string]string{"all.thrift": text}, some)
}
