package validate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/rulesets"
	"einvoice/service/validate"
)

// endsAt is a context that ends when it is asked for the nth time.
type endsAt struct {
	context.Context
	asked atomic.Int64
	end   int64
}

func (c *endsAt) Err() error {
	if c.asked.Add(1) > c.end {
		return context.Canceled
	}
	return nil
}

// A check asks its context for each rule, in every pass over the rules, and ends wherever the
// context ends: with its error, without another pass.
func TestCheckEnds(t *testing.T) {
	const rules = 150
	written := func(head, id, assert string) *fstest.MapFile {
		var b strings.Builder
		b.WriteString(head)
		for i := range rules {
			fmt.Fprintf(&b, "  - {id: %s-%d, level: fatal, context: /invoice, assert: '%s', btCodes: [BT-10], fields: [buyerReference], message: State it., text: It is there.}\n", id, i, fmt.Sprintf(assert, i))
		}
		return &fstest.MapFile{Data: []byte(b.String())}
	}
	for name, assert := range map[string]string{
		"right":         `filled(this.buyerReference)`,
		"mistaken":      `filled(this.buyerReferenc)`,
		"contradictory": `this.buyerReference == "%d"`,
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(assert, "%d") {
				assert += "%.0d"
			}
			folder := engine.Layered(fstest.MapFS{
				"own/1/rules.yaml":  written("ruleset: own\nversion: 1\nlayer: cius\nrules:\n", "OWN", assert),
				"overlays/own.yaml": written("overlay: own\ntitle: Own\nowner: Us\non: {rulesets: [en16931]}\nrules:\n", "OVER", assert),
			}, rulesets.FS)
			check := func(end int64) (asked int64, err error) {
				library, openErr := engine.Open(folder)
				if openErr != nil {
					t.Fatal(openErr)
				}
				ctx := &endsAt{Context: context.Background(), end: end}
				defer library.Until(ctx)()
				err = validate.CheckLibrary(library, false)
				return ctx.asked.Load(), err
			}
			all, err := check(1 << 40)
			if errors.Is(err, context.Canceled) || all < 3*rules {
				t.Fatalf("a check of %d rules asked its context %d times: %v", 2*rules, all, err)
			}
			for end := int64(0); end < all; end += all/6 + 1 {
				asked, err := check(end)
				if !errors.Is(err, context.Canceled) || asked > end+50 {
					t.Errorf("a check whose context ended at %d of %d asked %d times: %v", end, all, asked, err)
				}
			}
		})
	}
}

// Whoever reads every ruleset, as completion of rules' ids does, ends with the context, wherever
// it ends: no further file is opened, also of rulesets that the program has stored.
func TestReadingRulesetsEnds(t *testing.T) {
	extended := map[string]bool{} // what others extend may have been read with those
	read := func(end int64) (loaded, ended int) {
		library, err := engine.Open(rulesets.FS)
		if err != nil {
			t.Fatal(err)
		}
		versions, err := library.Versions()
		if err != nil {
			t.Fatal(err)
		}
		defer library.Until(&endsAt{Context: context.Background(), end: end})()
		for family, of := range versions {
			for _, version := range of {
				switch s, err := library.Ruleset(family + "/" + version); {
				case err == nil && ended > 0 && !extended[family+"/"+version]:
					t.Errorf("after %d questions the context had ended, and then %s/%s was read", end, family, version)
				case err == nil:
					loaded++
					extended[s.Extends] = true
				case errors.Is(err, context.Canceled):
					ended++
				default:
					t.Errorf("%s/%s: %v", family, version, err)
				}
			}
		}
		return loaded, ended
	}
	if loaded, ended := read(1 << 40); loaded < 20 || ended > 0 {
		t.Fatalf("%d rulesets were read, %d were not", loaded, ended)
	}
	for _, end := range []int64{0, 10, 100} {
		if _, ended := read(end); ended == 0 {
			t.Errorf("after %d questions the context ended, and every ruleset was read", end)
		}
	}
}
