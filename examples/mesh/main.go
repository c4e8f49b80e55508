// Two services behind proxies, and who buys from them: the processes of `make mesh-demo`.
//
//	go generate && go build -o mesh-demo .
//	mesh-demo stock shm:///tmp/stock      # with -failing, every tenth call fails
//	mesh-demo shop shm:///tmp/shop shm:///tmp/stock-by-proxy
//	mesh-demo buy shm:///tmp/shop-by-proxy
package main

//go:generate go run hone/go/cmd/hone-thrift gen -o gen ../rpc/shops.thrift

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"hone/go/rpc"
	"shops/gen/shops"
)

var (
	isFailing = flag.Bool("failing", false, "stock: fail every tenth call")
	callers   = flag.Int("callers", 20, "buy: how many buy at once")
	lasts     = flag.Duration("for", 10*time.Second, "buy: for how long")
)

// stock is an implementation of service Stock.
type stock struct{ calls atomic.Int64 }

func (s *stock) Count(_ context.Context, item string) (int64, error) {
	if *isFailing && s.calls.Add(1)%10 == 0 {
		return 0, rpc.Errorf(rpc.Unavailable, "the shelf is being refilled")
	}
	return int64(len(item)), nil
}

// shop is an implementation of service Shop.
type shop struct{ stock *shops.StockClient }

func (s shop) Quote(ctx context.Context, item string, pieces int32) (string, error) {
	there, err := s.stock.Count(ctx, item)
	if err != nil {
		return "", err
	}
	if int64(pieces) > there {
		return "", &shops.SoldOut{Item: item}
	}
	return fmt.Sprintf("%d x %s: %d", pieces, item, 3*pieces), nil
}

func main() {
	flag.Parse()
	words := flag.Args()
	server := rpc.NewServer()
	switch {
	case len(words) == 2 && words[0] == "stock":
		shops.RegisterStock(server, new(stock))
		run(server, words[1])
	case len(words) == 3 && words[0] == "shop":
		shops.RegisterShop(server, shop{shops.NewStockClient(rpc.Dial(words[2]))})
		run(server, words[1])
	case len(words) == 2 && words[0] == "buy":
		buy(words[1])
	default:
		fmt.Fprintln(os.Stderr, "usage: mesh-demo [OPTIONS] stock ADDRESS | shop ADDRESS STOCK | buy SHOP")
		os.Exit(2)
	}
}

// run answers calls until the process is told to end.
func run(server *rpc.Server, address string) {
	if err := server.Run(address); err != nil {
		log.Fatal(err)
	}
}

// buy calls the shop from several callers at once, and says what came of it: calls, failures, and two quantiles of the time of a call in
// microseconds.
func buy(address string) {
	client := rpc.Dial(address)
	var mu sync.Mutex
	var all []time.Duration
	failed := 0
	var everyone sync.WaitGroup
	end := time.Now().Add(*lasts)
	for range *callers {
		everyone.Go(func() {
			buyer := shops.NewShopClient(client)
			var took []time.Duration
			failures := 0
			for time.Now().Before(end) {
				began := time.Now()
				ctx, cancel := context.WithTimeout(context.Background(), time.Second)
				_, err := buyer.Quote(ctx, "apple", 3)
				cancel()
				if took = append(took, time.Since(began)); err != nil {
					failures++
				}
			}
			mu.Lock()
			defer mu.Unlock()
			all, failed = append(all, took...), failed+failures
		})
	}
	everyone.Wait()
	slices.Sort(all)
	fmt.Println(len(all), failed, all[len(all)/2].Microseconds(), all[len(all)*99/100].Microseconds())
}
