// Package limit bounds how much is done: [Rate] bounds calls per second, [Concurrency] calls (or connections) at once, and [Adaptive] calls
// at once by a limit that it finds from their latency.
//
// None of them queues, waits or reads a clock: a call is let in or refused at once. Times are those of a monotonic clock, as durations since
// any fixed moment. Methods may be called by several goroutines; letting in and out costs one or two changes of atomic numbers.
package limit
