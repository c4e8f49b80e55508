package rpc

import (
	"slices"
	"sync"
)

// connections holds the connections of a client that have not ended: also those that take no more calls, and those of instances that are gone.
type connections struct {
	mu       sync.Mutex
	all      []connection
	isClosed bool
}

// add keeps a connection until it has ended. It returns false if all connections have been closed.
func (c *connections) add(made connection) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed {
		return false
	}
	c.all = append(slices.DeleteFunc(c.all, connection.isOver), made)
	return true
}

// close ends all connections and their calls. After that, add refuses further connections.
func (c *connections) close(cause error) {
	c.mu.Lock()
	all := c.all
	c.all, c.isClosed = nil, true
	c.mu.Unlock()
	var closing sync.WaitGroup
	for _, one := range all {
		closing.Go(func() { one.close(cause) })
	}
	closing.Wait()
}
