package metrics

import (
	_ "embed"
	"net/http"
)

//go:embed page.html
var page []byte

// Page answers with a page that shows the calls of this process as they come. Below it, at /metrics, it answers with the text that
// Prometheus reads:
//
//	go http.ListenAndServe("127.0.0.1:8080", calls.Page())
func (c *Calls) Page() http.Handler {
	pages := http.NewServeMux()
	pages.Handle("GET /metrics", c)
	pages.HandleFunc("GET /{$}", func(answer http.ResponseWriter, _ *http.Request) {
		answer.Header().Set("Content-Type", "text/html; charset=utf-8")
		answer.Header().Set("Content-Security-Policy", "default-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'")
		answer.Write(page)
	})
	return pages
}
