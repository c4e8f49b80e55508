package intruder

import (
	"bytes"
	"os"
)

// Held returns the number of mappings of segments that this process has, and the number of its descriptors.
func Held() (mappings, descriptors int) {
	maps, _ := os.ReadFile("/proc/self/maps")
	files, _ := os.ReadDir("/proc/self/fd")
	return bytes.Count(maps, []byte("memfd:hone-shm")), len(files)
}
