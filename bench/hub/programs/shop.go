// A service over HTTP that does what services do: it reads JSON, looks things up, sorts, fills a page and packs it.
package main

import (
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"html/template"
	"log"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

type item struct {
	Name   string            `json:"name"`
	Pieces int               `json:"pieces"`
	Tags   map[string]string `json:"tags"`
}

var (
	page  = template.Must(template.New("page").Parse(`<ul>{{range .}}<li>{{.Name}}: {{.Pieces}} {{range $k, $v := .Tags}}{{$k}}={{$v}} {{end}}</li>{{end}}</ul>`))
	words = regexp.MustCompile(`(a|b)+[0-9]{1,3}\w*`)
	lock  sync.Mutex
	seen  = map[string]int{}
	count atomic.Int64
	stock = made(200)
)

func made(count int) []item {
	items := make([]item, count)
	for at := range items {
		items[at] = item{fmt.Sprintf("ab%d item", at*7919%count), at, map[string]string{"colour": "blue", "row": fmt.Sprint(at % 13)}}
	}
	return items
}

func answerJSON(to http.ResponseWriter, _ *http.Request) {
	bytes, err := json.Marshal(stock[:50])
	if err != nil {
		http.Error(to, err.Error(), http.StatusInternalServerError)
		return
	}
	var again []item
	if err := json.Unmarshal(bytes, &again); err != nil {
		http.Error(to, err.Error(), http.StatusInternalServerError)
		return
	}
	slices.SortFunc(again, func(a, b item) int { return strings.Compare(a.Name, b.Name) })
	_ = json.NewEncoder(to).Encode(again)
}

func answerPage(to http.ResponseWriter, _ *http.Request) {
	to.Header().Set("Content-Encoding", "gzip")
	packed := gzip.NewWriter(to)
	defer packed.Close()
	_ = page.Execute(packed, stock[:60])
}

func search(to http.ResponseWriter, _ *http.Request) {
	lock.Lock()
	defer lock.Unlock()
	for _, item := range stock {
		if found := words.FindString(item.Name); found != "" {
			seen[found]++
		}
	}
	fmt.Fprintln(to, len(seen))
}

// counted counts what is answered.
func counted(answer http.HandlerFunc) http.HandlerFunc {
	return func(to http.ResponseWriter, request *http.Request) {
		answer(to, request)
		count.Add(1)
	}
}

func main() {
	address := flag.String("address", "127.0.0.1:8080", "where to listen")
	flag.Parse()
	http.HandleFunc("/json", counted(answerJSON))
	http.HandleFunc("/page", counted(answerPage))
	http.HandleFunc("/search", counted(search))
	http.HandleFunc("/count", func(to http.ResponseWriter, _ *http.Request) { fmt.Fprintln(to, count.Load()) })
	log.Fatal(http.ListenAndServe(*address, nil))
}
