package resolve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// File finds instances in a file of JSON, which it watches:
//
//	{"hello": [{"address": "10.0.0.1:9090", "weight": 100, "tags": {"zone": "a"}}, {"address": "unix:/run/hello.sock"}]}
//
// File notices a change by the file's time, size and identity, which it looks at again and again. That works for files that are
// written in place, replaced by a rename, or reached by a link that moves, as in Kubernetes' config maps. A file with a mistake
// changes nothing; the error names the line.
type File struct {
	Path string
	// Interval is the time between looks. 0 means 1 s.
	Interval time.Duration
	// After is the clock, like time.After; nil means time.After.
	After func(time.Duration) <-chan time.Time
}

// MaxFileBytes is the longest file.
const MaxFileBytes = 16 << 20

// Watch implements [Resolver].
func (f File) Watch(ctx context.Context, service string, tell func(Update)) error {
	interval := f.Interval
	if interval <= 0 {
		interval = time.Second
	}
	teller := NewTeller(tell)
	var seen os.FileInfo
	isSettled := false
	for {
		state, err := os.Stat(f.Path)
		isSame := err == nil && seen != nil && os.SameFile(seen, state) && seen.ModTime().Equal(state.ModTime()) && seen.Size() == state.Size()
		if !isSame || !isSettled {
			if err == nil {
				err = f.look(service, teller)
			}
			if err != nil {
				teller.Failed(fmt.Errorf("resolve: %w", err))
			}
			// A file that changes twice within the resolution of its time looks the same: so it is read once more after it has settled.
			seen, isSettled = state, isSame
		}
		if !wait(ctx, f.After, interval) {
			return nil
		}
	}
}

func (f File) look(service string, teller *Teller) error {
	file, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxFileBytes+1))
	if err != nil {
		return err
	}
	if len(text) > MaxFileBytes {
		return fmt.Errorf("%s is longer than %d bytes; split it", f.Path, MaxFileBytes)
	}
	services, err := Parse(text)
	if err != nil {
		return fmt.Errorf("%s:%w", f.Path, err)
	}
	instances, isKnown := services[service]
	if !isKnown {
		return fmt.Errorf("%s: %w", f.Path, unknownService(service, slices.Collect(maps.Keys(services))))
	}
	teller.Found(instances)
	return nil
}

// written is an instance in the form of the file.
type written struct {
	Address string            `json:"address"`
	Weight  *uint32           `json:"weight"`
	Tags    map[string]string `json:"tags"`
}

// Parse reads the contents of a [File]. Its errors begin with the line.
func Parse(text []byte) (map[string][]Instance, error) {
	p := &parser{text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
	p.decoder.DisallowUnknownFields()
	services, err := p.services()
	if err != nil {
		return nil, fmt.Errorf("%d: %w", p.line(err), err)
	}
	return services, nil
}

type parser struct {
	text    []byte
	decoder *json.Decoder
}

func (p *parser) services() (map[string][]Instance, error) {
	services := map[string][]Instance{}
	if err := p.expect(json.Delim('{'), `{"service": [{"address": "10.0.0.1:9090"}]}`); err != nil {
		return nil, err
	}
	for p.decoder.More() {
		name, err := p.decoder.Token()
		if err != nil {
			return nil, err
		}
		service := name.(string)
		if _, isTwice := services[service]; isTwice {
			return nil, fmt.Errorf("service %q stands here for the second time; put its instances into one list", service)
		}
		if services[service], err = p.instances(); err != nil {
			return nil, fmt.Errorf("service %q: %w", service, err)
		}
	}
	if _, err := p.decoder.Token(); err != nil {
		return nil, err
	}
	if _, err := p.decoder.Token(); err != io.EOF {
		return nil, errors.New("there is more after the end of the object; remove it")
	}
	return services, nil
}

func (p *parser) instances() ([]Instance, error) {
	if err := p.expect(json.Delim('['), `[{"address": "10.0.0.1:9090"}]`); err != nil {
		return nil, err
	}
	instances, addresses := []Instance{}, map[string]bool{}
	for p.decoder.More() {
		var w written
		if err := p.decoder.Decode(&w); err != nil {
			return nil, explained(err)
		}
		if err := CheckAddress(w.Address); err != nil {
			return nil, err
		}
		if addresses[w.Address] {
			return nil, fmt.Errorf("address %q stands here for the second time; remove one and set its weight", w.Address)
		}
		addresses[w.Address] = true
		instance := Instance{Address: w.Address, Weight: DefaultWeight, Tags: w.Tags}
		if w.Weight != nil {
			instance.Weight = *w.Weight
		}
		instances = append(instances, instance)
	}
	_, err := p.decoder.Token()
	return instances, err
}

// explained makes an error that says, for a value of the wrong type, what to write, without the names of Go's types.
func explained(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	switch field, _, _ := strings.Cut(wrong.Field, "."); field {
	case "weight":
		return fmt.Errorf("the weight is a %s; write a whole number from 0 to 4294967295", wrong.Value)
	case "tags":
		return fmt.Errorf(`the tags have a %s; write strings, as {"zone": "a"}`, wrong.Value)
	}
	return fmt.Errorf(`an instance or its address is a %s; write {"address": "10.0.0.1:9090"}`, wrong.Value)
}

func (p *parser) expect(delimiter json.Delim, form string) error {
	token, err := p.decoder.Token()
	if err == io.EOF {
		return fmt.Errorf("the text ends where %v is expected; write it as %s", delimiter, form)
	}
	if err == nil && token != delimiter {
		err = fmt.Errorf("found %v where %v is expected; write it as %s", token, delimiter, form)
	}
	return err
}

// line returns the line of an error, counted from 1: the place of the decoder, unless the error has a place of its own.
func (p *parser) line(err error) int {
	offset := p.decoder.InputOffset()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset = syntax.Offset
	}
	return 1 + bytes.Count(p.text[:min(max(offset, 0), int64(len(p.text)))], []byte("\n"))
}
