package proto_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"

	"hone/go/internal/greeter"
	"hone/go/internal/protosample"
	"hone/go/proto"
)

// A message with code of protoc-gen-hone is written and read without reflection.
func ExampleMarshal() {
	data, err := proto.Marshal(&greeter.HelloRequest{Name: "Ada"})
	if err != nil {
		log.Fatal(err)
	}
	var request greeter.HelloRequest
	if err := proto.Unmarshal(data, &request); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q %s\n", data, request.Name)
	// Output: "\n\x03Ada" Ada
}

// Strings that are kept for long get memory of their own, and borrowed strings, which are not copied, last as long as their message.
func ExampleOptions_texts() {
	data, err := proto.Marshal(&greeter.HelloRequest{Name: "Ada"})
	if err != nil {
		log.Fatal(err)
	}
	var borrowed, apart greeter.HelloRequest
	if err := proto.UnmarshalWith(proto.Options{Texts: proto.Borrowed}, data, &borrowed); err != nil {
		log.Fatal(err)
	}
	fmt.Println(borrowed.Name) // data must not change before the last use of a borrowed string

	if err := proto.UnmarshalWith(proto.Options{Texts: proto.Apart}, data, &apart); err != nil {
		log.Fatal(err)
	}
	clear(data) // the buffer is used again
	fmt.Println(apart.Name)
	// Output:
	// Ada
	// Ada
}

// A message that is nested deeper than the limit is refused.
func ExampleUnmarshalWith() {
	data, err := proto.Marshal(&protosample.Sample{Child: &protosample.Sample{Child: &protosample.Sample{Name: "inner"}}})
	if err != nil {
		log.Fatal(err)
	}
	for _, depth := range []int{2, 3} {
		var read protosample.Sample
		err := proto.UnmarshalWith(proto.Options{Depth: depth}, data, &read)
		fmt.Printf("%d %v %q\n", depth, errors.Is(err, proto.TooDeep), read.GetChild().GetChild().GetName())
	}
	// Output:
	// 2 true ""
	// 3 false "inner"
}

// The error of a damaged message names the type, the cause and the offset.
func ExampleError() {
	err := proto.Unmarshal([]byte("\n\x05Ada"), new(greeter.HelloRequest)) // five bytes are announced, three follow
	fmt.Println(err)
	fmt.Println(errors.Is(err, proto.Truncated), errors.Is(err, io.ErrUnexpectedEOF))
	// Output:
	// hone.greeter.v1.HelloRequest: the message ends too early, at byte 1
	// true true
}

// A message is written to the end of a buffer, so that a header can be put before the message without a copy.
func ExampleMessage() {
	const header = 4 // a length
	request := &greeter.HelloRequest{Name: "Ada"}
	buffer := make([]byte, header+request.SizePB())
	start, err := request.MarshalToPB(buffer)
	if err != nil {
		log.Fatal(err)
	}
	frame := buffer[start-header:]
	binary.BigEndian.PutUint32(frame, uint32(len(frame)-header))
	fmt.Printf("%q\n", frame)
	// Output: "\x00\x00\x00\x05\n\x03Ada"
}
