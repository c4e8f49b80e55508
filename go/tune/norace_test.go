//go:build !race

package tune

// isRace is true where the race detector's own memory is a multiple of the program's.
const isRace = false
