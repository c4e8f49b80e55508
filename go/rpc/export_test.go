package rpc

import "syscall"

// SetControl sets options of the sockets of connections that are opened from then on.
func (c *Client) SetControl(control func(network, address string, socket syscall.RawConn) error) {
	c.control = control
}

// AwaitAttempts waits until the first attempt to connect to each known instance has ended.
func (c *Client) AwaitAttempts() {
	c.start()
	for {
		changed := c.route.changes.next()
		if c.route.picker.Load() != nil && c.route.starting.Load() == 0 {
			return
		}
		<-changed
	}
}
