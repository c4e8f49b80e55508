package metrics

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"hone/go/rpc"
)

// contentType is the content type of Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/).
const contentType = "text/plain; version=0.0.4; charset=utf-8"

// ServeHTTP answers a scrape.
func (c *Calls) ServeHTTP(answer http.ResponseWriter, _ *http.Request) {
	answer.Header().Set("Content-Type", contentType)
	c.Write(answer)
}

// Write writes all series in Prometheus' text format, by service, method and the number of the code.
func (c *Calls) Write(to io.Writer) error {
	var text strings.Builder
	for _, side := range []rpc.Side{rpc.ClientSide, rpc.ServerSide} {
		c.writeSide(&text, side)
	}
	_, err := io.WriteString(to, text.String())
	return err
}

func (c *Calls) writeSide(text *strings.Builder, side rpc.Side) {
	all := c.series.All()
	keys := slices.SortedFunc(maps.Keys(all), byName)
	keys = slices.DeleteFunc(keys, func(k Key) bool { return k.Side != side })
	underWay := c.underWay[side].Load()
	if len(keys) == 0 && underWay == 0 {
		return
	}
	name := "rpc_" + side.String() + "_call_duration_seconds"
	fmt.Fprintf(text, "# HELP %s Duration of calls by service, method and code.\n# TYPE %s histogram\n", name, name)
	for _, k := range keys {
		writeSeries(text, name, k, all[k])
	}
	name = "rpc_" + side.String() + "_calls_under_way"
	fmt.Fprintf(text, "# HELP %s Calls that have begun and not ended.\n# TYPE %s gauge\n%s %d\n", name, name, name, underWay)
}

func byName(a, b Key) int {
	if order := cmp.Or(strings.Compare(a.Service, b.Service), strings.Compare(a.Method, b.Method), cmp.Compare(a.Code, b.Code)); order != 0 || a.IsFallback == b.IsFallback {
		return order
	}
	if a.IsFallback {
		return 1
	}
	return -1
}

func writeSeries(text *strings.Builder, name string, k Key, h *histogram) {
	labels := fmt.Sprintf("service=%q,method=%q,code=%q", label(k.Service), label(k.Method), k.Code.String())
	if k.IsFallback {
		labels += `,fallback="true"`
	}
	sum := time.Duration(h.sumNs.Load()).Seconds()
	var count uint64
	for i := range h.buckets {
		count += h.buckets[i].Load()
		bound := "+Inf"
		if i < len(Bounds) {
			bound = fmt.Sprint(Bounds[i].Seconds())
		}
		fmt.Fprintf(text, "%s_bucket{%s,le=%q} %d\n", name, labels, bound, count)
	}
	fmt.Fprintf(text, "%s_sum{%s} %v\n%s_count{%s} %d\n", name, labels, sum, name, labels, count)
}

// label returns a value without the characters that Prometheus' format escapes in another way than Go.
func label(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\uFFFD' {
			return '?'
		}
		return r
	}, value)
}
