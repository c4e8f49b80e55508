// Command hone-call calls a function of a service with JSON, by the service's definition alone.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"hone/go/call/command"
	"hone/go/call/connect"
	"hone/go/call/definitions"
	"hone/go/generic"
	"hone/go/rpc"
)

const usage = `usage: hone call ADDRESS Service.Method ['{json}' | @FILE | -] --idl FILE [OPTIONS]
       hone call --list --idl FILE
       hone call Service.Method --example --idl FILE
Calls a function of a service and prints what it gives, as JSON: {"result": ...}, or
{"exception": {"NAME": ...}} for an exception of the definition; a function of protobuf gives its
message alone, and one that gives a stream a line for each message. A function that takes a
stream gets any number of JSON values; those of - as they come. ADDRESS is host:port,
unix:///path or shm:///path. Without JSON, the function gets {}. The exit status is 1 if the call
failed or was answered with an exception, 2 if the definition or the arguments are wrong.
`

func main() {
	os.Exit(run(command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, os.Args[1:]))
}

// options are the options of this command.
type options struct {
	command.Arguments
	list, example bool
}

func run(s command.Streams, args []string) int {
	o, status := arguments(s, args)
	if o == nil {
		return status
	}
	if err := o.Check(); err != nil {
		return misuse(s, err)
	}
	d, err := o.Load(s)
	if err != nil {
		return misuse(s, err)
	}
	switch {
	case o.list:
		return list(s, d)
	case o.example:
		return example(s, d, o.Positional)
	}
	target, err := o.Target(s, d)
	if err != nil {
		return misuse(s, err)
	}
	how, err := o.Connect()
	if err != nil {
		return misuse(s, err)
	}
	client, err := connect.New(target.Address, d.Language, how)
	if err != nil {
		return misuse(s, err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), o.Timeout)
	defer cancel()
	if target.Function.TakesStream || target.Function.GivesStream {
		return talk(ctx, s, client, target)
	}
	return call(ctx, s, client, target)
}

func arguments(s command.Streams, args []string) (*options, int) {
	o := &options{}
	flags := flag.NewFlagSet("call", flag.ContinueOnError)
	flags.SetOutput(s.Err)
	o.Register(flags)
	flags.BoolVar(&o.list, "list", false, "print the functions of the definition")
	flags.BoolVar(&o.example, "example", false, "print JSON that the function takes")
	flags.Usage = func() {
		fmt.Fprint(s.Err, usage)
		flags.PrintDefaults()
	}
	switch err := o.Parse(flags, args); {
	case errors.Is(err, flag.ErrHelp):
		return nil, command.Done
	case err != nil:
		return nil, command.Misuse
	}
	return o, command.Done
}

func misuse(s command.Streams, err error) int {
	fmt.Fprintf(s.Err, "hone call: %v\n", err)
	return command.Misuse
}

func failed(s command.Streams, err error) int {
	fmt.Fprintf(s.Err, "hone call: %v\n", err)
	return command.Failed
}

// list prints all functions, each with its comment's first line.
func list(s command.Streams, d *definitions.Definitions) int {
	all, err := d.All()
	if err != nil {
		return misuse(s, err)
	}
	for _, f := range all {
		line := f.FullName() + "  " + f.Declaration
		if doc, _, _ := strings.Cut(f.Doc, "\n"); doc != "" {
			line += "  // " + doc
		}
		fmt.Fprintln(s.Out, line)
	}
	return command.Done
}

// example prints an example argument of the function that the last argument names.
func example(s command.Streams, d *definitions.Definitions, positional []string) int {
	if len(positional) == 0 {
		return misuse(s, errors.New("no function is named; write hone call Service.Method --example --idl FILE"))
	}
	f, err := d.Function(positional[min(len(positional), 2)-1])
	if err != nil {
		return misuse(s, err)
	}
	fmt.Fprintf(s.Out, "%s\n", f.Example())
	return command.Done
}

// call makes the call and prints its result.
func call(ctx context.Context, s command.Streams, client *connect.Client, target *command.Target) int {
	f := target.Function
	result := f.Result()
	if err := client.Invoke(ctx, f, target.Args, result); err != nil {
		return failed(s, named(f, err))
	}
	if result == nil {
		return command.Done
	}
	if err := show(s, result, "  "); err != nil {
		return failed(s, named(f, err))
	}
	if command.Exception(result) != "" {
		return command.Failed
	}
	return command.Done
}

// talk makes a call with a stream of requests or responses. It prints each response in one line, as it comes, if the function gives a stream.
func talk(ctx context.Context, s command.Streams, client *connect.Client, target *command.Target) int {
	indent := "  "
	if target.Function.GivesStream {
		indent = ""
	}
	err := client.Talk(ctx, target.Function, target.Requests, func(message definitions.Message) error { return show(s, message, indent) })
	switch {
	case errors.Is(err, connect.ErrNoStreams):
		return misuse(s, named(target.Function, err))
	case err != nil:
		return failed(s, named(target.Function, err))
	}
	return command.Done
}

// named puts the function's name before errors that do not have it.
func named(f *definitions.Function, err error) error {
	var own *rpc.Error
	var unreadable *generic.Error
	if errors.As(err, &own) && !errors.As(err, &unreadable) {
		return err
	}
	return fmt.Errorf("%s: %w", f.FullName(), err)
}

// show prints a message with an indentation, or in one line if indent is "".
func show(s command.Streams, message definitions.Message, indent string) error {
	text, err := message.MarshalJSON()
	if err != nil {
		return err
	}
	var shown bytes.Buffer
	if indent == "" {
		shown.Write(text)
	} else if err := json.Indent(&shown, text, "", indent); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(s.Out, "%s\n", &shown); err != nil {
		return fmt.Errorf("the result cannot be written: %w", err)
	}
	return nil
}
