package generic_test

import (
	"context"
	"fmt"
	"log"

	"hone/go/generic"
	"hone/go/idl"
	"hone/go/internal/sample/talk"
	"hone/go/rpc"
)

// talker implements a function of the service Talk.
type talker struct{ talk.Talk }

func (talker) Echo(_ context.Context, said *talk.Words) (*talk.Words, error) {
	return &talk.Words{Text: said.Text + "!", Times: said.Times}, nil
}

// A program calls a function with JSON, by a .thrift file and without generated code.
func ExampleNewService() {
	server := rpc.NewServer()
	defer server.Close()
	talk.RegisterTalk(server, talker{})
	client := rpc.Local(server)
	defer client.Close()

	const file = `struct Words { 1: string text, 2: i32 times = 1 } service Talk { Words echo(1: Words said) }`
	program, problems := idl.Load("talk.thrift", func(string) ([]byte, error) { return []byte(file), nil }, nil) // os.ReadFile
	if problems.HasErrors() {
		log.Fatal(problems)
	}
	service, err := generic.NewService(program, "Talk", generic.Options{})
	if err != nil {
		log.Fatal(err)
	}
	echo, err := service.Function("echo")
	if err != nil {
		log.Fatal(err)
	}
	args, result := echo.Args(), echo.Result()
	if err := args.UnmarshalJSON([]byte(`{"said": {"text": "hello"}}`)); err != nil {
		log.Fatal(err)
	}
	if err := client.Call(context.Background(), echo.Name, args, result); err != nil {
		log.Fatal(err)
	}
	text, err := result.MarshalJSON()
	fmt.Println(string(text), err)
	// Output: {"result":{"text":"hello!","times":1}} <nil>
}
