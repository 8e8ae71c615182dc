package engine

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
	"testing/fstest"

	"einvoice/rulesets"

	"github.com/google/cel-go/common/types"
)

// What a store gives back is what checking gives, for every expression of the
// shipped rulesets.
func TestStoreGivesBackWhatWasChecked(t *testing.T) {
	l, err := Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	data, err := l.CompileExpressions()
	if err != nil {
		t.Fatal(err)
	}
	again, err := l.CompileExpressions()
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("the same rules give different stores: %v", err)
	}
	stored, err := Open(fstest.MapFS{StoreFile: {Data: data}})
	if err != nil {
		t.Fatal(err)
	}
	if len(stored.store()) < 200 {
		t.Fatalf("only %d expressions are stored", len(stored.store()))
	}
	for key := range stored.store() {
		name, text, _ := bytes.Cut([]byte(key), []byte("\n"))
		this := types.NewObjectType(string(name))
		if string(name) == elementType.TypeName() {
			this = elementType
		}
		want, err := checkCEL(string(text), this)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := stored.stored(string(text), this)
		if !ok || describe(got) != describe(want) {
			t.Errorf("%s: %v\n%s\n%s", text, ok, describe(got), describe(want))
		}
	}
}

// describe writes a tree without positions, which a store leaves out.
func describe(n *node) string {
	if n == nil {
		return "nothing"
	}
	out := fmt.Sprintf("(%d %q %q %s", n.op, n.name, n.text, storedType(n.typ))
	for _, arg := range n.args {
		out += " " + describe(arg)
	}
	return out + ")"
}

// A damaged store is as good as none: expressions are checked as ever.
func TestDamagedStoreIsNotUsed(t *testing.T) {
	this := types.NewObjectType("Invoice")
	n, err := checkCEL(`this.lines.all(l, l.netAmount > 0.5)`, this)
	if err != nil {
		t.Fatal(err)
	}
	store := appendText(appendText(append([]byte(storeMagic), 1), storeKey("x", this)), string(n.append(nil)))
	intact, err := Open(fstest.MapFS{StoreFile: {Data: store}})
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := intact.stored("x", this); !ok || !reflect.DeepEqual(describe(got), describe(n)) {
		t.Fatal("the intact store should be used")
	}
	for i := range store {
		l, err := Open(fstest.MapFS{StoreFile: {Data: store[:i]}})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := l.stored("x", this); ok {
			t.Errorf("a store cut after %d of %d bytes is used", i, len(store))
		}
	}
}
