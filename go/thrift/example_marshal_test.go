package thrift_test

import (
	"errors"
	"fmt"
	"io"
	"log"

	"hone/go/internal/sample/shop/api"
	"hone/go/thrift"
)

// A struct of generated code is written as a message of the Binary protocol, and read again.
func ExampleMarshal() {
	item := api.NewItem() // has the defaults of the IDL
	item.ID, item.Name = 7, "pen"
	message := thrift.Marshal(item)

	read := api.NewItem() // an optional field that equals its default is not written, and keeps this default
	if err := thrift.Unmarshal(message, read); err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.ID, read.Name, read.Labels, read.DeepEqual(item))
	// Output: 7 pen [new old] true
}

// Structs that follow each other in one buffer are read one by one.
func ExampleUnmarshalPrefix() {
	var buffer []byte
	for id := range api.ItemID(3) {
		buffer = thrift.Append(buffer, &api.OutOfStock{ID: id, Text: "sold"})
	}
	for len(buffer) > 0 {
		var one api.OutOfStock
		length, err := thrift.UnmarshalPrefix(buffer, &one)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(one.ID, one.Text, length)
		buffer = buffer[length:]
	}
	// Output:
	// 0 sold 23
	// 1 sold 23
	// 2 sold 23
}

// A message from outside is read within limits, and each string that is kept for long gets memory of its own.
func ExampleUnmarshalWith() {
	inner := &api.Item{ID: 3, Name: "drawer"}
	message := thrift.Marshal(&api.Item{ID: 1, Name: "house", Parent: &api.Item{ID: 2, Name: "desk", Parent: inner}})
	options := thrift.Options{Texts: thrift.Apart, Limits: thrift.Limits{Expansion: 8, Slack: 1 << 20, Depth: 2}}

	err := thrift.UnmarshalWith(options, message, new(api.Item))
	fmt.Println(errors.Is(err, thrift.TooDeep))
	options.Limits.Depth = 3
	var read api.Item
	err = thrift.UnmarshalWith(options, message, &read)
	fmt.Println(read.Parent.Parent.Name, err)
	// Output:
	// true
	// drawer <nil>
}

// The error of a damaged message has the cause, the offset and the path to the damaged value.
func ExampleProtocolError() {
	message := thrift.Marshal(&api.Order{Items: []api.ItemID{1, 2, 3}})
	err := thrift.Unmarshal(message[:20], new(api.Order))

	var damaged *thrift.ProtocolError
	if errors.As(err, &damaged) {
		fmt.Printf("byte %d, field %d: %v\n", damaged.Fault.Offset(), damaged.Path[0].Field, damaged.Fault.Cause())
	}
	fmt.Println(err)
	fmt.Println(errors.Is(err, thrift.Truncated), errors.Is(err, io.ErrUnexpectedEOF))
	// Output:
	// byte 4, field 1: the message ends too early
	// *api.Order read field 1 'items' error: the message ends too early (at byte 4)
	// true true
}

// Fields that a struct does not have are skipped, kept, and written again: a program may pass on messages of a newer version of the IDL.
func ExampleUnknownKeeper() {
	message := thrift.Marshal(&api.OutOfStock{ID: 7, Text: "sold"})
	var older api.Empty // a struct without fields
	if err := thrift.Unmarshal(message, &older); err != nil {
		log.Fatal(err)
	}
	fmt.Println("kept:", string(thrift.Marshal(&older)) == string(message))

	var none thrift.Nothing // a struct that keeps nothing
	fmt.Println("skipped:", thrift.Unmarshal(message, &none), thrift.Size(&none))
	// Output:
	// kept: true
	// skipped: <nil> 1
}
