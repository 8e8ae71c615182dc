package totals

import (
	"reflect"
	"testing"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lines"
)

func TestWithMissing(t *testing.T) {
	const one = candidate.UnitsPerOne
	amounts := func(values ...int64) (all []candidate.Amount) {
		for _, v := range values {
			all = append(all, candidate.Amount{Number: candidate.Number{Value: v, Decimals: 2}})
		}
		return all
	}
	row := func(base, tax, rate int64) candidate.VatRow {
		return candidate.VatRow{Base: candidate.Total{Value: base, Known: true}, Tax: candidate.Total{Value: tax, Known: true}, Rate: rate}
	}
	rated := func(rates ...int64) (all []lines.Line) {
		for _, r := range rates {
			all = append(all, lines.Line{Numbers: map[string]candidate.Number{"vatRate": {Value: r, Percent: true}}})
		}
		return all
	}
	d := &draft{Pages: &candidate.Pages{Layout: &layout.Layout{}}}
	d.Lines = rated(19*one, 7*one)
	d.Chain.Net, d.Chain.Vat = candidate.Total{Value: 300 * one, Known: true}, candidate.Total{Value: 33 * one, Known: true}
	for name, c := range map[string]struct {
		printed []candidate.Amount
		rows    []candidate.VatRow
		want    []candidate.VatRow
	}{
		"the tax is printed":    {amounts(14 * one), []candidate.VatRow{row(100*one, 19*one, 19*one)}, []candidate.VatRow{row(100*one, 19*one, 19*one), row(200*one, 14*one, 7*one)}},
		"the base is printed":   {amounts(200 * one), []candidate.VatRow{row(100*one, 19*one, 19*one)}, []candidate.VatRow{row(100*one, 19*one, 19*one), row(200*one, 14*one, 7*one)}},
		"neither is printed":    {nil, []candidate.VatRow{row(100*one, 19*one, 19*one)}, nil},
		"no rate leads to it":   {amounts(18 * one), []candidate.VatRow{row(79*one, 15*one, 19*one)}, nil},
		"two ways":              {amounts(14*one, 19*one), []candidate.VatRow{row(100*one, 19*one, 19*one), row(200*one, 14*one, 7*one)}, nil},
		"a base is not known":   {amounts(14 * one), []candidate.VatRow{{Tax: candidate.Total{Value: 19 * one, Known: true}, Rate: 19 * one}}, nil},
		"nothing to begin with": {amounts(33 * one), nil, nil},
	} {
		d.Amounts = c.printed
		got := d.withMissing(c.rows)
		for i := range got {
			got[i].Base.From, got[i].Tax.From, got[i].Printed = nil, nil, nil
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
