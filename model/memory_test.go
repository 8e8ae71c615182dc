package model

import (
	"math/rand/v2"
	"reflect"
	"strconv"
	"sync"
	"testing"

	"einvoice/model/source"
)

// fill makes groups at random below a group, by one pair of functions.
func fill(r *rand.Rand, o Object, depth int, ensure, add func(Object, *Field) Object) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch f.Kind {
		case KindGroup:
			if depth > 0 && r.IntN(3) == 0 {
				fill(r, ensure(o, f), depth-1, ensure, add)
			}
		case KindList:
			if depth > 0 && r.IntN(3) == 0 {
				for range r.IntN(12) {
					fill(r, add(o, f), depth-1, ensure, add)
				}
			}
		default:
			if r.IntN(4) == 0 {
				o.Set(f, strconv.Itoa(r.IntN(1000)))
			}
		}
	}
}

// Documents that are made in memory that others left are the same as those that are made
// again, whatever was in it, also by several goroutines at a time.
func TestMemory(t *testing.T) {
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 150 {
				seed := uint64(worker*1000 + i)
				want := &Invoice{}
				fill(rand.New(rand.NewPCG(seed, 1)), ObjectOf(want), 3, Object.EnsureGroup, Object.AppendGroup)
				in := NewMemory()
				made := in.NewInvoice()
				if !reflect.DeepEqual(made, &Invoice{}) {
					t.Errorf("%d: a new invoice is not empty", seed)
				}
				fill(rand.New(rand.NewPCG(seed, 1)), ObjectOf(made), 3, in.EnsureGroup, in.AppendGroup)
				if !reflect.DeepEqual(made, want) {
					t.Errorf("%d: what was made in memory differs", seed)
				}
				doc := Made(made, in, UBL, nil)
				if i%3 == 0 {
					continue // somebody keeps it
				}
				again := *doc
				doc.GiveBack()
				doc.GiveBack()
				again.GiveBack() // a copy of it takes nothing from the next one
			}
		})
	}
	all.Wait()
}

// A copy of a document that was given back does not give back the memory of the next one.
func TestGiveBackTwice(t *testing.T) {
	in := &Memory{}
	doc := Made(in.NewInvoice(), in, UBL, source.NewTree("<a/>", 1, 0))
	early := *doc
	doc.GiveBack()
	if doc.Invoice != nil || doc.Source != nil {
		t.Error("a document that was given back still has an invoice or a source")
	}
	next := Made(in.NewInvoice(), in, UBL, nil)
	next.Invoice.Number = NewText("kept")
	early.GiveBack()
	if next.Invoice.Number.Raw != "kept" {
		t.Error("the invoice of the next document was emptied")
	}
}
