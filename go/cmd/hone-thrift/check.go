package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"

	"hone/go/idl"
)

const checkUsage = `usage: hone-thrift check [-I DIR] [-json] [--allow source] OLD NEW
Tells every change between two versions of a file with its includes: what breaks
the wire (programs of both versions misread each other), what breaks source code,
and what is safe. The exit status is 1 if something breaks, 2 if a file has errors.
`

type checkOptions struct {
	include     directories
	json        bool
	allowSource bool
	old, new    string
}

func runCheck(s streams, args []string) int {
	o, status := checkArguments(s, args)
	if o == nil {
		return status
	}
	before, ok := loadVersion(s, o.old, o.include)
	after, alsoOK := loadVersion(s, o.new, o.include)
	if !ok || !alsoOK {
		return 2
	}
	changes := idl.Compare(before, after)
	broken := countBreaking(changes, o.allowSource)
	if o.json {
		tellJSON(s, changes, broken)
	} else {
		tellChanges(s, changes, broken)
	}
	if broken > 0 {
		return 1
	}
	return 0
}

func checkArguments(s streams, args []string) (*checkOptions, int) {
	o := &checkOptions{}
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	flags.SetOutput(s.err)
	flags.Var(&o.include, "I", "a directory in which includes are looked for; may be given several times")
	flags.BoolVar(&o.json, "json", false, "write JSON")
	allow := flags.String("allow", "", "\"source\": changes that break only source code do not count")
	flags.Usage = func() {
		fmt.Fprint(s.err, checkUsage)
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return nil, usageStatus(err)
	}
	if *allow != "" && *allow != "source" {
		fmt.Fprintf(s.err, "hone-thrift: --allow knows only \"source\", not %q\n", *allow)
		return nil, 2
	}
	if flags.NArg() != 2 {
		fmt.Fprint(s.err, "hone-thrift: check needs two files, the old one and the new one\n", checkUsage)
		return nil, 2
	}
	o.allowSource, o.old, o.new = *allow == "source", flags.Arg(0), flags.Arg(1)
	return o, 0
}

func loadVersion(s streams, path string, include []string) (*idl.Program, bool) {
	program, problems := idl.Load(path, readSource, include)
	tell(s.err, problems, false)
	return program, !problems.HasErrors()
}

func countBreaking(changes []idl.Change, allowSource bool) int {
	n := 0
	for _, c := range changes {
		if c.Effect == idl.BreaksWire || c.Effect == idl.BreaksSource && !allowSource {
			n++
		}
	}
	return n
}

func tellJSON(s streams, changes []idl.Change, broken int) {
	if changes == nil {
		changes = []idl.Change{}
	}
	encoder := json.NewEncoder(s.out)
	encoder.SetIndent("", "  ")
	encoder.Encode(struct {
		Breaking int          `json:"breaking"`
		Changes  []idl.Change `json:"changes"`
	}{broken, changes})
}

func tellChanges(s streams, changes []idl.Change, broken int) {
	for _, c := range changes {
		fmt.Fprintln(s.out, c)
	}
	switch {
	case len(changes) == 0:
		fmt.Fprintln(s.out, "nothing changed")
	case broken == 0:
		fmt.Fprintf(s.out, "%s, none breaks\n", counted(len(changes), "change"))
	default:
		fmt.Fprintf(s.out, "%s, %d of them breaking\n", counted(len(changes), "change"), broken)
	}
}

func counted(n int, what string) string {
	return strings.TrimSuffix(fmt.Sprintf("%d %ss", n, what), map[bool]string{true: "s", false: ""}[n == 1])
}
