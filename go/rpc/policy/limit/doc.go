// Package limit bounds the work that is done: [Rate] bounds calls per second, [Concurrency] calls (or connections) at a time, and
// [Adaptive] calls at a time by a limit that it finds from their latency.
//
// None of them queues, waits or reads a clock: a call is let in or refused at once. Times are those of a monotonic clock, as
// durations since any fixed moment. Several goroutines may call the methods; a call costs one or two changes of atomic numbers at
// its start and its end.
package limit
