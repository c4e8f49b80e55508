// A server and a client of hello.thrift in one program: hello NAME
package main

//go:generate go run hone/go/cmd/hone-thrift gen -o gen hello.thrift

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"

	"hello/gen/hello"
	"hone/go/thrift"
)

type greeter struct{}

func (greeter) Greet(_ context.Context, name string) (string, error) {
	return "Hello, " + name, nil
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: hello NAME")
	}
	wire := thrift.Wire{Framed: true}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go hello.NewHelloProcessor(greeter{}).Serve(context.Background(), listener, wire, func(err error) { log.Print(err) })

	stream, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	text, err := hello.NewHelloClient(thrift.NewClient(stream, wire)).Greet(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
}
