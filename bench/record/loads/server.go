// A service and its clients in one process: requests over loopback, each with some JSON and some hashing.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
)

type item struct {
	Name  string
	Sums  []string
	Count map[string]int
}

func answer(w http.ResponseWriter, r *http.Request) {
	var asked item
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for i := 0; i < 20; i++ {
		sum := sha256.Sum256([]byte(asked.Name + fmt.Sprint(i)))
		asked.Sums = append(asked.Sums, fmt.Sprintf("%x", sum))
	}
	json.NewEncoder(w).Encode(asked)
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go http.Serve(listener, http.HandlerFunc(answer))
	url := "http://" + listener.Addr().String()
	var clients sync.WaitGroup
	for c := 0; c < 4; c++ {
		clients.Add(1)
		go func() {
			defer clients.Done()
			body, _ := json.Marshal(item{Name: "anything", Count: map[string]int{"a": 1, "b": 2, "c": 3}})
			for i := 0; i < 12000; i++ {
				response, err := http.Post(url, "application/json", bytes.NewReader(body))
				if err != nil {
					panic(err)
				}
				io.Copy(io.Discard, response.Body)
				response.Body.Close()
			}
		}()
	}
	clients.Wait()
}
