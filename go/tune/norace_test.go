//go:build !race

package tune

// isRace is true with the race detector, whose own memory is a multiple of the program's.
const isRace = false
