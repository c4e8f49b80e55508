// Package frugal holds a test of the runtime codec against Frugal. It is a module of its own, since Frugal requires versions of dependencies that
// others do not have.
package frugal
