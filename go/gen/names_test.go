package gen

import "testing"

// Names as thriftgo 0.4.5 makes them by its default style, so that code which uses them need not be changed.
func TestNamesAreThoseOfThriftgo(t *testing.T) {
	for name, want := range map[string]string{
		"userId": "UserId", "user_id2": "UserId2", "URL": "URL", "http_url": "HTTPURL", "id": "ID", "Ids": "Ids", "x_1": "X1",
		"type": "Type", "userID": "UserID", "user_ID_x": "UserIDX", "v1_2": "V12", "apiKey": "ApiKey", "api_url_x": "APIURLX",
		"HTTPServer": "HTTPServer", "xml_http": "XMLHTTP", "a__b": "A_B", "trailing_": "Trailing_", "userIds": "UserIds", "IDs": "IDs",
		"idUrl": "IdUrl", "Uid": "Uid", "ipAddr": "IpAddr", "ip_v4": "IPV4", "urlId": "UrlId", "utf8": "UTF8", "s3Url": "S3Url",
		"aB_cD": "ABCD", "ABC_id": "ABCID", "x1y2": "X1y2", "cpuId": "CpuId", "is_ok": "IsOk", "http2_id": "Http2ID",
		"Id": "Id", "my_Id": "MyId", "uid": "UID", "Uid_x": "UidX", "my_uRL": "MyURL", "my_URl": "MyURl",
		// Here thriftgo's would not be exported: _X, _1.
		"_x": "X", "_1": "X1",
	} {
		if got := exported(name); got != want {
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
