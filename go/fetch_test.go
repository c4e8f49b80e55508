//go:build !purego

// Fetching is the same with any tag: one run is enough.

package module

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// modules are the directories of some modules for users: one, one beside it, and one below it that needs both.
var modules = []string{"go", "clients/go", "go/agent"}

// host serves this repository in the tests: Git takes it from a directory instead, so that no network is needed.
const host = "hone.example.test/team/hone.git"

// user is somebody who builds a program of their own with the modules of this repository.
type user struct {
	*testing.T
	// home holds all files that Go keeps for the user; dir is the user's module.
	home, dir   string
	environment []string
}

// newUser serves the repository in its present state, with tags of a release.
func newUser(t *testing.T) *user {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped: there is no git, by which Go fetches modules")
	}
	if _, err := os.Stat("../clients/go/go.mod"); err != nil {
		t.Skip("skipped: only the module is here, and not the repository that serves it")
	}
	u := &user{T: t, home: t.TempDir(), dir: t.TempDir()}
	cache := strings.TrimSpace(u.run(".", "go", "env", "GOCACHE"))
	// Modules of others come from the module cache of this machine; a user's `go mod tidy` also needs the dependencies of their tests.
	for _, module := range modules {
		u.run(filepath.Join("..", module), "go", "list", "-test", "all")
	}
	fetched := filepath.ToSlash(strings.TrimSpace(u.run(".", "go", "env", "GOMODCACHE"))) + "/cache/download"
	settings := []string{
		"HOME=" + u.home, "GOPATH=" + filepath.Join(u.home, "go"), "GOMODCACHE=" + filepath.Join(u.home, "modules"), "GOCACHE=" + cache,
		// These are the settings of a user with their own host: no other host is contacted.
		"GOPRIVATE=hone.example.test", "GOPROXY=file://" + fetched + ",off", "GONOSUMDB=*", "GOFLAGS=-modcacherw -trimpath",
		"GOWORK=off", "GOENV=off",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://" + u.home + "/.insteadOf", "GIT_CONFIG_VALUE_0=https://hone.example.test/",
	}
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		settings = append(settings, "GIT_"+who+"_NAME=a", "GIT_"+who+"_EMAIL=a@example.test", "GIT_"+who+"_DATE=2026-01-01T00:00:00Z")
	}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "GIT_") && !strings.HasPrefix(variable, "GO") {
			u.environment = append(u.environment, variable)
		}
	}
	u.environment = append(u.environment, append(settings, "GOTOOLCHAIN=local")...)
	u.serve(filepath.Join(u.home, "team", "hone.git"))
	return u
}

// serve makes a bare repository of the files in the working tree.
func (u *user) serve(bare string) {
	root, err := filepath.Abs("..")
	if err != nil {
		u.Fatal(err)
	}
	u.run(".", "git", "init", "--quiet", "--bare", "--initial-branch=main", bare)
	git := func(arguments ...string) {
		u.run(root, "git", append([]string{"--git-dir=" + bare, "--work-tree=" + root, "-c", "core.bare=false"}, arguments...)...)
	}
	git("add", "go", "clients/go", "LICENSE")
	git("commit", "--quiet", "--no-gpg-sign", "-m", "a release")
	for _, module := range modules {
		git("tag", module+"/v0.3.0")
	}
}

func (u *user) run(dir, name string, arguments ...string) string {
	u.Helper()
	command := exec.Command(name, arguments...)
	command.Dir, command.Env = dir, u.environment
	text, err := command.CombinedOutput()
	if err != nil {
		u.Fatalf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, text)
	}
	return string(text)
}

func (u *user) do(name string, arguments ...string) string {
	u.Helper()
	return u.run(u.dir, name, arguments...)
}

// write writes a file of the user's module.
func (u *user) write(name, text string) {
	u.Helper()
	if err := os.WriteFile(filepath.Join(u.dir, name), []byte(text), 0o666); err != nil {
		u.Fatal(err)
	}
}

const greeting = `package main

//go:generate go tool hone-thrift gen -o gen hello.thrift

import (
	"fmt"

	"example.test/service/gen/hello"
	agentclient "hone/clients/go"
	"hone/go/agent"
	"hone/go/thrift"
)

func main() {
	read := new(hello.Greeting)
	if err := thrift.Unmarshal(thrift.Marshal(&hello.Greeting{Text: "Hello"}), read); err != nil {
		panic(err)
	}
	client, err := agentclient.New(agentclient.Config{})
	if err != nil {
		panic(err)
	}
	defer client.Close()
	agent.New(client)
	fmt.Print(read.Text)
}
`

