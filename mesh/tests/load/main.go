// Command load is both ends of the load of hone-mesh's tests.
//
//	load ask [-streams N] [-http1] [-ca FILE] [-pause TIME] [-name NAME] URL
//	load serve [-fail PERCENT] ADDRESS LOG
//
// The first asks in many streams at once, by HTTP/2 or by HTTP/1, half of the requests by POST with a body. These are sent again only
// where the protocol says that nobody has seen them. It ends with stdin, and then writes a line for each request that failed, with the
// request's number, and one with how many there were. With a file of authorities it speaks TLS.
//
// The second answers HTTP/1 by "ok", and writes the number of each request to its log before that. Some of the requests it ends
// without an answer.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	if len(os.Args) < 2 || (os.Args[1] != "ask" && os.Args[1] != "serve") {
		fmt.Fprintln(os.Stderr, "usage: load ask|serve ...")
		os.Exit(2)
	}
	command := ask
	if os.Args[1] == "serve" {
		command = serve
	}
	if err := command(os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func ask(arguments []string) error {
	flags := flag.NewFlagSet("ask", flag.ExitOnError)
	streams := flags.Int("streams", 8, "requests at once")
	byHTTP1 := flags.Bool("http1", false, "by HTTP/1")
	ca := flags.String("ca", "", "authorities: by TLS")
	pause := flags.Duration("pause", 0, "between two requests of a stream")
	name := flags.String("name", "", "before the numbers of requests")
	flags.Parse(arguments)
	transport, err := transportOf(*byHTTP1, *ca)
	if err != nil {
		return err
	}
	client := http.Client{Transport: transport, Timeout: time.Minute}
	var over atomic.Bool
	var count atomic.Int64
	var workers sync.WaitGroup
	for range *streams {
		workers.Go(func() {
			for !over.Load() {
				number := count.Add(1)
				id := fmt.Sprintf("%s-%d", *name, number)
				if err := askOne(&client, flags.Arg(0), id, number%2 == 0); err != nil {
					fmt.Println("failed:", id, err)
				}
				time.Sleep(*pause)
			}
		})
	}
	io.Copy(io.Discard, os.Stdin)
	over.Store(true)
	workers.Wait()
	fmt.Println("requests:", count.Load())
	return nil
}

func transportOf(byHTTP1 bool, ca string) (*http.Transport, error) {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(byHTTP1)
	protocols.SetHTTP2(!byHTTP1)
	protocols.SetUnencryptedHTTP2(!byHTTP1)
	transport := &http.Transport{Protocols: protocols, MaxIdleConnsPerHost: 1000}
	if ca == "" {
		return transport, nil
	}
	text, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(text)
	transport.TLSClientConfig = &tls.Config{RootCAs: authorities, ServerName: "shop.test"}
	return transport, nil
}

// askOne sends one request, with a body or without one.
func askOne(client *http.Client, url, id string, hasBody bool) error {
	method, body := http.MethodGet, io.Reader(nil)
	if hasBody {
		method, body = http.MethodPost, strings.NewReader("body")
	}
	request, err := http.NewRequest(method, url, body)
	if err != nil {
		return err
	}
	request.Header.Set("x-number", id)
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", answer.StatusCode)
	}
	return nil
}

func serve(arguments []string) error {
	flags := flag.NewFlagSet("serve", flag.ExitOnError)
	fail := flags.Float64("fail", 0, "percentage of requests that are not answered")
	flags.Parse(arguments)
	log, err := os.OpenFile(flags.Arg(1), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", flags.Arg(0))
	if err != nil {
		return err
	}
	return http.Serve(listener, http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		// One write of one line: whoever is killed behind it has said so.
		fmt.Fprintln(log, request.Header.Get("x-number"))
		if rand.Float64()*100 < *fail {
			panic(http.ErrAbortHandler)
		}
		io.Copy(io.Discard, request.Body)
		io.WriteString(answer, "ok")
	}))
}
