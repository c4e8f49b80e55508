package gen

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The names equal those that thriftgo 0.4.5 makes by its default style, so that code which uses them need not be changed.
func TestNamesAreThoseOfThriftgo(t *testing.T) {
	for name, want := range map[string]string{
		"userId": "UserId", "user_id2": "UserId2", "URL": "URL", "http_url": "HTTPURL", "id": "ID", "Ids": "Ids", "x_1": "X1",
		"type": "Type", "userID": "UserID", "user_ID_x": "UserIDX", "v1_2": "V12", "apiKey": "ApiKey", "api_url_x": "APIURLX",
		"HTTPServer": "HTTPServer", "xml_http": "XMLHTTP", "a__b": "A_B", "trailing_": "Trailing_", "userIds": "UserIds", "IDs": "IDs",
		"idUrl": "IdUrl", "Uid": "Uid", "ipAddr": "IpAddr", "ip_v4": "IPV4", "urlId": "UrlId", "utf8": "UTF8", "s3Url": "S3Url",
		"aB_cD": "ABCD", "ABC_id": "ABCID", "x1y2": "X1y2", "cpuId": "CpuId", "is_ok": "IsOk", "http2_id": "Http2ID",
		"Id": "Id", "my_Id": "MyId", "uid": "UID", "Uid_x": "UidX", "my_uRL": "MyURL", "my_URl": "MyURl",
		// thriftgo's names for these two, _x and _1, would not be exported.
		"_x": "X", "_1": "X1",
	} {
		if got := (Naming{}).exported(name); got != want {
			t.Errorf("%s became %s, not %s", name, got, want)
		}
	}
}

func TestParametersAreNoWordsOfGo(t *testing.T) {
	for name, want := range map[string]string{
		"type": "type_", "user_id": "userID", "err": "err_", "ctx": "ctx_", "_arg": "arg", "URL": "url", "a__b": "a_B",
	} {
		if got := local(name); got != want {
			t.Errorf("%s became %s, not %s", name, got, want)
		}
	}
}

// The test checks the table of docs/thrift/thrift.md.
func TestStylesAreAsTheGuideHasThem(t *testing.T) {
	guide, err := os.ReadFile("../../docs/thrift/thrift.md")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"user_id", "userId", "my_Url", "v1_2", "MAX_ID", "get_result"}
	for style := range namings {
		var naming Naming
		if err := naming.Set(style); err != nil || naming.String() != style {
			t.Fatal(err, naming.String())
		}
		row := ""
		for _, name := range names {
			row += " | `" + naming.exported(name) + "`"
		}
		isThere := slices.ContainsFunc(strings.Split(string(guide), "\n"), func(line string) bool {
			return strings.HasPrefix(line, "| `"+style+"`") && strings.HasSuffix(line, row+" |")
		})
		if !isThere {
			t.Errorf("the guide has no row of %s with%s", style, row)
		}
	}
}

func TestMessagesAreNamedByServiceAndFunction(t *testing.T) {
	for _, c := range []struct{ names, service, function, want string }{
		{"thriftgo", "id", "get_id", "IdGetIDArgs"},
		{"kitex", "my_svc", "v_1", "MySvcV_1Args"},
		{"kitex", "NewThing", "new_args", "NewThingNewArgsArgs"},
		{"apache", "S", "get", "SGetArgs_"},
		{"thriftgo", "_s", "_f", "SFArgs"},
		{"apache", "_1", "f", "X1FArgs_"},
	} {
		var naming Naming
		if err := naming.Set(c.names); err != nil {
			t.Fatal(err)
		}
		if got := naming.message(c.service, c.function, "args"); got != c.want {
			t.Errorf("%s.%s by %s is %s, not %s", c.service, c.function, c.names, got, c.want)
		}
	}
}

func TestNamesOfTheTagJSON(t *testing.T) {
	for text, wants := range map[string]map[string]string{
		"":            {"user_id": "user_id", "HTTPServer": "HTTPServer"},
		"snake":       {"userId": "user_id", "HTTPServer": "http_server", "x1Y": "x1_y", "_aB": "_a_b"},
		"lower-camel": {"user_id": "userId", "HTTPServer": "httpServer", "v_16bit": "v16Bit", "a__b": "aB"},
	} {
		var names JSONNames
		if err := names.Set(text); err != nil || names.String() != text {
			t.Fatal(err)
		}
		for name, want := range wants {
			if got := names.of(name); got != want {
				t.Errorf("%s by %q is %s, not %s", name, text, got, want)
			}
		}
	}
	var names JSONNames
	if err := names.Set("kebab"); err == nil {
		t.Error("an unknown way to make names")
	}
}
