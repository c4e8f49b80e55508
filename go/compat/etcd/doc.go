// Package etcd tests hone/go/etcd with a real etcd, which runs in a process of its own and is killed and restarted. It is a module of its own, so
// that hone/go/etcd does not depend on the server.
package etcd
