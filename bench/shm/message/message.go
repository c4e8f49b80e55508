// Package message has messages whose sender writes and whose receiver reads every byte. They consist of whole words of 8 bytes.
package message

import (
	"encoding/binary"
	"fmt"
)

// Word is the size of a word in bytes: sizes of messages, and of their pieces, are multiples of it.
const Word = 8

// step is the difference from word to word: an odd number, so that all words of a message differ.
const step = 0x9E3779B97F4A7C15

// Multiples of step as unsigned numbers.
const (
	step2 = (2 * step) & (1<<64 - 1)
	step3 = (3 * step) & (1<<64 - 1)
	step4 = (4 * step) & (1<<64 - 1)
	step5 = (5 * step) & (1<<64 - 1)
	step6 = (6 * step) & (1<<64 - 1)
	step7 = (7 * step) & (1<<64 - 1)
	step8 = (8 * step) & (1<<64 - 1)
)

// block is the number of bytes for each turn of a loop: one turn for each word would take longer than to copy the message.
const block = 8 * Word

// Pattern writes a message, which begins with its seed.
type Pattern struct{ next uint64 }

// New returns the pattern of a seed.
func New(seed uint64) Pattern { return Pattern{seed} }

// Fill writes the message's next bytes.
func (p *Pattern) Fill(into []byte) {
	next := p.next
	for ; len(into) >= block; into = into[block:] {
		binary.NativeEndian.PutUint64(into, next)
		binary.NativeEndian.PutUint64(into[1*Word:], next+step)
		binary.NativeEndian.PutUint64(into[2*Word:], next+step2)
		binary.NativeEndian.PutUint64(into[3*Word:], next+step3)
		binary.NativeEndian.PutUint64(into[4*Word:], next+step4)
		binary.NativeEndian.PutUint64(into[5*Word:], next+step5)
		binary.NativeEndian.PutUint64(into[6*Word:], next+step6)
		binary.NativeEndian.PutUint64(into[7*Word:], next+step7)
		next += step8
	}
	for ; len(into) >= Word; into = into[Word:] {
		binary.NativeEndian.PutUint64(into, next)
		next += step
	}
	p.next = next
}

// Sum adds up the words of a message.
type Sum struct{ first, sum, words uint64 }

// Add reads the message's next bytes.
func (s *Sum) Add(bytes []byte) {
	if s.words == 0 && len(bytes) >= Word {
		s.first = binary.NativeEndian.Uint64(bytes)
	}
	s.words += uint64(len(bytes) / Word)
	var a, b, c, d uint64
	for ; len(bytes) >= block; bytes = bytes[block:] {
		a += binary.NativeEndian.Uint64(bytes) + binary.NativeEndian.Uint64(bytes[4*Word:])
		b += binary.NativeEndian.Uint64(bytes[1*Word:]) + binary.NativeEndian.Uint64(bytes[5*Word:])
		c += binary.NativeEndian.Uint64(bytes[2*Word:]) + binary.NativeEndian.Uint64(bytes[6*Word:])
		d += binary.NativeEndian.Uint64(bytes[3*Word:]) + binary.NativeEndian.Uint64(bytes[7*Word:])
	}
	for ; len(bytes) >= Word; bytes = bytes[Word:] {
		a += binary.NativeEndian.Uint64(bytes)
	}
	s.sum += a + b + c + d
}

// Seed returns the seed of the message that was read.
//
// # Errors
//
// An error if the words are not those of the seed's pattern.
func (s *Sum) Seed() (uint64, error) {
	if want := s.words*s.first + s.words*(s.words-1)/2*step; s.sum != want {
		return 0, fmt.Errorf("a message of %d bytes has the sum %#x, not %#x", s.words*Word, s.sum, want)
	}
	return s.first, nil
}
