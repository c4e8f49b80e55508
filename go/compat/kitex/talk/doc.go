// Package talk is the sample's service of streams as Kitex serves and calls it: what its tool would generate, written for any of our structs.
package talk
