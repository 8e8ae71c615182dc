package workbench_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"einvoice/model/sampled"
	"einvoice/service/operation"
	"einvoice/service/workbench"
)

// endsAfter is a context that ends when it was asked so often.
type endsAfter struct {
	context.Context
	left atomic.Int64
}

func (c *endsAfter) Err() error {
	if c.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// Calls on a draft end with their context, wherever they are in it: what they would do afterwards
// is not worth a hundred questions more.
func TestDraftsEndWithTheirContext(t *testing.T) {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	rules := sampled.Of(200, 4)
	for kind, assert := range map[string]string{"right": "filled(this.buyerReference)", "wrong": "filled(this.buyerReferenc)"} {
		var text strings.Builder
		text.WriteString("ruleset: own\nversion: 1\nlayer: cius\nrules:\n")
		for i := range rules {
			fmt.Fprintf(&text, "  - {id: OWN-%d, level: fatal, context: /invoice, assert: '%s || %d > 1', btCodes: [BT-10], fields: [buyerReference], message: State it., text: It is there.}\n", i, assert, i)
		}
		for _, call := range []string{"draft", "check", "rules", "card"} {
			request, err := json.Marshal(map[string]any{"draft": map[string]string{"own/1/rules.yaml": text.String()}})
			if err != nil {
				t.Fatal(err)
			}
			desk := workbench.New(s, workbench.Config{})
			ctx := &endsAfter{Context: t.Context()}
			ctx.left.Store(int64(rules / 2))
			if _, err := desk.Call(ctx, call, request); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s of a draft that is %s: %v", call, kind, err)
			}
			if _, err := desk.Call(t.Context(), call, request); errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s of a draft that is %s: what was given up is kept", call, kind)
			}
		}
	}
}
