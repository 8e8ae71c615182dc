package expr_test

import (
	"bytes"
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
	data := files[engine.StoreFolder+"/expressions.bin"]
	store := expr.ReadStore(data)
	if !bytes.Equal(store.Encode(), data) {
		t.Error("a store that was read is written in other bytes")
	}
	if len(store) < 200 {
		t.Fatalf("only %d expressions are stored", len(store))
	}
	for _, difference := range store.Differences() {
		t.Error(difference)
	}
}

// A damaged store is as good as none: expressions are checked when they are
// compiled.
func TestDamagedStoreIsNotUsed(t *testing.T) {
	this := expr.Group(model.InvoiceType())
	const text = "this.lines.all(l, l.netAmount > 0.5)"
	whole := expr.Store{}
	if err := whole.Add(text, this); err != nil {
		t.Fatal(err)
	}
	data := whole.Encode()
	if !expr.ReadStore(data).Has(text, this) {
		t.Fatal("the intact store is not used")
	}
	for i := range data {
		if expr.ReadStore(data[:i]).Has(text, this) {
			t.Errorf("a store cut after %d of %d bytes is used", i, len(data))
		}
	}
}
