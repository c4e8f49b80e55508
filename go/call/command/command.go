// Package command is what hone-call and hone-load share: their arguments, files and errors.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"hone/go/call/connect"
	"hone/go/call/definitions"
	"hone/go/generic"
	"hone/go/idl"
	"hone/go/thrift"
)

// The exit statuses.
const (
	Done   = 0
	Failed = 1
	Misuse = 2
)

// Streams are what a command reads and writes, so that tests can look.
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

// Arguments are those of both commands.
type Arguments struct {
	IDL      string
	Include  List
	Wire     string
	Metadata List
	Timeout  time.Duration
	// Positional are those that are no flags: the address, the function and JSON.
	Positional []string
}

// defaultTimeout is how long a call may take if nothing is said.
const defaultTimeout = 2 * time.Second

// Register adds the flags of both commands.
func (a *Arguments) Register(flags *flag.FlagSet) {
	flags.StringVar(&a.IDL, "idl", "", "the definition of the service: a .thrift or a .proto file")
	flags.Var(&a.Include, "I", "a directory in which files are looked for that others include; may be given several times")
	flags.StringVar(&a.Wire, "wire", "", "how calls are carried: "+strings.Join(connect.Wires(definitions.Thrift), ", ")+"; the first, if nothing is said")
	flags.Var(&a.Metadata, "H", "metadata of the call, as key=value; may be given several times")
	flags.DurationVar(&a.Timeout, "timeout", defaultTimeout, "how long a call may take")
}

// Parse reads flags before, between and behind the arguments that are none. Behind "--" there are none.
//
// # Errors
//
// Those of package flag, which has told of them.
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

// Check finds what is wrong with flags.
func (a *Arguments) Check() error {
	switch {
	case a.IDL == "":
		return errors.New("there is no definition of the service; write --idl FILE.thrift or --idl FILE.proto")
	case a.Timeout <= 0:
		return errors.New("--timeout must be positive; write --timeout 2s")
	}
	for _, one := range a.Metadata {
		if key, _, ok := strings.Cut(one, "="); !ok || key == "" {
			return fmt.Errorf("-H %q is no metadata; write -H key=value", one)
		}
	}
	return nil
}

// Connect are the options of connections.
func (a *Arguments) Connect() connect.Options {
	return connect.Options{Wire: a.Wire, Metadata: a.Metadata}
}

// Load reads the definition, and tells its warnings.
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

// readSource reads a file up to the size that definitions may have.
func readSource(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readLimited(f, idl.MaxSourceBytes)
}

func readLimited(from io.Reader, most int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(from, most+1))
	if err == nil && int64(len(content)) > most {
		return nil, fmt.Errorf("it has more than %d bytes", most)
	}
	return content, err
}

// Target is a call that can be made.
type Target struct {
	Address  string
	Function *definitions.Function
	Args     definitions.Message
}

// mostJSON is how long JSON of a call may be, in bytes.
const mostJSON = 64 << 20

// Target makes a call of the positional arguments: ADDRESS Service.Method [JSON], where JSON may be @FILE, or - for standard input.
func (a *Arguments) Target(s Streams, d *definitions.Definitions) (*Target, error) {
	if n := len(a.Positional); n < 2 || n > 3 {
		return nil, errors.New("write ADDRESS Service.Method '{json}'")
	}
	f, err := d.Function(a.Positional[1])
	if err != nil {
		return nil, err
	}
	if f.IsStream {
		return nil, fmt.Errorf("%s has streams, which cannot be called so; call a function without", f.FullName())
	}
	text := []byte("{}")
	if len(a.Positional) == 3 {
		if text, err = readJSON(s, a.Positional[2]); err != nil {
			return nil, err
		}
	}
	t := &Target{Address: a.Positional[0], Function: f, Args: f.Args()}
	if err := t.Args.UnmarshalJSON(text); err != nil {
		return nil, fmt.Errorf("%w\n--example shows what %s takes", err, f.FullName())
	}
	return t, nil
}

func readJSON(s Streams, argument string) ([]byte, error) {
	if argument == "-" {
		return readLimited(s.In, mostJSON)
	}
	path, isFile := strings.CutPrefix(argument, "@")
	if !isFile {
		return []byte(argument), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readLimited(f, mostJSON)
}

// Exception is the name of the exception of the definition that a result holds, or "".
func Exception(result definitions.Message) string {
	if thrown, ok := result.(interface{ Exception() string }); ok {
		return thrown.Exception()
	}
	return ""
}

// Kind tells errors of calls apart, in a few words.
func Kind(err error) string {
	var thrown *Thrown
	var told *thrift.ApplicationException
	var unreadable *generic.Error
	var number syscall.Errno
	switch {
	case errors.As(err, &thrown):
		return "exception " + thrown.Name
	case errors.As(err, &told):
		return fmt.Sprintf("application exception of type %d: %s", told.Type, shortened(told.Message))
	case errors.As(err, &unreadable):
		return "the answer cannot be read: " + shortened(unreadable.Problem)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "timeout"
	case errors.As(err, &number):
		return number.Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed"
	}
	return shortened(err.Error())
}

// mostShown is how much of a text is shown, in bytes.
const mostShown = 80

func shortened(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if len(text) > mostShown {
		return strings.ToValidUTF8(text[:mostShown], "") + "..."
	}
	return text
}

// Thrown is an exception of the definition, as an error.
type Thrown struct{ Name string }

// Error names it.
func (t *Thrown) Error() string { return "exception " + t.Name }
