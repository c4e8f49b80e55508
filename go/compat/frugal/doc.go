// Package frugal holds a test of the runtime codec against Frugal. It is a module of its own, since Frugal asks for versions
// that others do not have.
package frugal
