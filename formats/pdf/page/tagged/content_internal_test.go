package tagged

import (
	"bytes"
	"testing"

	"einvoice/formats/pdf/page/typeset"
)

// What is copied of shaped text is the text in its own order.
func TestActualText(t *testing.T) {
	u, st := typeset.NewFontUse(t.Context(), nil, nil, nil), &typeset.Style{Size: 10}
	p := &Content{}
	p.Text(&Element{Tag: "P"}, u, 0, 0, typeset.Words("سلام"), st)
	if !bytes.Contains(p.Operators, []byte("/ActualText <FEFF0633064406270645>")) {
		t.Errorf("the text is not said in its own order:\n%s", p.Operators)
	}
}
