// Command answer is what stands behind the proxies: it answers every request with 1 KB, over `http1` or `http2` without TLS.
package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: answer http1|http2 PORT")
		os.Exit(2)
	}
	var protocols http.Protocols
	protocols.SetHTTP1(os.Args[1] == "http1")
	protocols.SetUnencryptedHTTP2(os.Args[1] == "http2")
	body := bytes.Repeat([]byte("a reply."), 128)
	server := http.Server{
		Addr:      "127.0.0.1:" + os.Args[2],
		Protocols: &protocols,
		Handler:   http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(body) }),
	}
	fmt.Fprintln(os.Stderr, server.ListenAndServe())
	os.Exit(1)
}
