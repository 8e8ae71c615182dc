package page_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/model"
	"einvoice/model/tongue"
)

// chanceName is a name of so many letters, in words.
func chanceName(seed *rand.Rand, letters int) string {
	var b strings.Builder
	for b.Len() < letters {
		if n := b.Len(); n > 0 && seed.IntN(9) == 0 && n < letters-1 {
			b.WriteByte(' ')
		}
		b.WriteByte(byte('a' + seed.IntN(26)))
	}
	return b.String()
}

// The line at the end of each page has the number of the document, however long the name of its
// seller is.
func TestEachPageHasTheNumber(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 31))
	tags := tongue.Tags()
	for run := range 21 {
		inv := page.Sample()
		inv.Seller.Name, inv.Number = model.NewText(chanceName(seed, 1+seed.IntN(300))), model.NewText(fmt.Sprintf("R-%d", 1000+seed.IntN(1_000_000)))
		inv.TypeCode = model.NewText([]string{"380", "381", "386", "389", "384"}[seed.IntN(5)])
		l, err := look.BuiltIn(look.Names()[run%len(look.Names())])
		if err != nil {
			t.Fatal(err)
		}
		for i, rows := range rowsOf(t, printed(t, inv, page.Options{Language: tags[run%len(tags)], Look: l}).Data) {
			if line := rows[len(rows)-1].text(); !strings.Contains(line, inv.Number.Raw) {
				t.Errorf("%s, page %d ends with %q, without %s", l.Name, i+1, line, inv.Number.Raw)
			}
		}
	}
}

// A name that has place in half of the page is not broken, and an address beside it is as large as
// the rest, where at most two parties are shown.
func TestPartiesHavePlace(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 32))
	for run := range 12 {
		inv := small(t, 1+seed.IntN(6))
		inv.Seller.Name = model.NewText(chanceName(seed, 20+seed.IntN(12)))
		mail := chanceName(seed, 6) + "@" + strings.ReplaceAll(chanceName(seed, 6+seed.IntN(12)), " ", "-") + ".example"
		mail = strings.ReplaceAll(mail, " ", "-")
		inv.Seller.ElectronicAddress = &model.SellerElectronicAddress{Identifier: model.NewText(mail), SchemeID: model.NewText("EM")}
		fsys := files(t)
		fsys["look.yaml"] = &fstest.MapFile{Data: []byte("{name: own, based: din5008, logo: {file: logo.svg, x: 190, y: 14, width: 60, height: 22, right: true}}")}
		l, err := page.ReadLook(fsys, "look.yaml")
		if err != nil {
			t.Fatal(err)
		}
		name, address := false, 0.0
		for _, rows := range rowsOf(t, printed(t, inv, page.Options{Language: tongue.Tags()[run%len(tongue.Tags())], Look: l}).Data) {
			for _, r := range rows {
				for _, cell := range r.cells() {
					name = name || cell.text() == inv.Seller.Name.Raw && cell[0].Bold
					for _, w := range cell {
						if w.Text == mail {
							address = w.Size
						}
					}
				}
			}
		}
		if !name || address < 8.99 {
			t.Errorf("run %d: %q is whole: %v; %q is set in %.1f points", run, inv.Seller.Name.Raw, name, mail, address)
		}
	}
}
