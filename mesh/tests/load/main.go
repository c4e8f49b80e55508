// Command load asks by HTTP/2 without TLS, in many streams at once, and says what became of it.
//
//	load URL STREAMS
//
// Requests are never sent again: their bodies cannot be read twice. It ends with stdin, and then writes a line for each request that
// failed, and one with how many there were.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

func main() {
	streams, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(2)
	}
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	client := http.Client{Transport: &http.Transport{Protocols: protocols}}
	var over atomic.Bool
	var count atomic.Int64
	var workers sync.WaitGroup
	for range streams {
		workers.Go(func() {
			for !over.Load() {
				if err := ask(&client, os.Args[1]); err != nil {
					fmt.Println("failed:", err)
				}
				count.Add(1)
			}
		})
	}
	io.Copy(io.Discard, os.Stdin)
	over.Store(true)
	workers.Wait()
	fmt.Println("requests:", count.Load())
}

// ask sends one request with a body that can be read once.
func ask(client *http.Client, url string) error {
	request, err := http.NewRequest(http.MethodPost, url, io.NopCloser(strings.NewReader("body")))
	if err != nil {
		return err
	}
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
