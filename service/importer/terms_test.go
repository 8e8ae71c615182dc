package importer

import (
	"slices"
	"testing"
)

// Paths inside a loop are those of the elements that the loop goes through.
func TestTermsOfLoops(t *testing.T) {
	for _, test := range []struct {
		context, assert string
		want            []string
	}{
		{"/ubl:Invoice", `this.elements("cac:InvoiceLine").map(e1, e1.text("cbc:ID")).join(",") != ""`, []string{"BG-25", "BT-126"}},
		{"/ubl:Invoice", `this.elements("cac:InvoiceLine").filter(e1, e1.has("cbc:Note[. = \"a.b(\"]")).exists(e2, e2.text("cbc:ID") == "1")`, []string{"BG-25", "BT-127", "BT-126"}},
		{"/ubl:Invoice", `(this.has("cbc:ID") || true) && this.elements("cac:InvoiceLine").all(e1, e1.elements("cac:Item").exists(e2, e2.has("cbc:Name")))`, []string{"BT-1", "BG-25", "BG-31", "BT-153"}},
		{"//cac:InvoiceLine", `this.elements("cac:Item").exists(e1, e1.has("cbc:Name"))`, []string{"BG-31", "BT-153"}},
		// where a loop goes is not known: nothing is proposed for what is inside
		{"/ubl:Invoice", `[this, this].exists(e1, e1.has("cbc:ID")) && this.has("cbc:DueDate")`, []string{"BT-9"}},
		// what is between is not known either: all terms of that name are
		{"/ubl:Invoice", `this.has("cac:InvoiceLine//cbc:Percent")`, []string{"BT-96", "BT-103", "BT-119", "BT-152"}},
	} {
		got := termsOf(&Rule{Syntax: "ubl", Context: test.context, Assert: test.assert})
		slices.Sort(got)
		slices.Sort(test.want)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %s: %v, want %v", test.context, test.assert, got, test.want)
		}
	}
}
