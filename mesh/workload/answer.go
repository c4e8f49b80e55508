// Command answer is what stands behind the proxies: it answers every request with a body of some bytes, 1,024 where the path does not
// say how many (/bytes/300), over `http1` or `http2` without TLS.
package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
)

const usual, most = 1024, 1 << 20

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: answer http1|http2 PORT|PATH")
		os.Exit(2)
	}
	var protocols http.Protocols
	protocols.SetHTTP1(os.Args[1] == "http1")
	protocols.SetUnencryptedHTTP2(os.Args[1] == "http2")
	network, address := "tcp", "127.0.0.1:"+os.Args[2]
	if strings.Contains(os.Args[2], "/") {
		network, address = "unix", os.Args[2]
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	body := bytes.Repeat([]byte("a reply."), most/8)
	server := http.Server{
		Protocols: &protocols,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			size := usual
			if _, text, has := strings.Cut(r.URL.Path, "/bytes/"); has {
				if asked, err := strconv.Atoi(text); err == nil && asked >= 0 && asked <= most {
					size = asked
				}
			}
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("X-Served-By", "answer")
			w.Write(body[:size])
		}),
	}
	fmt.Fprintln(os.Stderr, server.Serve(listener))
	os.Exit(1)
}
