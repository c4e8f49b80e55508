package tune

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

const (
	// maxFileBytes is the largest size of a kernel file. The longest, mountinfo, has a line of some hundred bytes for each mount.
	maxFileBytes = 4 << 20
	// maxGroups is the largest number of groups that are read, from the process' own upwards.
	maxGroups = 64
)

// files reads files of the host, or of another file system in tests.
type files struct{ root fs.FS }

// text reads a whole file. Names have no slash at their front, as in package fs.
func (f files) text(name string) (string, error) {
	file, err := f.root.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	if err == nil && len(text) > maxFileBytes {
		err = fmt.Errorf("/%s is longer than %d bytes, which no file of control groups is; look what is mounted there", name, maxFileBytes)
	}
	return string(text), err
}

// isAbsent reports whether an error means that a file does not exist. The root of a tree has no limits, and hosts without Linux have no files.
func isAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// groups are the control groups that a controller holds this process in: its own group and the groups above it that are mounted. A group's limit
// holds for all groups below it.
type groups struct {
	isV2 bool
	// dirs are the directories of the groups, that of the process' own group first.
	dirs []string
}

// groupFinder finds the groups of one controller. It reads the membership anew each time, since a process may be moved to another group; mounts are
// read only after a move.
type groupFinder struct {
	files      files
	controller string
	membership string // the content of /proc/self/cgroup that found belongs to
	found      groups
}

func (f *groupFinder) groups() (groups, error) {
	if f.files.root == nil {
		return groups{}, nil
	}
	membership, err := f.files.text("proc/self/cgroup")
	if err != nil || membership == f.membership {
		return f.found, err
	}
	mounts, err := f.files.text("proc/self/mountinfo")
	if err != nil {
		return groups{}, err
	}
	if f.found, err = findGroups(f.controller, membership, mounts); err != nil {
		return groups{}, err
	}
	f.membership = membership
	return f.found, nil
}

// findGroups finds the groups of a controller by the contents of /proc/self/cgroup and /proc/self/mountinfo (cgroups(7), proc(5)). A controller
// belongs to a tree of version 1 if that tree is mounted with the controller, else to the one tree of version 2. Without a tree there are no groups.
func findGroups(controller, membership, mounts string) (groups, error) {
	own, isV2, isIn := memberOf(controller, membership)
	if !isIn {
		return groups{}, nil
	}
	mountedElsewhere := false
	for line := range strings.Lines(mounts) {
		root, point, ok := mountOf(line, controller, isV2)
		if !ok {
			continue
		}
		if below, isBelow := cutDir(own, root); isBelow {
			return groups{isV2, upwards(point, below)}, nil
		}
		mountedElsewhere = true
	}
	if mountedElsewhere {
		return groups{}, fmt.Errorf("no mount shows the control group %s of controller %s; mount its tree into this container", own, controller)
	}
	return groups{}, nil
}

// memberOf returns the path of this process' group in the tree of a controller.
func memberOf(controller, membership string) (own string, isV2, isIn bool) {
	for line := range strings.Lines(membership) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		switch {
		case len(fields) < 3 || !strings.HasPrefix(fields[2], "/"):
		case fields[0] == "0" && fields[1] == "":
			own, isV2, isIn = fields[2], true, true
		case hasWord(fields[1], controller):
			return fields[2], false, true
		}
	}
	return own, isV2, isIn
}

// mountOf reads a line of mountinfo that describes a tree with a controller: root is the mounted directory of the tree, point is the mount point. ok
// is false for other lines.
func mountOf(line, controller string, isV2 bool) (root, point string, ok bool) {
	before, after, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " - ")
	left, right := strings.Fields(before), strings.Fields(after)
	if !ok || len(left) < 5 || len(right) < 3 {
		return "", "", false
	}
	if isV2 {
		ok = right[0] == "cgroup2"
	} else {
		ok = right[0] == "cgroup" && hasWord(right[2], controller)
	}
	return unescape(left[3]), unescape(left[4]), ok
}

// hasWord reports whether a word is in a comma-separated list.
func hasWord(list, word string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one == word {
			return true
		}
	}
	return false
}

// unescape replaces the octal escapes that mountinfo writes for spaces, tabs, newlines and backslashes.
func unescape(text string) string {
	var plain strings.Builder
	for {
		before, after, isFound := strings.Cut(text, `\`)
		plain.WriteString(before)
		if !isFound {
			return plain.String()
		}
		if code, err := strconv.ParseUint(after[:min(3, len(after))], 8, 8); err == nil && len(after) >= 3 {
			plain.WriteByte(byte(code))
			text = after[3:]
		} else {
			plain.WriteByte('\\')
			text = after
		}
	}
}

// cutDir removes a directory from the front of a path. ok is false if the path is not below the directory.
func cutDir(name, dir string) (below string, ok bool) {
	if strings.HasPrefix(name, "/..") {
		// The group is outside the namespace of this process.
		return "", false
	}
	if dir == "/" {
		return name, true
	}
	below, ok = strings.CutPrefix(name, dir)
	return below, ok && (below == "" || below[0] == '/')
}

// upwards lists the directory of a group and those above it, to the point where its tree is mounted.
func upwards(point, below string) []string {
	point, below = path.Join("/", point), path.Join("/", below)
	var dirs []string
	for len(dirs) < maxGroups {
		dirs = append(dirs, strings.TrimPrefix(path.Join(point, below), "/"))
		if below == "/" {
			break
		}
		below = path.Dir(below)
	}
	return dirs
}

// number returns the number in a file that holds nothing else, or noNumber for "max" and for -1.
func (f files) number(name string) (uint64, error) {
	text, err := f.text(name)
	if err != nil {
		return 0, err
	}
	number, err := parseNumber(strings.TrimSpace(text))
	if err != nil {
		return 0, fmt.Errorf("/%s: %w", name, err)
	}
	return number, nil
}

// noNumber means "no limit".
const noNumber = 1<<64 - 1

func parseNumber(text string) (uint64, error) {
	if text == "max" || text == "-1" {
		return noNumber, nil
	}
	number, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%.40q is no number", text)
	}
	return number, nil
}

// keyed reads lines "key number" and returns the numbers of the given keys; missing and malformed ones are 0.
func (f files) keyed(name string, keys ...string) ([]uint64, error) {
	text, err := f.text(name)
	if err != nil {
		return nil, err
	}
	numbers := make([]uint64, len(keys))
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		for i := range keys {
			if key == keys[i] {
				numbers[i], _ = strconv.ParseUint(value, 10, 64)
			}
		}
	}
	return numbers, nil
}
