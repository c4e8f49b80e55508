// Two services, one of which calls the other, with retries and a page that shows the calls.
//
//	go generate && go run .
package main

//go:generate go run hone/go/cmd/hone-thrift gen -o gen shops.thrift

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"hone/go/rpc"
	"hone/go/rpc/metrics"
	"shops/gen/shops"
)

var (
	stockAddress = flag.String("stock", "tcp://127.0.0.1:9091", "where service Stock listens")
	shopAddress  = flag.String("shop", "tcp://127.0.0.1:9090", "where service Shop listens")
	pageAddress  = flag.String("page", "127.0.0.1:8080", "where the page with the calls is")
	isShort      = flag.Bool("short", false, "end after two calls")
)

// stock is an implementation of service Stock: one call of ten fails.
type stock struct{}

func (stock) Count(_ context.Context, item string) (int64, error) {
	if rand.IntN(10) == 0 {
		return 0, rpc.Errorf(rpc.Unavailable, "the shelf is being refilled")
	}
	return int64(len(item)), nil
}

// shop is an implementation of service Shop.
type shop struct{ stock *shops.StockClient }

func (s shop) Quote(ctx context.Context, item string, pieces int32) (string, error) {
	// The deadline of the caller goes on to the stock with what remains of it.
	there, err := s.stock.Count(ctx, item)
	if err != nil {
		return "", err
	}
	if int64(pieces) > there {
		return "", &shops.SoldOut{Item: item}
	}
	return fmt.Sprintf("%d x %s: %d", pieces, item, 3*pieces), nil
}

// serve listens, and answers calls until the process ends.
func serve(address string, register func(*rpc.Server), calls *metrics.Calls) {
	server := rpc.NewServer()
	server.Interceptors = []rpc.Interceptor{calls.Intercept}
	register(server)
	listener, err := rpc.Listen(address)
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Fatal(server.Serve(listener)) }()
}

// client calls a service; calls that are answered with Unavailable are repeated.
func client(address string, calls *metrics.Calls) *rpc.Client {
	client := rpc.Dial(address)
	client.Interceptors = []rpc.Interceptor{calls.Intercept}
	client.Policies.IsIdempotent = func(service, method string) bool { return method == "count" || method == "quote" }
	return client
}

func main() {
	flag.Parse()
	calls := metrics.New()
	serve(*stockAddress, func(s *rpc.Server) { shops.RegisterStock(s, stock{}) }, calls)
	serve(*shopAddress, func(s *rpc.Server) {
		shops.RegisterShop(s, shop{shops.NewStockClient(client(*stockAddress, calls))})
	}, calls)
	go http.ListenAndServe(*pageAddress, calls.Page())

	buyer := shops.NewShopClient(client(*shopAddress, calls))
	quote := func(item string, pieces int32) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		text, err := buyer.Quote(ctx, item, pieces)
		var sold *shops.SoldOut
		switch {
		case errors.As(err, &sold):
			fmt.Println(sold.Item, "is sold out")
		case err != nil:
			fmt.Println(err)
		default:
			fmt.Println(text)
		}
	}
	quote("apple", 3)
	quote("fig", 9)
	if *isShort {
		return
	}
	fmt.Printf("calls are on http://%s; it ends with Ctrl-C\n", *pageAddress)
	shopping(buyer)
}

// shopping buys until the process is told to end.
func shopping(buyer *shops.ShopClient) {
	ended, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	for ended.Err() == nil {
		ctx, cancel := context.WithTimeout(ended, time.Second)
		buyer.Quote(ctx, "pear", rand.Int32N(5))
		cancel()
		time.Sleep(time.Millisecond)
	}
}
