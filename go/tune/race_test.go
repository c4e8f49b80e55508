//go:build race

package tune

const isRace = true
