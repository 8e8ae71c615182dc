package expr_test

import (
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/engine/expr"
	"einvoice/model"
	"einvoice/rulesets"
)

// What a store gives back is what checking gives, for every expression of the
// shipped rulesets.
func TestStoreGivesBackWhatWasChecked(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	files, err := l.Compile()
	if err != nil {
		t.Fatal(err)
	}
	expressions := 0
	for name, data := range files {
		if !strings.HasPrefix(name, engine.StoreFolder+"/expressions-") {
			continue
		}
		store := expr.OpenStore(string(data))
		expressions += store.Len()
		for _, difference := range store.Differences() {
			t.Error(difference)
		}
	}
	if expressions < 2000 {
		t.Errorf("only %d expressions are stored", expressions)
	}
}

// A damaged store is as good as none: expressions are checked when they are
// compiled.
func TestDamagedStoreIsNotUsed(t *testing.T) {
	this := expr.Group(model.InvoiceType())
	const text = "this.lines.all(l, l.netAmount > 0.5)"
	whole := expr.Checked{}
	if err := whole.Add(text, this); err != nil {
		t.Fatal(err)
	}
	data := whole.Encode()
	if !expr.OpenStore(string(data)).Has(text, this) {
		t.Fatal("the intact store is not used")
	}
	for i := range data {
		if expr.OpenStore(string(data[:i])).Has(text, this) {
			t.Errorf("a store cut after %d of %d bytes is used", i, len(data))
		}
	}
}
