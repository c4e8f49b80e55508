package module

import (
	"os/exec"
	"strings"
	"testing"
)

// systems are the systems that the module compiles for.
var systems = []string{"linux/amd64", "linux/arm64", "linux/386", "linux/riscv64", "linux/s390x", "darwin/arm64", "freebsd/amd64", "windows/amd64"}

func TestTheModuleCompilesForAllSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("builds whole modules")
	}
	for _, system := range systems {
		for _, tags := range []string{"", "purego"} {
			t.Run(system+"/"+tags, func(t *testing.T) {
				os, processor, _ := strings.Cut(system, "/")
				command := exec.Command("go", "build", "-tags", tags, "./...")
				command.Env = append(command.Environ(), "GOOS="+os, "GOARCH="+processor, "CGO_ENABLED=0")
				if said, err := command.CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, said)
				}
			})
		}
	}
}
