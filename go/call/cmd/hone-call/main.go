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
)

const usage = `usage: hone call ADDRESS Service.Method ['{json}' | @FILE | -] --idl FILE [OPTIONS]
       hone call --list --idl FILE
       hone call Service.Method --example --idl FILE
Calls a function of a service and prints what it gives, as JSON: {"result": ...}, or
{"exception": {"NAME": ...}} for an exception of the definition. ADDRESS is host:port or
unix:///path. Without JSON, the function gets {}. The exit status is 1 if the call failed or
was answered with an exception, 2 if the definition or the arguments are wrong.
`

func main() {
	os.Exit(run(command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, os.Args[1:]))
}

// options are the command's own.
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
	if _, err := o.Connect().IsShared(d.Language); err != nil {
		return misuse(s, err)
	}
	return call(s, o, target)
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

// example prints what the function takes that the last argument names.
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

// call makes the call and prints what it gives.
func call(s command.Streams, o *options, target *command.Target) int {
	ctx, cancel := context.WithTimeout(context.Background(), o.Timeout)
	defer cancel()
	connection, err := connect.Dial(ctx, target.Address, target.Function.Language, o.Connect())
	if err != nil {
		return failed(s, err)
	}
	defer connection.Close()
	result := target.Function.Result()
	if err := connection.Invoke(ctx, target.Function.Method, target.Args, result); err != nil {
		return failed(s, fmt.Errorf("%s: %w", target.Function.FullName(), err))
	}
	if result == nil {
		return command.Done
	}
	text, err := result.MarshalJSON()
	if err != nil {
		return failed(s, fmt.Errorf("%s: %w", target.Function.FullName(), err))
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "", "  "); err != nil {
		return failed(s, err)
	}
	if _, err := fmt.Fprintf(s.Out, "%s\n", &indented); err != nil {
		return failed(s, fmt.Errorf("the result cannot be written: %w", err))
	}
	if command.Exception(result) != "" {
		return command.Failed
	}
	return command.Done
}
