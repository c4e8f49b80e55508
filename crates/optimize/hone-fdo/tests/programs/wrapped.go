// An interface call whose usual target is the method of an embedded field, behind a wrapper, and whose rare target is
// not. The field's type does not implement the interface.
package main

import "os"

type op interface {
	apply(x uint64) uint64
	id() string
}

type base struct{ k uint64 }

type usual struct {
	base
	name string
}

type rare struct{ k uint64 }

func (b base) apply(x uint64) uint64  { return x*6364136223846793005 + b.k }
func (r *rare) apply(x uint64) uint64 { return x*2862933555777941757 + r.k }
func (u *usual) id() string           { return u.name }
func (r *rare) id() string            { return "rare" }

//go:noinline
func leaf(x uint64) uint64 { return x ^ x>>7 }

//go:noinline
func calls(ops []op, n int) (x uint64) {
	for i := 0; i < n; i++ {
		x = ops[i%len(ops)].apply(x)
		x = leaf(x)
	}
	return x
}

func main() {
	ops := []op{&usual{name: "usual"}, &rare{}}
	os.Exit(int(calls(ops, len(os.Args)) & 1))
}
