package idl

// offered is a function that a service has, its own or a base's.
type offered struct {
	*Function
	of *Service
}

// functionsOf returns all functions of a service by name. The service's own functions hide those of its bases.
func functionsOf(s *Service) map[string]offered {
	all := map[string]offered{}
	for seen := map[*Service]bool{}; s != nil && !seen[s]; s = s.Base {
		seen[s] = true
		for _, f := range s.Functions {
			if _, hidden := all[f.Name]; !hidden {
				all[f.Name] = offered{f, s}
			}
		}
	}
	return all
}

func (c *comparer) services(old, new *Service) {
	subject := c.subject
	names := functionsOf(new)
	if old.Extends != new.Extends {
		c.bases(old, new, names)
	}
	for _, f := range old.Functions {
		c.subject = subject + ", function " + f.Name
		now, isThere := names[f.Name]
		if !isThere {
			c.add(BreaksWire, f.Position, nowhere, "removed or renamed")
			continue
		}
		if now.of != new {
			c.add(Safe, f.Position, nowhere, "comes from the service %s now", now.of.Name)
		}
		c.between(old, now.of, func() { c.function(f, now.Function) })
	}
	before := functionsOf(old)
	for _, f := range new.Functions {
		if _, inherited := before[f.Name]; !inherited {
			c.subject = subject + ", function " + f.Name
			c.add(Safe, nowhere, f.Position, "added")
		}
	}
}

// bases compares the functions that a service inherits, if it has another base now. Clients do not see which service a function
// comes from.
func (c *comparer) bases(old, new *Service, names map[string]offered) {
	subject := c.subject
	effect := Safe
	if old.Extends != "" {
		effect = BreaksSource
	}
	c.add(effect, old.Position, new.Position, "extended %s, extends %s", orNothing(old.Extends), orNothing(new.Extends))
	inherited := functionsOf(old)
	for _, name := range sortedKeys(inherited) {
		f := inherited[name]
		if f.of == old {
			continue
		}
		c.subject = subject + ", function " + name
		now, isThere := names[name]
		if !isThere {
			c.between(f.of, new, func() { c.add(BreaksWire, f.Position, nowhere, "no longer inherited from %s", f.of.Name) })
			continue
		}
		c.between(f.of, now.of, func() { c.function(f.Function, now.Function) })
	}
	c.subject = subject
}

// between calls the function with the files of these services as the places of changes.
func (c *comparer) between(old, new *Service, compare func()) {
	before, after := c.old, c.new
	c.old, c.new = old.In(), new.In()
	compare()
	c.old, c.new = before, after
}

func (c *comparer) function(old, new *Function) {
	if old.Oneway != new.Oneway {
		word := map[bool]string{true: "oneway", false: "not oneway"}
		c.add(BreaksWire, old.Position, new.Position, "was %s, is %s", word[old.Oneway], word[new.Oneway])
	}
	if before, now := old.Streaming(), new.Streaming(); before != now {
		c.add(BreaksWire, old.Position, new.Position, "was %s, is %s", before, now)
	}
	c.typeChange(old.Result, new.Result, "the result", BreaksWire)
	c.fields(old.Arguments, new.Arguments, fieldPlace{what: "argument", arguments: true})
	c.fields(old.Throws, new.Throws, fieldPlace{what: "exception", throws: true})
}
