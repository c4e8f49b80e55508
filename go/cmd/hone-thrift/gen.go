package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"hone/go/gen"
	"hone/go/idl"
)

const genUsage = `usage: hone-thrift gen [-I DIR] [-o DIR] [-prefix PATH] [OPTIONS] FILE...
Writes Go for definitions: a package for each namespace, in a directory of its name below -o.
Works in "//go:generate hone-thrift gen -o gen -prefix example.com/service/gen api.thrift".
`

type genOptions struct {
	include directories
	out     string
	recurse bool
	files   []string
	gen.Options
}

func runGen(s streams, args []string) int {
	o, status := genArguments(s, args)
	if o == nil {
		return status
	}
	// Files are written only if the code of all files could be generated.
	outputs, ok := generateAll(s, o)
	if !ok {
		return 2
	}
	for _, output := range outputs {
		if err := writeOutput(o.out, output); err != nil {
			fmt.Fprintf(s.err, "hone-thrift: %v\n", err)
			return 2
		}
	}
	return 0
}

func genArguments(s streams, args []string) (*genOptions, int) {
	o := &genOptions{}
	flags := flag.NewFlagSet("gen", flag.ContinueOnError)
	flags.SetOutput(s.err)
	flags.Var(&o.include, "I", "a directory in which includes are looked for; may be given several times")
	flags.StringVar(&o.out, "o", ".", "the directory that packages are written to")
	flags.StringVar(&o.Prefix, "prefix", "", "the import path of that directory; as its go.mod has it, if nothing is said")
	flags.StringVar(&o.Runtime, "runtime", gen.DefaultRuntime, "the import path of package thrift")
	flags.BoolVar(&o.recurse, "r", false, "write included files too")
	flags.Var(&o.Names, "names", "how names are made: thriftgo (as if nothing is said), golint or apache, with \",ignore_initialisms\" and \",compatible_names\", or kitex, as Kitex's tool makes them")
	flags.Var(&o.JSON, "json-names", "names in the tag json: snake (user_id) or lower-camel (userId), not as in the definitions")
	flags.BoolVar(&o.Setters, "setters", false, "SetX for each field")
	flags.BoolVar(&o.DeepEqual, "deep-equal", false, "DeepEqual for each struct")
	flags.BoolVar(&o.DeepCopy, "deep-copy", false, "DeepCopy for each struct")
	flags.BoolVar(&o.KeepUnknown, "keep-unknown", false, "keep fields that the definition does not have, and write them again")
	flags.BoolVar(&o.Values, "values", false, "structs instead of pointers to structs in containers")
	flags.BoolVar(&o.FastCodec, "fast-codec", false, "the methods that Kitex calls; code of its tool also wants -names kitex")
	flags.Var(&o.Apache, "apache", "the methods Read and Write that Apache's module calls: 0.13 for those up to 0.13, 0.14 for those since")
	flags.StringVar(&o.ApacheModule, "apache-import", gen.DefaultApache, "the import path of Apache's package thrift")
	flags.Usage = func() {
		fmt.Fprint(s.err, genUsage)
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return nil, usageStatus(err)
	}
	if flags.NArg() == 0 {
		fmt.Fprint(s.err, "hone-thrift: gen needs at least one file\n", genUsage)
		return nil, 2
	}
	o.files = flags.Args()
	if o.Prefix == "" {
		o.Prefix = importPathOf(o.out)
	}
	return o, 0
}

func generateAll(s streams, o *genOptions) ([]gen.Output, bool) {
	var outputs []gen.Output
	written := map[string]gen.Output{}
	isRight := true
	for _, path := range o.files {
		program, problems := idl.Load(path, readSource, o.include)
		tell(s.err, problems, true)
		if problems.HasErrors() {
			isRight = false
			continue
		}
		files := []*idl.File{program.Root}
		if o.recurse {
			files = program.Files
		}
		some, err := gen.Generate(program, o.Options, files...)
		if err != nil {
			fmt.Fprintf(s.err, "hone-thrift: %v\n", err)
			isRight = false
		}
		for _, output := range some {
			// On some systems, names that differ only in case name the same file.
			key := strings.ToLower(output.Path)
			before, isThere := written[key]
			switch {
			case !isThere:
				written[key] = output
				outputs = append(outputs, output)
			case before.Path != output.Path:
				fmt.Fprintf(s.err, "hone-thrift: two definitions would be written to %s and %s, which differ only in case: give both one namespace, or rename one of the files\n",
					before.Path, output.Path)
				isRight = false
			case !bytes.Equal(before.Source, output.Source):
				fmt.Fprintf(s.err, "hone-thrift: two definitions would be written to %s: rename one of the files, or give it another namespace\n", output.Path)
				isRight = false
			}
		}
	}
	// The packages of one program import each other in no circle, but those of two programs together may.
	if err := gen.CheckImports(outputs); err != nil {
		fmt.Fprintf(s.err, "hone-thrift: %v\n", err)
		isRight = false
	}
	return outputs, isRight
}

// writeOutput writes a file unless it already has the right content, so that nothing is built again for it.
func writeOutput(directory string, output gen.Output) error {
	path := filepath.Join(directory, filepath.FromSlash(output.Path))
	if before, err := os.ReadFile(path); err == nil && bytes.Equal(before, output.Source) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if _, err := os.Stat(path); err == nil {
		return replaceFile(path, output.Source)
	}
	// If writing a new file fails, the half-written file must not stay.
	err := os.WriteFile(path, output.Source, 0o666)
	if err != nil {
		os.Remove(path)
	}
	return err
}
