package kitex

import (
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/cloudwego/thriftgo/generator/backend"
	"github.com/cloudwego/thriftgo/generator/golang"
	"github.com/cloudwego/thriftgo/generator/golang/styles"
	theirs "github.com/cloudwego/thriftgo/parser"
	"github.com/cloudwego/thriftgo/semantic"

	"hone/go/gen"
	"hone/go/idl"
)

// namings returns all styles of names that thriftgo's options select, by these options.
func namings() map[string]gen.Naming {
	all := map[string]gen.Naming{}
	for word, style := range map[string]gen.Style{"thriftgo": gen.ThriftgoStyle, "golint": gen.GolintStyle, "apache": gen.ApacheStyle} {
		for _, ignore := range []bool{false, true} {
			for _, compatible := range []bool{false, true} {
				naming := gen.Naming{Style: style, IgnoreInitialisms: ignore, CompatibleNames: compatible}
				// A style that is chosen by name leaves initialisms alone, unless an option says otherwise.
				options := "naming_style=" + word + ",ignore_initialisms=" + map[bool]string{true: "true", false: "false"}[ignore]
				if compatible {
					options += ",compatible_names"
				}
				all[options] = naming
			}
		}
	}
	return all
}

// tricky are names, and parts of longer names.
var tricky = strings.Fields(`id Id ID iD ids IDs userId user_id userID user_ID url Url my_uRL http_url HTTPServer xml_http http2_id utf8 v1_2 x_1
	x1y2 s3Url a__b a___b trailing_ trailing__ _lead __lead ___ _ _1 __1_2 get_new new_args new New_ NewID newest args Args _args result Result
	get_result Result_ my_Args_ type func range string error nil len init String Read Write Error Size Reset read_field1 ReadField1 is_set_x x
	get_x set_x deep_equal count_set_fields carrying_unknown_fields midIdDle Rpc1150 case3_1 case3__1 version_2_3_4_alpha_1 IEEE802_16bit Id_2_App_2_Url aB_cD ABC_id a1B2_3 1 1a
	a_1_b é_é`)

// randomName returns a name of letters that the styles treat differently.
func randomName(random *rand.Rand) string {
	parts := []string{"a", "b", "Z", "Y", "_", "_", "1", "9", "id", "Id", "ID", "url", "URL", "utf8", "new", "New", "args", "Args", "result", "Result", "uid", "x", "é"}
	var name strings.Builder
	for range 1 + random.Intn(7) {
		name.WriteString(parts[random.Intn(len(parts))])
	}
	return name.String()
}

// Names by the styles are those of thriftgo's own functions.
func TestStylesAreThriftgosOwn(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	names := append([]string{}, tricky...)
	for range 20000 {
		names = append(names, randomName(random))
	}
	for options, naming := range namings() {
		style := styles.NewNamingStyle(strings.Split(strings.TrimPrefix(options, "naming_style="), ",")[0])
		style.UseInitialisms(!naming.IgnoreInitialisms)
		for _, name := range names {
			want, err := style.Identify(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := naming.Identify(name); got != want {
				t.Fatalf("%s by %s is %s, and %s in thriftgo", name, options, got, want)
			}
		}
	}
}

// Names in the tag json are those of thriftgo's tags.
func TestJSONNamesAreThriftgosOwn(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	var fields, structs strings.Builder
	for i := range 600 {
		name := "a" + randomName(random)
		if i < len(tricky) {
			name = "a" + tricky[i]
		}
		if !strings.Contains(name, "é") {
			fmt.Fprintf(&structs, "struct S%d { 1: optional i32 %s }\n", i, name)
			fmt.Fprintf(&fields, "%s ", name)
		}
	}
	for names, option := range map[gen.JSONNames]string{
		gen.JSONSnake: "snake_style_json_tag", gen.JSONLowerCamel: "lower_camel_style_json_tag", gen.JSONAsInIDL: "naming_style=thriftgo",
	} {
		got := jsonTags(t, structs.String(), names)
		for i, want := range thriftgosTags(t, structs.String(), option) {
			if got[i] != want {
				t.Fatalf("%s of %s by %s, and %s in thriftgo", got[i], strings.Fields(fields.String())[i], option, want)
			}
		}
	}
}

var jsonTag = regexp.MustCompile("json:\"[^\"]*\"")

func jsonTags(t *testing.T, text string, names gen.JSONNames) []string {
	t.Helper()
	program, problems := idl.Load("a.thrift", func(string) ([]byte, error) { return []byte(text), nil }, nil)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	outputs, err := gen.Generate(program, gen.Options{JSON: names})
	if err != nil {
		t.Fatal(err)
	}
	return jsonTag.FindAllString(string(outputs[0].Source), -1)
}

func thriftgosTags(t *testing.T, text, option string) (tags []string) {
	t.Helper()
	tree, err := theirs.ParseString("a.thrift", text)
	if err != nil {
		t.Fatal(err)
	}
	if err := semantic.ResolveSymbols(tree); err != nil {
		t.Fatal(err)
	}
	utils := golang.NewCodeUtils(backend.DummyLogFunc())
	if err := utils.HandleOptions([]string{option}); err != nil {
		t.Fatal(err)
	}
	scope, err := golang.BuildScope(utils, tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scope.Structs() {
		tag, err := utils.GenFieldTags(s.Fields()[0], "")
		if err != nil {
			t.Fatal(err)
		}
		tags = append(tags, jsonTag.FindString(tag))
	}
	return tags
}
