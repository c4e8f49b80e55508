package tune

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// roleVariable makes this test's program a child that plays a role, with a number.
const roleVariable = "HONE_TUNE_ROLE"

func TestMain(m *testing.M) {
	role, number, _ := strings.Cut(os.Getenv(roleVariable), " ")
	if role == "" {
		os.Exit(m.Run())
	}
	// The parent closes the standard input when the child is in its control group.
	fmt.Scanln()
	var told any
	switch limit, _ := strconv.ParseUint(number, 10, 64); role {
	case "sawtooth":
		told = sawtooth(limit)
	case "quota":
		told = underAQuota()
	}
	json.NewEncoder(os.Stdout).Encode(told)
}

// group is a control group for children.
type group struct {
	dir  string
	isV2 bool
}

// newGroup makes a group at the top of a controller's tree, where groups of version 2 may have processes beside them.
func newGroup(t *testing.T, controller string) group {
	t.Helper()
	finder := groupFinder{files: hostFiles(), controller: controller}
	found, err := finder.groups()
	if err != nil || len(found.dirs) == 0 {
		t.Skipf("skipped: no control groups of %s are here: %v", controller, err)
	}
	return group{filepath.Join("/", found.dirs[len(found.dirs)-1]), found.isV2}.below(t, fmt.Sprintf("hone-tune-%d", os.Getpid()))
}

// below makes a group below a group.
func (g group) below(t *testing.T, name string) group {
	t.Helper()
	dir := filepath.Join(g.dir, name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skip("skipped: no control group can be made: ", err)
	}
	t.Cleanup(func() {
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	})
	return group{dir, g.isV2}
}

// set writes a limit into the file of the group's version.
func (g group) set(t *testing.T, v2, v1, value string) {
	t.Helper()
	name := v1
	if g.isV2 {
		name = v2
	}
	if err := os.WriteFile(filepath.Join(g.dir, name), []byte(value), 0o644); err != nil {
		t.Skip("skipped: a control group takes no limit: ", err)
	}
}

// child runs a role in a child process in a control group, unless group is empty, and decodes the child's report into told. The child ends with its
// parent.
func child(t *testing.T, group, role string, told any, environment ...string) error {
	t.Helper()
	// The kernel ends a child with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(append(os.Environ(), "GOGC=", "GOMEMLIMIT=", "GOMAXPROCS=", roleVariable+"="+role), environment...)
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var stdout, stderr strings.Builder
	command.Stdout, command.Stderr = &stdout, &stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	if group != "" {
		if err := os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(strconv.Itoa(command.Process.Pid)), 0o644); err != nil {
			command.Process.Kill()
			command.Wait()
			t.Skip("skipped: a child cannot be put into its control group: ", err)
		}
	}
	stdin.Close()
	if err := command.Wait(); err != nil {
		return fmt.Errorf("%w: %s", err, stderr.String())
	}
	if err := json.Unmarshal([]byte(stdout.String()), told); err != nil {
		t.Fatalf("%v in %q", err, stdout.String())
	}
	return nil
}
