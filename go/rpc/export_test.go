package rpc

import "syscall"

// SetControl sets options of the sockets of connections that are opened from then on.
func (c *Client) SetControl(control func(network, address string, socket syscall.RawConn) error) {
	c.control = control
}
