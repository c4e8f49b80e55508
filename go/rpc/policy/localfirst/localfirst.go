package localfirst

import (
	"fmt"
	"iter"
)

// Callee is an instance of the service that is called.
type Callee struct {
	// ID is the name by which all callers know the instance, such as its address.
	ID string
	// Host is the name of its machine.
	Host string
	// Capacity is the share of all calls that the instance should have, in relation to other instances. If all are 0, all instances
	// count alike.
	Capacity float64
}

// Caller is an instance that calls the service.
type Caller struct {
	// Host is the name of its machine.
	Host string
	// Rate is the rate of its calls, in any unit that is the same for all callers. If all are 0, all callers count alike.
	Rate float64
}

// Options are the options of weights. The zero value means the defaults.
type Options struct {
	// Tolerance is the largest distance of an instance's load from its fair share, so that more calls stay local. 0 means 0.05; a
	// negative number means none.
	Tolerance float64
	// Subset is the number of instances on other hosts that a caller calls. A host whose callers have a large part of all calls to
	// other hosts gets more, since its subset could not take these calls otherwise. 0 means no bound.
	Subset int
}

const defaultTolerance = 0.05

func (o Options) check() (Options, error) {
	switch {
	case o.Tolerance == 0:
		o.Tolerance = defaultTolerance
	case o.Tolerance < 0:
		o.Tolerance = 0
	case !(o.Tolerance < 1):
		return o, fmt.Errorf("localfirst: the tolerance is %v; write a number below 1, such as 0.05, or -1 for none", o.Tolerance)
	}
	if o.Subset < 0 {
		return o, fmt.Errorf("localfirst: the subset is %d; write a number of instances, or 0 for no bound", o.Subset)
	}
	return o, nil
}

// Summary is what callers need to know to compute the weights of the instances.
type Summary struct {
	// Targets are the instances, in the order in which the caller gave them.
	Targets []Target
	// Hosts are the hosts with callers, by name. A caller needs the numbers of its own host only.
	Hosts map[string]Share
	// Imbalance is the largest difference of an instance's load from its planned load, as a share of its fair share. It is 0 without
	// subsets.
	Imbalance float64
}

// Target is an instance, with the calls from other hosts that it should get.
type Target struct {
	ID, Host string
	// Fair is the instance's share of the capacity of all, and so its fair share of all calls.
	Fair float64
	// Remote is the share of all calls that comes to the instance from other hosts.
	Remote float64
	// Correction evens out the loads that the subsets of hosts leave uneven. It is 1 without subsets.
	Correction float64
}

// want says how often subsets draw the instance, from 0 to 1: less often if it gets only a small part of its fair share from other
// hosts. So nothing jumps where that part shrinks to nothing.
func (t *Target) want() float64 {
	if t.Remote == 0 {
		return 0
	}
	return min(t.Remote/(smallPart*t.Fair), 1)
}

// smallPart is the part of its fair share from which on an instance is drawn as often as any other. If no subset has an instance
// with less, the instance lacks less than that part.
const smallPart = 0.1

// Share describes the calls of the callers of one host.
type Share struct {
	// Local is the share of these calls that stays on the host.
	Local float64
	// Subset is the number of instances of other hosts that the callers call: the number of those whose weights have not faded away is
	// at most one above it.
	Subset float64
}

// Weights returns for each caller the weight of each instance: none is negative, and those of a caller add up to 1. Callers of the
// same host have the same weights, and share the memory of a row.
//
// # Errors
//
// Rates and capacities must be finite and not negative, and options within their bounds.
func Weights(callees []Callee, callers []Caller, options Options) ([][]float64, error) {
	summary, err := Summarize(callees, callers, options)
	if err != nil {
		return nil, err
	}
	rows, ofHosts := make([][]float64, len(callers)), map[string][]float64{}
	for i, caller := range callers {
		row, isKnown := ofHosts[caller.Host]
		if !isKnown {
			row = summary.Weights(caller.Host)
			ofHosts[caller.Host] = row
		}
		rows[i] = row
	}
	return rows, nil
}

// Summarize computes what all callers need to know. Its errors are the same as those of [Weights].
func Summarize(callees []Callee, callers []Caller, options Options) (*Summary, error) {
	options, err := options.check()
	if err != nil {
		return nil, err
	}
	p, err := newPlan(callees, callers)
	if err != nil {
		return nil, err
	}
	p.level(options.Tolerance)
	s := &Summary{Targets: p.targets(callees), Hosts: map[string]Share{}}
	wanted := 0.0
	for i := range s.Targets {
		wanted += s.Targets[i].want()
	}
	for _, h := range p.hosts {
		if h.hasCallers {
			s.Hosts[h.name] = Share{Local: h.local(), Subset: subsetSize(options.Subset, len(callees), wanted*p.part(h))}
		}
	}
	if options.Subset > 0 {
		s.balance(p)
	}
	return s, nil
}

// Weights returns the weights of a caller on a host, in the order of Targets. A host that the summary does not know keeps no calls
// local: its calls go where the remote calls of other hosts go.
func (s *Summary) Weights(host string) []float64 {
	row := make([]float64, len(s.Targets))
	share, isKnown := s.Hosts[host]
	if !isKnown {
		share.Subset = float64(len(s.Targets))
	}
	fair := 0.0
	for _, target := range s.Targets {
		if target.Host == host {
			fair += target.Fair
		}
	}
	if fair == 0 {
		share.Local = 0
	}
	if share.Local > 0 {
		for j, target := range s.Targets {
			if target.Host == host {
				row[j] = share.Local * target.Fair / fair
			}
		}
	}
	if share.Local < 1 {
		s.addRemote(row, host, share)
	}
	return row
}

// addRemote adds the weights of the instances that get calls from other hosts.
func (s *Summary) addRemote(row []float64, host string, share Share) {
	pulls, total := s.pulls(host, share.Subset), 0.0
	for _, pull := range pulls {
		total += pull
	}
	if total == 0 {
		// The calls of all known callers stay local, but this caller is not known.
		for j, target := range s.Targets {
			row[j] += (1 - share.Local) * target.Fair
		}
		return
	}
	for j, pull := range pulls {
		row[j] += (1 - share.Local) * pull / total
	}
}

// pulls returns the instances of a subset with their weights in relation to each other.
func (s *Summary) pulls(host string, size float64) iter.Seq2[int, float64] {
	if int(size) >= len(s.Targets) {
		return func(yield func(int, float64) bool) {
			for j := range s.Targets {
				if !yield(j, s.Targets[j].Remote*s.Targets[j].Correction) {
					return
				}
			}
		}
	}
	subset := newLot(s.Targets).draw(host, size)
	return func(yield func(int, float64) bool) {
		for _, d := range subset {
			if !yield(d.target, d.weight*s.Targets[d.target].Correction) {
				return
			}
		}
	}
}
