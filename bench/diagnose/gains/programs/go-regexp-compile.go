// planted: a regular expression is compiled for each line
// causes: regular expression|regexp
// build: go
package main

import (
	"fmt"
	"regexp"
	"strings"
)

var odd string

const pattern = `^user-(\d+) (GET|POST) (/[a-z/]+)$`

var compiled = regexp.MustCompile(pattern)

func match(line string) []string {
	if odd != "" {
		return regexp.MustCompile(pattern).FindStringSubmatch(line)
	}
	return compiled.FindStringSubmatch(line)
}

func main() {
	sum := uint64(0)
	for i := range 90000 {
		fields := match(fmt.Sprintf("user-%d %s /cart/item%s", i, []string{"GET", "POST", "PUT"}[i%3], strings.Repeat("/x", i%4)))
		for _, field := range fields {
			sum = sum*31 + uint64(len(field))
		}
	}
	fmt.Printf("%016x\n", sum)
}
