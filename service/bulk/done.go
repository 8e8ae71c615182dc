package bulk

import (
	"context"
	"iter"
	"math/bits"
)

// A batchSet is some batches of a manifest: a bit each, so that a hundred million documents
// are 50 KB.
type batchSet []uint64

func (s *batchSet) add(batch int) {
	for len(*s) <= batch/64 {
		*s = append(*s, 0)
	}
	(*s)[batch/64] |= 1 << (batch % 64)
}

func (s batchSet) has(batch int) bool { return batch/64 < len(s) && s[batch/64]&(1<<(batch%64)) != 0 }

// all are the batches, in order.
func (s batchSet) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for batch := range len(s) * 64 {
			if s.has(batch) && !yield(batch) {
				return
			}
		}
	}
}

// done are the batches that have their segment.
func (f *finished) done(ctx context.Context) (set batchSet, err error) {
	err = f.target.Each(ctx, resultsFolder+"/", func(name string) error {
		if batch, is := f.batchOf(name); is {
			set.add(batch)
		}
		return nil
	})
	return set, err
}

// len counts them.
func (s batchSet) len() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}
