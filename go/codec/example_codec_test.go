package codec_test

import (
	"errors"
	"fmt"
	"log"

	"hone/go/codec"
	"hone/go/thrift"
)

// article is a struct with tags that no tool has generated.
type article struct {
	ID     int64    `thrift:"id,1,required"`
	Name   string   `thrift:"name,2"`
	Labels []string `thrift:"labels,4,optional,list<string>"`
	Price  *float64 `thrift:"price,5,optional"`
}

// articleName is an older article: messages have fields that it does not know.
type articleName struct {
	Name string `thrift:"name,2"`
}

// A struct with tags is written as a message of the Binary protocol, and read again.
func ExampleMarshal() {
	message, err := codec.Marshal(article{ID: 7, Name: "pen", Labels: []string{"new"}})
	if err != nil {
		log.Fatal(err)
	}
	var read article
	if err := codec.Unmarshal(message, &read); err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.ID, read.Name, read.Labels, read.Price == nil)
	// Output: 7 pen [new] true
}

// Fields that the struct does not have are skipped, and a required field that the message lacks is an error.
func ExampleUnmarshal() {
	message, err := codec.Marshal(article{ID: 7, Name: "pen", Labels: []string{"new", "blue"}})
	if err != nil {
		log.Fatal(err)
	}
	var name articleName
	fmt.Println(codec.Unmarshal(message, &name), name.Name)

	message, err = codec.Marshal(name)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(errors.Is(codec.Unmarshal(message, new(article)), thrift.Missing))
	// Output:
	// <nil> pen
	// true
}

// The Compact protocol takes fewer bytes for the same struct.
func ExampleCompact() {
	pen := article{ID: 7, Name: "pen"}
	size, err := codec.Size(pen)
	if err != nil {
		log.Fatal(err)
	}
	message, err := codec.Compact{}.Marshal(pen)
	if err != nil {
		log.Fatal(err)
	}
	var read article
	err = codec.Compact{}.Unmarshal(message, &read)
	fmt.Println(len(message), "bytes instead of", size, "for", read.Name, err)
	// Output: 8 bytes instead of 22 for pen <nil>
}

// A program checks its structs when it starts.
func ExampleCheck() {
	type wrong struct {
		Sizes []uint32 `thrift:"sizes,1"`
	}
	fmt.Println(codec.Check(article{}))
	var bad *codec.TypeError
	if errors.As(codec.Check(wrong{}), &bad) {
		fmt.Println(bad.Field+":", bad.Problem)
	}
	// Output:
	// <nil>
	// Sizes: Thrift has no type for uint32
}
