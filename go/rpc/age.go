package rpc

import "time"

// ageJitter is by how much connections may become older or younger than [Client].MaxConnectionAge: those that were made together do not all end together.
const ageJitter = 0.1

// age has a connection replaced once it has the age that the client wants.
func (i *instance) age(conn *opened) {
	if most := i.client.MaxConnectionAge; most > 0 {
		i.renewAfter(conn, jittered(most, ageJitter))
	}
}

// renewAfter has a connection replaced after some time, if it is still in its slot then.
func (i *instance) renewAfter(conn *opened, wait time.Duration) {
	conn.ageing.Store(time.AfterFunc(wait, func() { goUnlabelled(func() { i.renew(conn) }) }))
	if conn.slot.current.Load() != conn {
		conn.stopAgeing()
	}
}

// renew makes another connection in the place of one, which ends once its calls are answered. Where none can be made, calls go on over the old one.
func (i *instance) renew(old *opened) {
	if i.isGone() || old.slot.current.Load() != old {
		return
	}
	if err := i.connect(old.slot); err != nil {
		i.renewAfter(old, min(jittered(i.client.MaxConnectionAge, ageJitter), mostWait))
	}
}

// stopAgeing ends the wait for the connection's age.
func (o *opened) stopAgeing() {
	if timer := o.ageing.Load(); timer != nil {
		timer.Stop()
	}
}
