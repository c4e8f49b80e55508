// Package localfirst computes the share of each caller's traffic that goes to each instance of a service, so that as many calls as
// possible stay on the host of their caller while every instance has its fair share of all calls.
//
// Host h has callers of the service with a rate R(h) and instances of the service with a fair share F(h): the rate of all callers,
// divided in proportion to capacity. The load of a host is the rate of its own callers, clamped to a band about its fair share:
//
//	load(h) = min(max(R(h), (1-under) F(h)), (1+over) F(h))
//
// The calls of h that stay are min(R(h), load(h)). The calls above that go to hosts whose load is above the rate of their own
// callers, in proportion to the difference. Within a host calls are split by capacity. The levels over and under are at most
// [Options.Tolerance], and as high as they may be while the loads add up: so one of them is the tolerance, and no weights within
// the tolerance keep more calls local. This is the idea of Envoy's zone aware routing
// (https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/load_balancing/zone_aware), with rates instead of
// counts of instances and a band instead of a line. docs/internals/local-first.md has the proofs.
//
// A small change makes a small difference: if a share p of all calls comes from other hosts than before, a share of at most 7 p
// goes elsewhere.
//
// # Subsets
//
// [Options.Subset] bounds the number of instances on other hosts that a caller calls. They are drawn by weighted rendezvous hashing
// (D. Thaler, C. Ravishankar, "Using name-based mappings to increase hit rates", IEEE/ACM Transactions on Networking, 1998; C.
// Schindelhauer, G. Schomaker, "Weighted distributed hash tables", SPAA 2005), so that an instance that comes or leaves moves few
// others, unlike the deterministic subsets of Google's SRE book (https://sre.google/sre-book/load-balancing-datacenter/); P. Ward
// and P. Wankadia explain why that matters ("Reinventing Backend Subsetting at Google", ACM Queue 20(5), 2022). Weights fade
// towards the border of a subset, so that nothing jumps when an instance crosses the border. Draws alone would leave the loads
// uneven, by half of a fair share and more. Iterative proportional fitting (W. Deming, F. Stephan, Annals of Mathematical
// Statistics 11(4), 1940) gives each instance a correction, the same for all callers, that evens the loads out. [Summary.Imbalance]
// says how much remains.
//
// # Who computes what
//
// [Summarize] needs the rates of all hosts, and with subsets a hash for each pair of a host and an instance. A [Summary] has one
// line for each instance and two numbers for each host, and [Summary.Weights] makes the weights of one caller of these. A program
// that knows the rates may compute a summary and send it to callers, each with the numbers of its own host only.
//
// Nothing in this package reads a clock or draws a random number: the same input gives the same output in every process of one
// architecture.
package localfirst
