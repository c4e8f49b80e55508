package shop

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"hone/go/compat/kitex/ours/shop/api"
	"hone/go/compat/kitex/ours/shop/base"
	"hone/go/thrift"
)

// CallAll calls each function and checks its answer.
func CallAll(caller thrift.Caller) error {
	shopper, me := api.NewShopClient(caller), &base.Context{Caller: "me"}
	if alive, err := shopper.Alive(context.Background()); !alive || err != nil {
		return fmt.Errorf("alive: %w", err)
	}
	for _, id := range []api.ItemID{7, 100000} {
		if item, err := shopper.Find(context.Background(), id, me); err != nil || item.ID != id || item.Price != 9.99 || len(item.Raw) != int(id) {
			return fmt.Errorf("find %d: %w", id, err)
		}
	}
	var missing *base.NotFound
	if _, err := shopper.Find(context.Background(), -1, me); !errors.As(err, &missing) || missing.Key != "of me" {
		return fmt.Errorf("a declared exception: %w", err)
	}
	order := &api.Order{Items: []int64{1, 2}, Payment: &api.Payment{Cash: thrift.PointerTo(int64(3))}}
	if n, err := shopper.Order(context.Background(), order, 2); n != 2 || err != nil {
		return fmt.Errorf("order: %w", err)
	}
	var stock *api.OutOfStock
	if _, err := shopper.Order(context.Background(), order, 1); !errors.As(err, &stock) || stock.ID != 1 || stock.Text != "größer" {
		return fmt.Errorf("another declared exception: %w", err)
	}
	if err := shopper.Forget(context.Background(), 5); err != nil {
		return fmt.Errorf("a one-way call: %w", err)
	}
	if err := awaitForgotten(shopper, 5); err != nil {
		return fmt.Errorf("after a one-way call: %w", err)
	}
	if all, err := shopper.All(context.Background()); err != nil || len(all["a"]) != 1 || all["a"][0].ID != 1 {
		return fmt.Errorf("all: %w", err)
	}
	return nil
}

// awaitForgotten requests an item until the shop has forgotten it, as a one-way call has told it to.
func awaitForgotten(shopper *api.ShopClient, id api.ItemID) error {
	for {
		_, err := shopper.Find(context.Background(), id, &base.Context{Caller: "me"})
		if missing := (*base.NotFound)(nil); errors.As(err, &missing) && missing.Key == "forgotten" {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// CallAtOnce makes calls at the same time, and checks that each gets its own answer.
func CallAtOnce(caller thrift.Caller, callers, turns int) error {
	shopper := api.NewShopClient(caller)
	results := make(chan error, callers)
	for caller := range callers {
		go func() {
			for turn := range turns {
				id := api.ItemID(100 + caller*turns + turn)
				if item, err := shopper.Find(context.Background(), id, &base.Context{Caller: strconv.Itoa(turn)}); err != nil || item.ID != id || len(item.Raw) != int(id) {
					results <- fmt.Errorf("find %d: %w", id, err)
					return
				}
			}
			results <- nil
		}()
	}
	var failed []error
	for range callers {
		failed = append(failed, <-results)
	}
	return errors.Join(failed...)
}
