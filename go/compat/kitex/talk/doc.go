// Package talk is the sample's service of streams for Kitex's server and client. It replaces the output of Kitex's tool, and takes any of our
// structs.
package talk
