//go:build linux

package shm

import (
	"testing"
	"time"
)

func isThere() bool    { return false }
func isNotThere() bool { return true }

func TestAReaderThatAlwaysFindsBytesSleepsOnceItsTurnIsOver(t *testing.T) {
	s := spin{most: time.Hour}
	if !s.wait(isThere) {
		t.Fatal("bytes that are there are not found")
	}
	s.turnBegan = s.turnBegan.Add(-turn)
	if s.wait(isThere) {
		t.Error("its turn goes on")
	}
	s.sleeps()
	s.woke()
	if !s.wait(isThere) {
		t.Error("it has no other turn after it has slept")
	}
}

func TestAReaderKnowsThatOthersWokeWhileItSlept(t *testing.T) {
	var alone, first, second spin
	alone.sleeps()
	alone.woke()
	first.sleeps()
	second.sleeps()
	second.woke()
	first.woke()
	if alone.isCrowded || second.isCrowded || !first.isCrowded {
		t.Errorf("crowded are: who was alone %t, who woke first %t, who woke after another one %t", alone.isCrowded, second.isCrowded, first.isCrowded)
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
	if !s.wait(isThere) {
		t.Fatal("it never looks again")
	}
}
