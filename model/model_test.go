package model_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"einvoice/model"
)

func ExampleObject() {
	inv := model.Invoice{Totals: &model.Totals{SumOfLineNetAmounts: model.NewAmount("100.00")}}
	invoice := model.ObjectOf(&inv)
	totals, _ := invoice.Type.Field("totals")
	sum, _ := totals.Elem.Field("sumOfLineNetAmounts")
	fmt.Println(sum.BT, invoice.Group(totals).Number(sum).Value)
	// Output: BT-106 100.00
}

// Every code of the standard is on exactly one field. BG-2 has no field: its terms,
// businessProcessType and specificationId, are fields of the invoice. In an extension,
// where one type serves several groups, a term can be without a code, and a code that
// occurs again has the same name. Terms that CII has beside those of the standard have
// no code either.
func TestTermsCoverTheStandard(t *testing.T) {
	seen, names := map[string]string{}, map[string]string{}
	visited := map[*model.Type]bool{}
	var walk func(typ *model.Type, extended bool)
	walk = func(typ *model.Type, extended bool) {
		if visited[typ] {
			return
		}
		visited[typ] = true
		for i := range typ.Fields {
			f := &typ.Fields[i]
			place, extended := typ.Name+"."+f.Name, extended || f.Extension != ""
			if f.BT != "" {
				if other, ok := seen[f.BT]; ok && (!extended || names[f.BT] != f.Term) {
					t.Errorf("%s is on both %s and %s", f.BT, other, place)
				}
				seen[f.BT], names[f.BT] = place, f.Term
			}
			if f.Name == "" || f.Card == "" || f.Kind.IsLeaf() && (f.BT == "" && !extended && typ.Name != "Quantity" || f.Term == "") {
				t.Errorf("%s lacks a tag: %+v", place, f)
			}
			if f.Elem != nil {
				walk(f.Elem, extended)
			}
		}
	}
	walk(model.InvoiceType(), false)
	for n := 1; n <= 165; n++ {
		if code := fmt.Sprintf("BT-%d", n); seen[code] == "" && !gap[n] {
			t.Errorf("%s has no field", code)
		}
	}
	for n := 1; n <= 32; n++ {
		if code := fmt.Sprintf("BG-%d", n); seen[code] == "" && n != 2 {
			t.Errorf("%s has no field", code)
		}
	}
}

// gap are the numbers that EN 16931-1 does not use.
var gap = map[int]bool{4: true}

func TestAbsentEmptyAndZeroDiffer(t *testing.T) {
	var inv model.Invoice
	if err := json.Unmarshal([]byte(`{"number":"","totals":{"paidAmount":0,"amountDueForPayment":"12.50"}}`), &inv); err != nil {
		t.Fatal(err)
	}
	if !inv.Number.Present || inv.BuyerReference.Present {
		t.Errorf("number present %v, buyerReference present %v", inv.Number.Present, inv.BuyerReference.Present)
	}
	if !inv.Totals.PaidAmount.Present || inv.Totals.RoundingAmount.Present {
		t.Error("a written 0 must differ from an absent amount")
	}
	out, err := json.Marshal(&inv)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"number":"","totals":{"paidAmount":0,"amountDueForPayment":12.50}}`; string(out) != want {
		t.Errorf("got %s, want %s", out, want)
	}
}

func TestObjectReadsInsideAbsentGroups(t *testing.T) {
	invoice := model.ObjectOf(&model.Invoice{})
	totals, _ := invoice.Type.Field("totals")
	group := invoice.Group(totals)
	if group.Present() {
		t.Fatal("totals should be absent")
	}
	for i := range group.Type.Fields {
		if f := &group.Type.Fields[i]; group.Has(f) || group.Raw(f) != "" || group.RefOf(f) != 0 {
			t.Errorf("%s is present inside an absent group", f.Name)
		}
	}
}

func TestAppendGroupKeepsEntries(t *testing.T) {
	inv := &model.Invoice{}
	invoice := model.ObjectOf(inv)
	lines, _ := invoice.Type.Field("lines")
	id, _ := lines.Elem.Field("identifier")
	for i := range 10 {
		*invoice.AppendGroup(lines).Text(id) = model.NewText(fmt.Sprint(i))
	}
	for i := range inv.Lines {
		if inv.Lines[i].Identifier.Raw != fmt.Sprint(i) {
			t.Errorf("line %d is %q", i, inv.Lines[i].Identifier.Raw)
		}
	}
	if len(inv.Lines) != 10 {
		t.Errorf("%d lines", len(inv.Lines))
	}
}

func TestNearest(t *testing.T) {
	if got := model.InvoiceType().Nearest("isueDate"); got != "issueDate" {
		t.Errorf("got %q", got)
	}
}
