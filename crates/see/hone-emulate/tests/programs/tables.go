// Go as people write it: maps, slices, strings, sorting, interfaces, formatting.
//
// It stays on its first thread, which is the one that is stepped; run it with GOMAXPROCS=1, GOGC=off and
// GODEBUG=asyncpreemptoff=1, so that the runtime's own threads leave its memory alone.
package main

import (
	"fmt"
	"runtime"
	"sort"
	"strconv"
	"strings"
)

type rule interface{ apply(uint64) uint64 }
type shift uint
type scale float64

func (s shift) apply(value uint64) uint64 { return value<<s | value>>(64-s) }
func (s scale) apply(value uint64) uint64 { return uint64(float64(value>>1) * float64(s)) }

func init() { runtime.LockOSThread() }

func main() {
	rules := []rule{shift(7), scale(0.37), shift(3)}
	seed := uint64(88172645463325252)
	counts := map[string]uint64{}
	numbers := make([]int, 0, 200)
	buffer := make([]byte, 0, 1<<16)
	sum := 0
	for round := 0; round < 1000000; round++ {
		clear(counts)
		numbers = numbers[:0]
		buffer = buffer[:0]
		for index := 0; index < 200; index++ {
			seed ^= seed << 13
			seed ^= seed >> 7
			seed ^= seed << 17
			value := rules[index%len(rules)].apply(seed)
			buffer = strconv.AppendUint(append(buffer[:0], "name"...), value%60, 10)
			counts[string(buffer)] += value & 0xff
			numbers = append(numbers, int(value%1000))
		}
		sort.Ints(numbers)
		buffer = buffer[:0]
		for name, count := range counts {
			buffer = append(strconv.AppendFloat(append(buffer, name...), float64(count)/7, 'f', 3, 64), ';')
		}
		text := string(buffer)
		sum += strings.Count(text, "3;") + strings.Index(text, "name59") + len(strings.ToUpper(text[:40]))
		sum += sort.SearchInts(numbers, 500) ^ round
		if round%100 == 0 {
			sum += len(fmt.Sprintf("%8s=%#x %v", text[:6], sum, numbers[:3]))
		}
	}
	fmt.Println(sum)
}
