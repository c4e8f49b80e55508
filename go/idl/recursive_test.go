package idl

import (
	"fmt"
	"math/rand"
	"os"
	"testing"
)

// In random graphs of structs, the recursive structs are those to which a walk from their own fields returns.
func TestRecursiveStructsAreThoseThatReachThemselves(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 200 {
		count := 1 + random.Intn(9)
		reaches := make([][]bool, count)
		source := ""
		for i := range count {
			reaches[i] = make([]bool, count)
			source += fmt.Sprintf("struct S%d {\n", i)
			for id := range random.Intn(3) {
				to := random.Intn(count)
				reaches[i][to] = true
				source += fmt.Sprintf("  %d: list<S%d> f%d\n", id+1, to, id)
			}
			source += "}\n"
		}
		for via := range count {
			for from := range count {
				for to := range count {
					reaches[from][to] = reaches[from][to] || reaches[from][via] && reaches[via][to]
				}
			}
		}
		read := func(path string) ([]byte, error) {
			if path != "main.thrift" {
				return nil, os.ErrNotExist
			}
			return []byte(source), nil
		}
		program, problems := Load("main.thrift", read, nil)
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		recursive := program.RecursiveStructs()
		for i, definition := range program.Root.Definitions {
			if got := recursive[definition.(*Struct)]; got != reaches[i][i] {
				t.Fatalf("S%d: %v in\n%s", i, got, source)
			}
		}
	}
}
