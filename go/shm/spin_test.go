//go:build linux

package shm

import (
	"testing"
	"time"
)

func isThere() bool    { return false }
func isNotThere() bool { return true }

// looksNow reports whether spin looks, when it has no reason to rest.
func looksNow(s *spin) bool {
	s.skips = 0
	return s.wait(isThere)
}

func TestAReaderThatAlwaysFindsBytesSleepsOnceItsTurnIsOver(t *testing.T) {
	s := spin{most: time.Hour}
	if !looksNow(&s) {
		t.Fatal("bytes that are there are not found")
	}
	s.turnBegan = s.turnBegan.Add(-turn)
	if looksNow(&s) {
		t.Error("its turn goes on")
	}
	s.sleeps()
	s.woke()
	if !looksNow(&s) {
		t.Error("it has no other turn after it has slept")
	}
}

func TestAReaderKnowsThatOthersWokeWhileItSlept(t *testing.T) {
	var first, second spin
	first.sleeps()
	second.sleeps()
	second.woke()
	first.woke()
	if first.crowd == 0 {
		t.Error("it takes itself for alone although another one woke")
	}
	for range crowdLasts {
		first.sleeps()
		first.woke()
	}
	if first.crowd != 0 {
		t.Error("it does not take itself for alone although nobody else woke")
	}
}

func TestAReaderThatLooksInVainRests(t *testing.T) {
	s := spin{most: time.Nanosecond}
	if s.wait(isNotThere) {
		t.Fatal("nothing is found")
	}
	for range rest {
		if s.wait(isThere) {
			t.Fatal("it looks although that does not pay")
		}
	}
	if !looksNow(&s) {
		t.Fatal("it never looks again")
	}
}
