package intruder

import (
	"bytes"
	"os"
)

// Held is how many mappings of segments this process has, and how many descriptors.
func Held() (mappings, descriptors int) {
	maps, _ := os.ReadFile("/proc/self/maps")
	files, _ := os.ReadDir("/proc/self/fd")
	return bytes.Count(maps, []byte("memfd:hone-shm")), len(files)
}
