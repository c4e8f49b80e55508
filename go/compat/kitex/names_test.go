package kitex

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/cloudwego/thriftgo/generator/golang/styles"

	"hone/go/gen"
)

// namings are all that thriftgo's options make of names, by these options.
func namings() map[string]gen.Naming {
	all := map[string]gen.Naming{}
	for word, style := range map[string]gen.Style{"thriftgo": gen.ThriftgoStyle, "golint": gen.GolintStyle, "apache": gen.ApacheStyle} {
		for _, ignore := range []bool{false, true} {
			for _, compatible := range []bool{false, true} {
				naming := gen.Naming{Style: style, IgnoreInitialisms: ignore, CompatibleNames: compatible}
				// The style leaves initialisms alone when it is chosen by name, unless it is told not to.
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

// tricky are names, and words that longer ones are made of.
var tricky = strings.Fields(`id Id ID iD ids IDs userId user_id userID user_ID url Url my_uRL http_url HTTPServer xml_http http2_id utf8 v1_2 x_1
	x1y2 s3Url a__b a___b trailing_ trailing__ _lead __lead ___ _ _1 __1_2 get_new new_args new New_ NewID newest args Args _args result Result
	get_result Result_ my_Args_ type func range string error nil len init String Read Write Error Size Reset read_field1 ReadField1 is_set_x x
	get_x set_x deep_equal count_set_fields midIdDle Rpc1150 case3_1 case3__1 version_2_3_4_alpha_1 IEEE802_16bit Id_2_App_2_Url aB_cD ABC_id a1B2_3 1 1a
	a_1_b é_é`)

// randomName is of letters that styles tell apart.
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
