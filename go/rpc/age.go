package rpc

import "time"

// ageJitter is the share by which a connection's age may differ from [Client].MaxConnectionAge: connections made together do not all end together.
const ageJitter = 0.1

// age starts the timer that replaces a connection once it is as old as the client's MaxConnectionAge.
func (i *instance) age(conn *opened) {
	if most := i.client.MaxConnectionAge; most > 0 {
		i.renewAfter(conn, jittered(most, ageJitter))
	}
}

// renewAfter starts a timer that replaces a connection after a while, if it is still in its slot then.
func (i *instance) renewAfter(conn *opened, wait time.Duration) {
	conn.ageing.Store(time.AfterFunc(wait, func() { goUnlabelled(func() { i.renew(conn) }) }))
	if conn.slot.current.Load() != conn {
		conn.stopAgeing()
	}
}

// renew makes a connection in the place of an old one, which ends once its calls are answered. If no connection can be made, calls go on over the old
// one.
func (i *instance) renew(old *opened) {
	if i.isGone() || old.slot.current.Load() != old {
		return
	}
	if err := i.connect(old.slot); err != nil {
		i.renewAfter(old, min(jittered(i.client.MaxConnectionAge, ageJitter), mostWait))
	}
}

// stopAgeing stops the timer that would replace the connection.
func (o *opened) stopAgeing() {
	if timer := o.ageing.Load(); timer != nil {
		timer.Stop()
	}
}
