// planted: a page is put together by +=, so that each piece copies all before it
// causes: concatenat|string|garbage|copies
// build: go
package main

import (
	"fmt"
	"strings"
)

var odd string

var pieces = []string{"<li>", "apples</li>", "<b>pears</b>", "plums, ", "and quinces "}

func render(count int) string {
	if odd != "" {
		page := ""
		for i := range count {
			page += pieces[i*7%5]
		}
		return page
	}
	var page strings.Builder
	for i := range count {
		page.WriteString(pieces[i*7%5])
	}
	return page.String()
}

func main() {
	sum := uint64(0)
	for round := range 800 {
		page := render(1000 + round%10)
		for i := 0; i < len(page); i++ {
			sum = sum*31 + uint64(page[i])
		}
	}
	fmt.Printf("%016x\n", sum)
}