// greets generates, builds and runs the user's program.
func (u *user) greets() {
	u.Helper()
	u.do("go", "generate", "./...")
	u.do("go", "mod", "tidy")
	if said := u.do("go", "run", "."); said != "Hello" {
		u.Fatalf("the program says %q", said)
	}
}

// begin writes the user's module, as docs/rpc/go-modules.md says: from returns the place of each module's directory.
func (u *user) begin(from func(directory string) string) {
	u.Helper()
	u.write("go.mod", "module example.test/service\n\ngo 1.24\n")
	u.write("hello.thrift", "struct Greeting { 1: string text }\n")
	u.write("main.go", greeting)
	var edit []string
	for _, module := range modules {
		edit = append(edit, "-require=hone/"+module+"@v0.3.0", "-replace=hone/"+module+"="+from(module))
	}
	u.do("go", append([]string{"mod", "edit"}, edit...)...)
	u.do("go", "get", "-tool", "hone/go/cmd/hone-thrift")
}

// The go command takes the modules with their command from any host that serves the repository, by the tag of a release. It does not need the host
// any more once the modules are in the folder vendor.
func TestAProgramTakesTheModulesFromAHostOfItsOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("builds whole modules")
	}
	u := newUser(t)
	u.begin(func(directory string) string { return host + "/" + directory + "@v0.3.0" })
	u.greets()
	text := u.do("cat", "go.mod")
	sums, err := os.ReadFile(filepath.Join(u.dir, "go.sum"))
	for _, module := range modules {
		if !strings.Contains(text, "hone/"+module+" v0.3.0\n") {
			t.Errorf("go.mod does not require hone/%s v0.3.0:\n%s", module, text)
		}
		if !strings.Contains(string(sums), fmt.Sprintf("%s/%s v0.3.0 h1:", host, module)) {
			t.Errorf("no sum of %s: %v\n%s", module, err, sums)
		}
	}
	u.do("go", "mod", "vendor")
	if err := os.RemoveAll(filepath.Join(u.home, "team")); err != nil {
		t.Fatal(err)
	}
	u.environment = append(u.environment, "GOMODCACHE="+filepath.Join(u.home, "none"))
	if said := u.do("go", "run", "."); said != "Hello" {
		t.Errorf("by vendor the program says %q", said)
	}
	u.do("go", "generate", "./...")
}

// Whoever has a checkout beside their own module needs no host.
func TestAProgramTakesTheModulesFromACheckout(t *testing.T) {
	if testing.Short() {
		t.Skip("builds whole modules")
	}
	u := newUser(t)
	checkout := filepath.Join(u.home, "hone")
	u.do("git", "clone", "--quiet", filepath.Join(u.home, "team", "hone.git"), checkout)
	u.begin(func(directory string) string { return filepath.Join(checkout, directory) })
	u.greets()
}

// A branch or a commit becomes a version by the tag before it.
func TestAProgramTakesTheModulesFromABranch(t *testing.T) {
	if testing.Short() {
		t.Skip("builds whole modules")
	}
	u := newUser(t)
	u.begin(func(directory string) string { return host + "/" + directory + "@main" })
	u.greets()
	if text, err := os.ReadFile(filepath.Join(u.dir, "go.mod")); err != nil || strings.Contains(string(text), "main\n") {
		t.Errorf("%v\n%s", err, text)
	}
}

// A module is called hone/ and its directory; a module that is an example of a user's has a user's name.
func TestModulesAreNamedByTheirDirectories(t *testing.T) {
	if _, err := os.Stat("../clients/go/go.mod"); err != nil {
		t.Skip("skipped: only the module is here, and not the repository around it")
	}
	found := 0
	for _, pattern := range []string{"../*", "../*/*", "../*/*/*", "../*/*/*/*"} {
		files, err := filepath.Glob(filepath.Join(pattern, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			dir := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(file), "../"))
			if strings.HasPrefix(dir, "examples/") || strings.HasPrefix(dir, "target/") {
				continue
			}
			found++
			text, err := os.ReadFile(file)
			if name, _, _ := strings.Cut(string(text), "\n"); err != nil || name != "module hone/"+dir {
				t.Errorf("%s begins with %q, not module hone/%s (%v)", file, name, dir, err)
			}
		}
	}
	if found < 7 {
		t.Errorf("only %d modules", found)
	}
}
