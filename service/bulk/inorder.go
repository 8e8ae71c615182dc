package bulk

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// orderedChunk is how many items a goroutine of inOrder takes at a time.
const orderedChunk = 64

// inOrder applies work to all items of a list, some at a time, and yields what comes of
// them in the order of the list. It holds a few chunks of items in memory.
func inOrder[T any](ctx context.Context, jobs int, list func(yield func(T) error) error, work func(T) T, yield func(T) error) error {
	jobs = max(jobs, 1)
	group, ctx := errgroup.WithContext(ctx)
	type chunk struct {
		items []T
		done  chan struct{}
	}
	queue, todo := make(chan *chunk, 2*jobs), make(chan *chunk, 2*jobs)
	group.Go(func() error {
		defer close(queue)
		defer close(todo)
		items := make([]T, 0, orderedChunk)
		hand := func() error {
			c := &chunk{items, make(chan struct{})}
			items = make([]T, 0, orderedChunk)
			for _, to := range []chan *chunk{queue, todo} {
				select {
				case to <- c:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		}
		err := list(func(item T) error {
			if items = append(items, item); len(items) == orderedChunk {
				return hand()
			}
			return nil
		})
		if err != nil {
			return err
		}
		return hand()
	})
	for range jobs {
		group.Go(func() error {
			for c := range todo {
				for i := range c.items {
					if ctx.Err() != nil {
						return ctx.Err()
					}
					c.items[i] = work(c.items[i])
				}
				close(c.done)
			}
			return nil
		})
	}
	group.Go(func() error {
		for c := range queue {
			select {
			case <-c.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			for _, item := range c.items {
				if err := yield(item); err != nil {
					return err
				}
			}
		}
		return ctx.Err()
	})
	return group.Wait()
}
