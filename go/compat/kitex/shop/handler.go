package shop

import (
	"context"
	"errors"
	"sync"

	"hone/go/compat/kitex/ours/shop/api"
	"hone/go/compat/kitex/ours/shop/base"
	"hone/go/rpc"
)

// Handler is a shop that acts the same behind our server and behind Kitex's: its answers follow from the arguments.
type Handler struct {
	mu        sync.Mutex
	forgotten map[api.ItemID]bool
	// Entered receives the contexts of calls of Nothing, which wait for their context, or for Release.
	Entered chan context.Context
	Release chan struct{}
}

// NewHandler returns a shop that has forgotten nothing.
func NewHandler() *Handler {
	return &Handler{forgotten: map[api.ItemID]bool{}, Entered: make(chan context.Context, 1000), Release: make(chan struct{})}
}

// Alive implements [api.Shop].
func (*Handler) Alive(context.Context) (bool, error) { return true, nil }

// Find implements [api.Shop].
func (s *Handler) Find(_ context.Context, id api.ItemID, asked *base.Context) (*api.Item, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case id == -1:
		return nil, &base.NotFound{Key: "of " + asked.GetCaller()}
	case id == -2:
		return nil, errors.New("the shelf fell over")
	case id == -3:
		return nil, &rpc.BizStatusError{Status: 404, Message: "größer", Extra: map[string]string{"shelf": "7"}}
	case s.forgotten[id]:
		return nil, &base.NotFound{Key: "forgotten"}
	}
	item := api.NewItem()
	item.ID, item.Raw = id, make([]byte, id)
	return item, nil
}

// Order implements [api.Shop].
func (*Handler) Order(_ context.Context, order *api.Order, limit int32) (int64, error) {
	if len(order.Items) > int(limit) {
		return 0, &api.OutOfStock{ID: order.Items[0], Text: "größer"}
	}
	return int64(len(order.Items)), nil
}

// Forget implements [api.Shop].
func (s *Handler) Forget(_ context.Context, id api.ItemID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgotten[id] = true
	return nil
}

// Nothing implements [api.Shop].
func (s *Handler) Nothing(ctx context.Context) error {
	s.Entered <- ctx
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.Release:
		return nil
	}
}

// All implements [api.Shop].
func (*Handler) All(context.Context) (map[string][]*api.Item, error) {
	item := api.NewItem()
	item.ID = 1
	return map[string][]*api.Item{"a": {item}}, nil
}
