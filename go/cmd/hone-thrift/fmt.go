package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"hone/go/idl"
)

const formatUsage = `usage: hone-thrift fmt [-l] [-w] [-d] [FILE...]
Writes definitions in the canonical layout to the standard output, as gofmt does.
Without files it reads the standard input.
`

type formatOptions struct {
	list, write, diff bool
}

func runFormat(s streams, args []string) int {
	var o formatOptions
	flags := flag.NewFlagSet("fmt", flag.ContinueOnError)
	flags.SetOutput(s.err)
	flags.BoolVar(&o.list, "l", false, "list the files whose layout differs")
	flags.BoolVar(&o.write, "w", false, "write the result back to the file")
	flags.BoolVar(&o.diff, "d", false, "show the difference")
	flags.Usage = func() {
		fmt.Fprint(s.err, formatUsage)
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return usageStatus(err)
	}
	if flags.NArg() == 0 {
		return formatInput(s, o)
	}
	status := 0
	for _, path := range flags.Args() {
		source, err := readSource(path)
		if err != nil {
			fmt.Fprintf(s.err, "hone-thrift: %s cannot be read: %v\n", path, err)
			status = 2
			continue
		}
		if !formatOne(s, o, path, source) {
			status = 2
		}
	}
	return status
}

func usageStatus(err error) int {
	if err == flag.ErrHelp {
		return 0
	}
	return 2
}

func formatInput(s streams, o formatOptions) int {
	if o.write {
		fmt.Fprintln(s.err, "hone-thrift: -w needs files; name them, or leave -w away")
		return 2
	}
	source, err := readLimited(s.in)
	if err != nil {
		fmt.Fprintf(s.err, "hone-thrift: the standard input cannot be read: %v\n", err)
		return 2
	}
	if !formatOne(s, o, "<standard input>", source) {
		return 2
	}
	return 0
}

// formatOne formats one source, and lists, compares, writes or prints the result as the options say.
func formatOne(s streams, o formatOptions, path string, source []byte) bool {
	result, problems := idl.Format(source)
	if problems.HasErrors() {
		for i := range problems {
			problems[i].Path = path
		}
		tell(s.err, problems, false)
		return false
	}
	changed := !bytes.Equal(source, result)
	if changed && o.list {
		fmt.Fprintln(s.out, path)
	}
	if changed && o.diff {
		fmt.Fprint(s.out, unifiedDiff(path, string(source), string(result)))
	}
	if changed && o.write {
		if err := replaceFile(path, result); err != nil {
			fmt.Fprintf(s.err, "hone-thrift: %s cannot be written: %v\n", path, err)
			return false
		}
	}
	if !o.list && !o.diff && !o.write {
		s.out.Write(result)
	}
	return true
}

// replaceFile writes a new file beside the old one and renames it, so that a full disk never leaves half a file.
func replaceFile(path string, content []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".hone-thrift-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(content)
	if chmodErr := f.Chmod(info.Mode().Perm()); err == nil {
		err = chmodErr
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
