package main

import (
	"hash/crc32"
	"runtime"
	"runtime/metrics"
	"time"
)

const (
	// piece is the size of a list of pieceEntries entries with texts of pieceText bytes.
	pieceEntries, pieceText = 16, 1024
	piece                   = pieceEntries * (structBytes + pieceText)
	// low and high are the parts of the limit between which all memory of the program rises as live memory rises.
	low, high = 0.10, 0.95
	// handled is the number of times that each piece is read: a service's pace.
	handled = 16
)

// teeth is the report of a sawtooth that was not killed.
type teeth struct {
	Seconds float64 `json:"seconds"`
	stats
}

// sawtooth lets live memory rise from 10 to 95 % of the limit and fall again, count times, with as much garbage as live memory.
func sawtooth(variant string, limit uint64, count int) error {
	running, err := begin(variant, limit)
	if err != nil {
		return err
	}
	began := time.Now()
	// The slice does not grow: growth would take its old and its new size at once.
	live := make([]*entry, 0, pieces(limit, high))
	sum := uint32(0)
	for range count {
		for top := pieces(limit, high); len(live) < top; {
			live = append(live, work(&sum))
			work(&sum)
			if len(live)%64 == 0 {
				top = pieces(limit, high)
			}
		}
		keep := pieces(limit, low)
		clear(live[keep:])
		live = live[:keep]
	}
	runtime.KeepAlive(live)
	return print(teeth{time.Since(began).Seconds(), running.stats()})
}

// pieces returns the number of pieces that make a part of the limit, together with Go's memory besides the heap.
func pieces(limit uint64, part float64) int {
	besides := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}, {Name: "/memory/classes/metadata/mspan/inuse:bytes"},
		{Name: "/memory/classes/metadata/other:bytes"}, {Name: "/memory/classes/other:bytes"}, {Name: "/memory/classes/profiling/buckets:bytes"}}
	metrics.Read(besides)
	room := part * float64(limit)
	for _, one := range besides {
		room -= float64(one.Value.Uint64())
	}
	return max(int(room/piece), 1)
}

// work makes a piece and reads it.
func work(sum *uint32) *entry {
	first := newEntries(pieceEntries, pieceText)
	for range handled {
		for one := first; one != nil; one = one.next {
			*sum = crc32.Update(*sum, crc32.IEEETable, one.text)
		}
	}
	return first
}
