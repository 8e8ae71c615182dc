package operation_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"einvoice/model/sampled"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// endsAt is a context that ends when it is asked for the nth time.
type endsAt struct {
	context.Context
	asked *atomic.Int64
	end   int64
}

func (c endsAt) Err() error {
	if c.asked.Add(1) > c.end {
		return context.Canceled
	}
	return nil
}

// Work on a larger document asks its context more often, and ends wherever the context ends.
func TestLargeWorkAsks(t *testing.T) {
	const never = 1 << 40
	lines := sampled.Of(600, 2)
	kit := kittest.Kit(t)
	sample, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	from, to := bytes.Index(sample, []byte("<cac:InvoiceLine>")), bytes.Index(sample, []byte("</ubl:Invoice>"))
	document := func(lines int) []byte {
		var b bytes.Buffer
		b.Write(sample[:from])
		for i := range lines {
			fmt.Fprintf(&b, "<cac:InvoiceLine><cbc:ID>%d</cbc:ID>%s</cac:InvoiceLine>", i, strings.Repeat("<cbc:UUID/>", 20))
		}
		b.Write(sample[to:])
		return b.Bytes()
	}
	request := func(lines int) []byte {
		return []byte(`{"lines": [` + strings.Repeat(`{"item": {"name": "a"}},`, lines) + `{}]}`)
	}
	type call = func(ctx context.Context, data []byte) error
	calls := map[string]call{"validate": func(ctx context.Context, data []byte) error {
		_, err := kit.Validate(ctx, data, validate.Rules{})
		return err
	}}
	requests := map[string]bool{}
	for _, o := range operation.All {
		for _, to := range o.To() {
			requests[o.Name+" "+to] = o.Takes == operation.Request
			calls[o.Name+" "+to] = func(ctx context.Context, data []byte) error {
				_, err := o.Run(ctx, kit, data, &operation.Values{To: to})
				return err
			}
		}
	}
	delete(calls, "parse json") // it reads pages, and no document of lines
	for name, call := range calls {
		asks := func(lines int, end int64) (int64, error) {
			data := document(lines)
			if requests[name] {
				data = request(lines)
			}
			ctx := endsAt{context.Background(), new(atomic.Int64), end}
			err := call(ctx, data)
			return ctx.asked.Load(), err
		}
		few, errFew := asks(lines, never)
		many, errMany := asks(2*lines, never)
		if err := errors.Join(errFew, errMany); err != nil || many < few+few/2 {
			t.Errorf("%s of %d lines asked its context %d times, and of %d lines %d times: %v", name, lines, few, 2*lines, many, err)
		}
		for end := int64(0); end < few; end += few/3 + 1 {
			asked, err := asks(lines, end)
			if !errors.Is(err, context.Canceled) || asked > end+50 {
				t.Errorf("%s whose context ended at %d of %d asked %d times: %v", name, end, few, asked, err)
			}
		}
	}
}
