// Command go_peer is Go's net/http on either side of hone-mesh: `serve` prints its port, `call URL` checks what comes
// through. With the word `http2` both speak HTTP/2 alone. A server with the files of a certificate and its key speaks TLS,
// and so does a client of a URL with https.
package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
)

func main() {
	words := os.Args[1:]
	var protocols http.Protocols
	if len(words) > 1 && words[1] == "http2" {
		protocols.SetUnencryptedHTTP2(true)
		protocols.SetHTTP2(true)
		words = append(words[:1], words[2:]...)
	} else {
		protocols.SetHTTP1(true)
	}
	if (len(words) == 1 || len(words) == 3) && words[0] == "serve" {
		serve(&protocols, words[1:])
	}
	if len(words) != 2 || words[0] != "call" {
		fmt.Fprintln(os.Stderr, "usage: go_peer serve [http2] [CERTIFICATE KEY] | call [http2] URL")
		os.Exit(2)
	}
	http.DefaultTransport.(*http.Transport).Protocols = &protocols
	if err := call(strings.TrimSuffix(words[1], "/")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("all right")
}

func serve(protocols *http.Protocols, files []string) {
	http.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		// Without it, Go throws away what is left of a request once the response begins.
		http.NewResponseController(w).EnableFullDuplex()
		w.Header().Set("Trailer", "X-Sum")
		n, _ := io.Copy(w, r.Body)
		w.Header().Set("X-Sum", fmt.Sprint(n, " ", r.Trailer.Get("X-Up")))
	})
	http.HandleFunc("/hint", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "</style.css>")
		w.WriteHeader(http.StatusEarlyHints)
		io.WriteString(w, r.Host+" "+r.Header.Get("X-Forwarded-For"))
	})
	http.HandleFunc("/refuse", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	server := http.Server{Protocols: protocols}
	if len(files) == 2 {
		panic(server.ServeTLS(listener, files[0], files[1]))
	}
	panic(server.Serve(listener))
}

func call(url string) error {
	if err := echo(url, 3_000_000); err != nil {
		return err
	}
	response, err := http.Get(url + "/hint")
	if err != nil {
		return err
	}
	body, _ := io.ReadAll(response.Body)
	if !strings.HasSuffix(url, strings.Fields(string(body))[0]) || !strings.HasSuffix(string(body), "127.0.0.1") {
		return fmt.Errorf("hint: %q", body)
	}
	// A server that answers before it has read the body, and many connections at once.
	response, err = http.Post(url+"/refuse", "text/plain", strings.NewReader(strings.Repeat("x", 100_000)))
	if err != nil || response.StatusCode != http.StatusForbidden {
		return fmt.Errorf("refuse: %v %v", response, err)
	}
	var group sync.WaitGroup
	failures := make(chan error, 20)
	for caller := range 20 {
		group.Go(func() {
			for range 20 {
				if err := echo(url, 1000*caller); err != nil {
					failures <- err
					return
				}
			}
		})
	}
	group.Wait()
	close(failures)
	return <-failures
}

// echo sends a body of unknown length with a trailer, and wants both back.
func echo(url string, size int) error {
	sent := bytes.Repeat([]byte("0123456789"), size/10)
	request, err := http.NewRequest("POST", url+"/echo", io.MultiReader(bytes.NewReader(sent)))
	if err != nil {
		return err
	}
	request.Trailer = http.Header{"X-Up": []string{"up"}}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil || !bytes.Equal(got, sent) {
		return fmt.Errorf("%d bytes became %d: %v", len(sent), len(got), err)
	}
	if sum := response.Trailer.Get("X-Sum"); sum != fmt.Sprint(len(sent), " up") {
		return fmt.Errorf("trailer: %q", sum)
	}
	return nil
}
