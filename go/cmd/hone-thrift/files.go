package main

import (
	"fmt"
	"io"
	"os"

	"hone/go/idl"
)

// readSource reads a file, up to the size that the parser accepts.
func readSource(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readLimited(f)
}

func readLimited(r io.Reader) ([]byte, error) {
	source, err := io.ReadAll(io.LimitReader(r, idl.MaxSourceBytes+1))
	if err == nil && len(source) > idl.MaxSourceBytes {
		return nil, fmt.Errorf("it has more than %d bytes, split it", idl.MaxSourceBytes)
	}
	return source, err
}

// directories is the value of a flag that may be given several times.
type directories []string

func (d *directories) String() string { return fmt.Sprint(*d) }
func (d *directories) Set(dir string) error {
	*d = append(*d, dir)
	return nil
}

// tell writes problems: errors always, and warnings if they are wanted.
func tell(w io.Writer, problems idl.Problems, warnings bool) {
	for _, p := range problems {
		if warnings || p.Severity == idl.Error {
			fmt.Fprintln(w, p)
		}
	}
}
