package formats

import (
	"os"
	"testing"

	"einvoice/model/source"
)

// Locations in losses are those that findings have.
func TestPaths(t *testing.T) {
	for _, file := range []string{"ubl/testdata/full-invoice.xml", "ubl/testdata/full-creditnote.xml", "cii/testdata/full.xml"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Read(data, Options{})
		if err != nil {
			t.Fatal(err)
		}
		tree := doc.Source
		p := newPaths(tree)
		for n := tree.Root(); int(n) < len(tree.Elements); n++ {
			if got, want := p.of(n.Ref()), tree.Path(n.Ref()); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			e := &tree.Elements[n]
			for i := range e.Attrs {
				ref := (e.FirstAttr + source.Attr(i)).Ref()
				if got, want := p.of(ref), tree.Path(ref); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		}
	}
}
