// Command hone-thrift works on Thrift's interface definitions: it generates Go code from them, formats them, and finds changes that break deployed
// programs.
package main

import (
	"fmt"
	"io"
	"os"
)

// command is one subcommand. run gets the arguments after the subcommand's name and returns the exit status: 0 for success, 1 if something was found,
// 2 for wrong use or a file that cannot be used.
type command struct {
	name    string
	summary string
	run     func(s streams, args []string) int
}

// streams are the input and the outputs of a command. Tests replace them.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// commands has all subcommands. To add one, add a line here and a file with its code.
var commands = []command{
	{"gen", "write Go for definitions", runGen},
	{"fmt", "write definitions in the canonical layout", runFormat},
	{"check", "tell what changed between two versions, and what it breaks", runCheck},
}

func main() {
	os.Exit(run(streams{os.Stdin, os.Stdout, os.Stderr}, os.Args[1:]))
}

func run(s streams, args []string) int {
	if len(args) == 0 {
		usage(s.err)
		return 2
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		usage(s.out)
		return 0
	}
	for _, c := range commands {
		if c.name == args[0] {
			return runWhole(c, s, args[1:])
		}
	}
	fmt.Fprintf(s.err, "hone-thrift: there is no command %q\n", args[0])
	usage(s.err)
	return 2
}

// runWhole runs a command. If not all of the output could be written, the command has failed: a full disk must not look like success.
func runWhole(c command, s streams, args []string) int {
	out := &watchedWriter{to: s.out}
	s.out = out
	status := c.run(s, args)
	if out.failed != nil {
		fmt.Fprintf(s.err, "hone-thrift: the output cannot be written: %v\n", out.failed)
		return 2
	}
	return status
}

// watchedWriter remembers the first error of its writes.
type watchedWriter struct {
	to     io.Writer
	failed error
}

func (w *watchedWriter) Write(b []byte) (int, error) {
	if w.failed != nil {
		return 0, w.failed
	}
	n, err := w.to.Write(b)
	w.failed = err
	return n, err
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: hone-thrift COMMAND [OPTIONS] ...")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-8s %s\n", c.name, c.summary)
	}
	fmt.Fprintln(w, "hone-thrift COMMAND -h tells its options.")
}
