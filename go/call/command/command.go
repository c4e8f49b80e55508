// Package command is the common part of hone-call and hone-load: their arguments, files and errors.
package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"hone/go/call/connect"
	"hone/go/call/definitions"
	"hone/go/idl"
	"hone/go/rpc"
)

// The exit statuses.
const (
	Done   = 0
	Failed = 1
	Misuse = 2
)

// Streams are the input and the outputs of a command, which tests can replace.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// List is a flag that may be given several times.
type List []string

func (l *List) String() string { return fmt.Sprint(*l) }

// Set implements [flag.Value].
func (l *List) Set(one string) error {
	*l = append(*l, one)
	return nil
}

// Arguments are the arguments of both commands.
type Arguments struct {
	IDL      string
	Include  List
	Wire     string
	Metadata List
	Timeout  time.Duration
	TLS      TLS
	// Positional are the arguments that are not flags: the address, the function and JSON.
	Positional []string
}

// defaultTimeout is the default time limit of a call.
const defaultTimeout = 2 * time.Second

// Register adds the flags of both commands.
func (a *Arguments) Register(flags *flag.FlagSet) {
	flags.StringVar(&a.IDL, "idl", "", "the definition of the service: a .thrift or a .proto file")
	flags.Var(&a.Include, "I", "a directory in which files are looked for that others include; may be given several times")
	thrift, protobuf := connect.Wires(definitions.Thrift), connect.Wires(definitions.Protobuf)
	flags.StringVar(&a.Wire, "wire", "", fmt.Sprintf("how calls are carried: of Thrift %s; of protobuf %s; the first, if nothing is said",
		strings.Join(thrift, ", "), strings.Join(protobuf, ", ")))
	flags.Var(&a.Metadata, "H", "metadata of the call, as key=value; may be given several times")
	a.TLS.register(flags)
	flags.DurationVar(&a.Timeout, "timeout", defaultTimeout, "how long a call may take")
}

// Parse reads flags before, between and after the positional arguments. All arguments after "--" are positional.
//
// # Errors
//
// The errors of package flag, which has already printed them.
func (a *Arguments) Parse(flags *flag.FlagSet, args []string) error {
	for {
		if err := flags.Parse(args); err != nil {
			return err
		}
		rest := flags.Args()
		if parsed := len(args) - len(rest); parsed > 0 && args[parsed-1] == "--" {
			a.Positional = append(a.Positional, rest...)
			return nil
		}
		if len(rest) == 0 {
			return nil
		}
		a.Positional, args = append(a.Positional, rest[0]), rest[1:]
	}
}

// nameBytes are the bytes that keys of metadata may have, in lower case (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).
const nameBytes = "abcdefghijklmnopqrstuvwxyz0123456789-_."

// Check returns an error for wrong flags.
func (a *Arguments) Check() error {
	switch {
	case a.IDL == "":
		return errors.New("there is no definition of the service; write --idl FILE.thrift or --idl FILE.proto")
	case a.Timeout <= 0:
		return errors.New("--timeout must be positive; write --timeout 2s")
	}
	for _, one := range a.Metadata {
		key, _, isPair := strings.Cut(one, "=")
		if !isPair || key == "" {
			return fmt.Errorf("-H %q is no metadata; write -H key=value", one)
		}
		if strings.Trim(strings.ToLower(key), nameBytes) != "" {
			return fmt.Errorf("-H %q has a key that wires do not carry; write letters, digits, -, _ and . in it", one)
		}
	}
	return nil
}

// Connect returns the options of connections.
//
// # Errors
//
// The errors of certificate files.
func (a *Arguments) Connect() (connect.Options, error) {
	o := connect.Options{Wire: a.Wire}
	for _, one := range a.Metadata {
		name, value, _ := strings.Cut(one, "=")
		o.Metadata = append(o.Metadata, rpc.Pair{Name: name, Value: value})
	}
	var err error
	o.TLS, err = a.TLS.config()
	return o, err
}

// Load reads the definition, and prints its warnings.
func (a *Arguments) Load(s Streams) (*definitions.Definitions, error) {
	d, err := definitions.Load(a.IDL, readSource, a.Include)
	if err != nil {
		return nil, err
	}
	for _, warning := range d.Warnings {
		fmt.Fprintln(s.Err, warning)
	}
	return d, nil
}

// readSource reads a file up to the largest size of a definition.
func readSource(path string) ([]byte, error) { return readFile(path, idl.MaxSourceBytes) }

func readFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readLimited(f, most)
}

func readLimited(from io.Reader, most int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(from, most+1))
	if err == nil && int64(len(content)) > most {
		return nil, fmt.Errorf("it has more than %d bytes", most)
	}
	return content, err
}

// Target is a call to make.
type Target struct {
	Address  string
	Function *definitions.Function
	// Args is the argument of the function; nil if the function takes a stream.
	Args definitions.Message
	// Requests returns one request after the other, and io.EOF after the last.
	Requests func() (definitions.Message, error)
}

// mostJSON is the largest size of a message's JSON, in bytes.
const mostJSON = 64 << 20

// Target returns the call of the positional arguments: ADDRESS Service.Method [JSON], where JSON may be @FILE, or - for standard input. For a
// function with a stream of requests, JSON holds any number of requests; those of standard input are read one by one.
func (a *Arguments) Target(s Streams, d *definitions.Definitions) (*Target, error) {
	if n := len(a.Positional); n < 2 || n > 3 {
		return nil, errors.New("write ADDRESS Service.Method '{json}'")
	}
	f, err := d.Function(a.Positional[1])
	if err != nil {
		return nil, err
	}
	t := &Target{Address: a.Positional[0], Function: f}
	argument := "{}"
	if len(a.Positional) == 3 {
		argument = a.Positional[2]
	}
	if f.TakesStream {
		t.Requests, err = requests(s, f, argument)
		return t, err
	}
	text, err := readJSON(s, argument)
	if err != nil {
		return nil, err
	}
	if t.Args, err = message(f, text); err != nil {
		return nil, err
	}
	t.Requests = once(t.Args)
	return t, nil
}

// message returns a function's argument with the content of JSON.
func message(f *definitions.Function, text []byte) (definitions.Message, error) {
	made := f.Args()
	if err := made.UnmarshalJSON(text); err != nil {
		return nil, fmt.Errorf("%w\n--example shows what %s takes", err, f.FullName())
	}
	return made, nil
}

// once returns a function that returns a message once, and then io.EOF.
func once(only definitions.Message) func() (definitions.Message, error) {
	return func() (definitions.Message, error) {
		if only == nil {
			return nil, io.EOF
		}
		given := only
		only = nil
		return given, nil
	}
}

func readJSON(s Streams, argument string) ([]byte, error) {
	if argument == "-" {
		return readLimited(s.In, mostJSON)
	}
	path, isFile := strings.CutPrefix(argument, "@")
	if !isFile {
		return []byte(argument), nil
	}
	return readFile(path, mostJSON)
}

// Exception returns the name of the exception of the definition that a result holds, or "".
func Exception(result definitions.Message) string {
	if thrown, ok := result.(interface{ Exception() string }); ok {
		return thrown.Exception()
	}
	return ""
}
