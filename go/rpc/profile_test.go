package rpc_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
)

// sample is a stack of a profile.
type sample struct {
	functions []string
	labels    map[string]string
}

// passes reports whether a function whose name ends with name is on the stack.
func (s sample) passes(name string) bool {
	return slices.ContainsFunc(s.functions, func(one string) bool { return strings.HasSuffix(one, name) })
}

// cpuProfile profiles the CPU time of run.
func cpuProfile(t *testing.T, run func()) []sample {
	t.Helper()
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Fatal(err)
	}
	run()
	pprof.StopCPUProfile()
	return readProfile(t, &profile)
}

// goroutines returns the stacks of all goroutines that run now.
func goroutines(t *testing.T) []sample {
	t.Helper()
	var profile bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 0); err != nil {
		t.Fatal(err)
	}
	return readProfile(t, &profile)
}

// Fields of pprof's messages (https://github.com/google/pprof/blob/main/proto/profile.proto).
const (
	profileSample, profileLocation, profileFunction, profileString = 2, 4, 5, 6
	sampleLocation, sampleLabel                                    = 1, 3
	labelKey, labelText                                            = 1, 2
	locationID, locationLine, lineFunction                         = 1, 4, 1
	functionID, functionName                                       = 1, 2
)

func readProfile(t *testing.T, from io.Reader) []sample {
	t.Helper()
	plain, err := gzip.NewReader(from)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	profile := readMessage(t, text)
	word := func(at uint64) string { return string(profile.texts[profileString][at]) }
	names := map[uint64]string{}
	for _, one := range profile.texts[profileFunction] {
		function := readMessage(t, one)
		names[function.number(functionID)] = word(function.number(functionName))
	}
	places := map[uint64][]string{}
	for _, one := range profile.texts[profileLocation] {
		location := readMessage(t, one)
		for _, line := range location.texts[locationLine] {
			id := location.number(locationID)
			places[id] = append(places[id], names[readMessage(t, line).number(lineFunction)])
		}
	}
	var samples []sample
	for _, one := range profile.texts[profileSample] {
		fields, made := readMessage(t, one), sample{labels: map[string]string{}}
		for _, location := range fields.all(t, sampleLocation) {
			made.functions = append(made.functions, places[location]...)
		}
		for _, one := range fields.texts[sampleLabel] {
			label := readMessage(t, one)
			made.labels[word(label.number(labelKey))] = word(label.number(labelText))
		}
		samples = append(samples, made)
	}
	return samples
}

// message has the fields of a message of protobuf, by their numbers.
type message struct {
	numbers map[uint64][]uint64
	texts   map[uint64][][]byte
}

// readMessage reads the two kinds of fields that profiles have.
func readMessage(t *testing.T, from []byte) message {
	t.Helper()
	read := message{map[uint64][]uint64{}, map[uint64][][]byte{}}
	for len(from) > 0 {
		var tag, value uint64
		tag, from = readNumber(t, from)
		value, from = readNumber(t, from)
		switch field, kind := tag>>3, tag&7; {
		case kind == 0:
			read.numbers[field] = append(read.numbers[field], value)
		case kind == 2 && value <= uint64(len(from)):
			read.texts[field] = append(read.texts[field], from[:value])
			from = from[value:]
		default:
			t.Fatalf("a profile has a field of kind %d", kind)
		}
	}
	return read
}

func readNumber(t *testing.T, from []byte) (number uint64, rest []byte) {
	t.Helper()
	number, n := binary.Uvarint(from)
	if n <= 0 {
		t.Fatal("a profile ends in a number")
	}
	return number, from[n:]
}

// number returns the number of a field; 0 if the field is missing.
func (m message) number(field uint64) uint64 {
	if all := m.numbers[field]; len(all) > 0 {
		return all[0]
	}
	return 0
}

// all returns the numbers of a repeated field in both of its forms.
func (m message) all(t *testing.T, field uint64) []uint64 {
	t.Helper()
	all := m.numbers[field]
	for _, text := range m.texts[field] {
		for len(text) > 0 {
			var number uint64
			number, text = readNumber(t, text)
			all = append(all, number)
		}
	}
	return all
}
