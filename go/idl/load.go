package idl

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Program is a file with all files that it includes. Its names are resolved.
type Program struct {
	Root *File
	// Files holds every file once, each after the files that it includes; the root is last.
	Files []*File
}

// Load reads root and the files that it includes, resolves all names and checks the whole. It calls read with paths that follow
// from root and includeDirs. It looks for an include next to the including file first, then in includeDirs. It returns a program
// even if there are problems; generate nothing from a program where [Problems.HasErrors] is true.
func Load(root string, read func(path string) ([]byte, error), includeDirs []string) (*Program, Problems) {
	l := &loader{read: read, dirs: includeDirs, loaded: map[string]*unit{}, program: &Program{}}
	source, err := read(root)
	if err != nil {
		return l.program, Problems{{Error, root, Position{}, "the file cannot be read: " + err.Error(), "check its path"}}
	}
	l.program.Root = l.file(clean(root), step{path: root}, source).file
	for _, u := range l.units {
		r := &resolver{file: u.file, report: u.report}
		r.includes()
		r.define()
	}
	resolvers := make([]*resolver, len(l.units))
	for i, u := range l.units {
		resolvers[i] = &resolver{file: u.file, report: u.report}
		resolvers[i].types()
	}
	for _, r := range resolvers {
		r.values()
	}
	for _, r := range resolvers {
		(&checker{resolver: *r}).check()
	}
	var problems Problems
	for _, u := range l.units {
		problems = append(problems, u.report.inOrder()...)
	}
	return l.program, problems
}

// unit is a file while it is being loaded.
type unit struct {
	file   *File
	report *reporter
	// open is true while the file's includes are being read.
	open bool
}

type loader struct {
	read    func(path string) ([]byte, error)
	dirs    []string
	loaded  map[string]*unit
	units   []*unit
	trail   []step
	program *Program
}

// step is a file whose includes are being read, and the include that led to it; for the root that is nowhere.
type step struct {
	path string
	from Position
}

func clean(p string) string { return path.Clean(strings.ReplaceAll(p, "\\", "/")) }

// file parses one source and then its includes, depth first.
func (l *loader) file(key string, shown step, source []byte) *unit {
	file, problems := Parse(shown.path, source)
	u := &unit{file: file, report: &reporter{path: shown.path, problems: problems}, open: true}
	l.loaded[key] = u
	l.trail = append(l.trail, shown)
	for _, include := range file.Includes {
		l.include(u, key, include)
	}
	l.trail = l.trail[:len(l.trail)-1]
	u.open = false
	l.units = append(l.units, u)
	l.program.Files = append(l.program.Files, file)
	return u
}

func (l *loader) include(from *unit, key string, include *Include) {
	if len(l.loaded) >= MaxFiles {
		from.report.errorf(include.Position, "split the program", "more than %d files are included", MaxFiles)
		return
	}
	var tried []string
	for _, candidate := range l.candidates(key, include.Path) {
		known := l.loaded[candidate]
		if known == nil {
			source, err := l.read(candidate)
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) {
					candidate += ", which cannot be read: " + err.Error()
				}
				tried = append(tried, candidate)
				continue
			}
			known = l.file(candidate, step{candidate, include.Position}, source)
		} else if known.open {
			from.report.errorf(include.Position, "move what both need into a third file",
				"the includes go in a circle: %s", l.circle(known, include))
			return
		}
		include.File = known.file
		return
	}
	from.report.errorf(include.Position, "correct the path, or name the directory with -I",
		"the included file %q was not found (looked at %s)", include.Path, strings.Join(tried, ", "))
}

func (l *loader) candidates(from, included string) []string {
	included = strings.ReplaceAll(included, "\\", "/")
	if path.IsAbs(included) {
		return []string{clean(included)}
	}
	all := []string{clean(path.Join(path.Dir(from), included))}
	for _, dir := range l.dirs {
		all = append(all, clean(path.Join(clean(dir), included)))
	}
	return all
}

// circle names the files of a circle with the line of each include. It leaves some of many out.
func (l *loader) circle(known *unit, include *Include) string {
	var steps []string
	for i, step := range l.trail {
		if len(steps) == 0 && step.path != known.file.Path {
			continue
		}
		line := include.Line
		if i+1 < len(l.trail) {
			line = l.trail[i+1].from.Line
		}
		steps = append(steps, fmt.Sprintf("%s:%d", step.path, line))
	}
	if len(steps) > 8 {
		// The last step is the place where the problem is reported.
		steps = append(steps[:6], "...", steps[len(steps)-1])
	}
	return strings.Join(append(steps, known.file.Path), " -> ")
}
