package compose

import (
	"context"
	"errors"
	"runtime/metrics"
	"strconv"
	"testing"

	"einvoice/formats/pdf/page/language"
	"einvoice/model"
	"einvoice/model/sampled"
)

// asked is a context that ends when it was asked so often. It measures the work between two
// questions by what is allocated, which does not depend on the machine.
type asked struct {
	context.Context
	questions, ends int
	before, most    uint64 // bytes
}

func (a *asked) Err() error {
	now := allocated()
	if a.questions > 0 {
		a.most = max(a.most, now-a.before)
	}
	a.before = now
	if a.questions++; a.questions > a.ends {
		return context.Canceled
	}
	return nil
}

func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// Every list of an invoice asks whether the time is over for every few of its entries, and
// little is done after the time is over.
func TestComposingEnds(t *testing.T) {
	const entries = 600
	fields := model.ObjectOf(&model.Invoice{}).Type.Fields
	for i := range fields {
		f := &fields[i]
		if f.Kind != model.KindList {
			continue
		}
		inv := &model.Invoice{}
		for i := range entries {
			fillAll(model.ObjectOf(inv).AppendGroup(f), "item "+strconv.Itoa(i), 1)
		}
		compose := func(ends int) (*asked, error) {
			ctx := &asked{Context: t.Context(), ends: ends}
			_, err := composedWith(ctx, inv, language.Load("en"), &Options{Look: lookNamed("general"), Pages: maxPages}, 1, false)
			return ctx, err
		}
		const noise = 1 << 20 // what is allocated is counted in blocks, also those of the runtime
		var all *asked
		for try := range 3 {
			start := allocated()
			var err error
			if all, err = compose(1 << 40); err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			total := allocated() - start
			if all.most <= total/10+noise {
				break
			}
			if try == 2 {
				t.Errorf("%s: %d of %d bytes are allocated without a question", f.Name, all.most, total)
			}
		}
		for part := range 9 {
			if !sampled.Takes(part+i, 4) {
				continue
			}
			ends := all.questions * part / 10
			ended, err := compose(ends)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: ended after %d of %d questions, the error is %v", f.Name, ends, all.questions, err)
			}
			if ended.questions-ends > 4*entries {
				t.Errorf("%s: ended after %d questions, asked %d more", f.Name, ends, ended.questions-ends)
			}
		}
	}
}
