package page_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/text"
	"einvoice/model"
	"einvoice/model/sampled"
)

// The looks of the program have no fault, and each fault of one's own is told.
func TestCheckLook(t *testing.T) {
	for _, name := range look.Names() {
		l, err := look.BuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		if faults, err := page.CheckLook(t.Context(), l, drawn); err != nil || len(faults) > 0 {
			t.Errorf("%s: %v, %q", name, err, faults)
		}
	}
	for keys, want := range map[string]string{
		`colours: {text: "#FFFFFF", muted: "#FFFFFF", accent: "#FFFFFF", line: "#FFFFFF", shade: "#FFFFFF"}`: "contrast of 1.0",
		`colours: {text: "#111111", muted: "#999999", accent: "#112233", line: "#CCCCCC", shade: "#EEEEEE"}`: "muted on paper",
		`sections: [parties, lines, totals]`:                  "", // BT-2 is beside the address
		`sections: [parties, facts, lines, payment, further]`: "",
		`sections: [parties, facts, totals]`:                  "(BT-131) is not in the body",
		`before: {xx: Hallo}`:                                 `no pages in "xx"`,
		`countries: [FR]`:                                     "countries",
		`logo: {x: 20, y: 10, width: 40, height: 20}`:         "no file",
		`logo: {x: 20}`:                                       "no file",
		`logo: {right: true}`:                                 "no file",
		`letter: {marks: [{x: 4, y: 105}]}`:                   "mark 1 has no width",
		`letter: {marks: [{x: 4, y: 105, width: 5}, {x: 4, y: 210, width: 5, height: 9}]}`: "mark 2 has a height",
		`logo: {file: logo.svg, x: 20, y: 60, width: 80, height: 40}`:                      "and the logo overlap",
		`paper: {first: paper.pdf}`:                                                                 "overlap",
		`paper: {first: empty.pdf, following: paper.pdf}`:                                           "the pages that follow it shows something where texts or the logo stand",
		`paper: {first: empty.pdf, following: empty.pdf}`:                                           "",
		`letter: {sender: {y: 64, width: 80}, recipient: {x: 25, y: 62.7, width: 75}, body: 103.5}`: "overlap",
		`foot: [["{seller.name}"]]`:                                                                 "no field",
		`foot: [[{at: seller, show: "{name}", bare: true}, {at: "", show: "Amtsgericht Ulm, HRB 1234", label: number}]]`: "",
		// Where the foot's own texts are too high by themselves, the page has none of it.
		"foot: [[{at: seller, show: Ulm, bare: true}" + strings.Repeat(", {at: seller, show: Ulm, bare: true}", 20) + ", seller.vatIdentifier]]": "a page has no foot of more than",
	} {
		fsys := files(t)
		fsys["empty.pdf"] = &fstest.MapFile{Data: emptySheet}
		fsys["look.yaml"] = &fstest.MapFile{Data: []byte("name: own\nbased: din5008\n" + keys + "\n")}
		l, err := page.ReadLook(fsys, "look.yaml")
		var faults []string
		if err != nil {
			faults = []string{err.Error()}
		} else if faults, err = page.CheckLook(t.Context(), l, drawn); err != nil {
			t.Fatalf("%s: %v", keys, err)
		}
		if all := strings.Join(faults, "\n"); want == "" && (keys[0] == 'f' || strings.Contains(keys, "empty.pdf")) && all != "" || !strings.Contains(all, want) {
			t.Errorf("%s: got %q, want %q", keys, all, want)
		}
	}
}

// A text in the foot that shows no term is printed.
func TestOwnFoot(t *testing.T) {
	fsys := files(t)
	fsys["look.yaml"] = &fstest.MapFile{Data: []byte("name: own\nbased: general\nfoot: [[{at: seller, show: \"{name}\", bare: true}], [{at: seller, show: \"Amtsgericht Ulm, HRB 1234\", bare: true}]]\n")}
	l, err := page.ReadLook(fsys, "look.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(pagesOf(t, printed(t, small(t, 1), page.Options{Language: "de", Look: l}).Data), "\n"); !strings.Contains(text, "Amtsgericht Ulm, HRB 1234") {
		t.Errorf("the text of the foot is missing:\n%s", text)
	}
}

// What is made of a logo and two colours is good, whatever the colours are.
func TestNewLook(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 19))
	colour := func() string { return fmt.Sprintf("#%06X", seed.IntN(1<<24)) }
	for i := range sampled.Of(12, 3) {
		based := look.Names()[i%len(look.Names())]
		accent, shade := colour(), colour()
		if i == 0 {
			accent, shade = "#FFFFFF", "#FFFFFF"
		}
		text, err := page.NewLook("own", based, "logo.svg", accent, shade)
		if err != nil {
			t.Fatal(err)
		}
		fsys := files(t)
		fsys["own.yaml"] = &fstest.MapFile{Data: []byte(text)}
		l, err := page.ReadLook(fsys, "own.yaml")
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		if faults, err := page.CheckLook(t.Context(), l, drawn); err != nil || len(faults) > 0 {
			t.Errorf("%s, %s, %s: %v, %q\n%s", based, accent, shade, err, faults, text)
		}
	}
	if _, err := page.NewLook("own", "general", "", "red", "#FFFFFF"); err == nil || !strings.Contains(err.Error(), "#124A6B") {
		t.Errorf("a colour that is none: %v", err)
	}
}

// emptySheet is a PDF of one empty page of A4.
var emptySheet = []byte("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
	"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595.28 841.89]/Resources<<>>>>endobj\ntrailer<</Root 1 0 R/Size 4>>\n%%EOF\n")

// Texts of the look stand where readers read: before above the lines, after below the payment and
// above documents and technical details; mail addresses of the foot are not broken.
func TestTextsOfLooks(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 190))
	for _, base := range look.Names() {
		for range 4 {
			inv := page.Sample()
			mail := strings.Repeat("konto", 1+seed.IntN(4)) + "@" + strings.Repeat("nordlicht", 1+seed.IntN(2)) + ".example"
			inv.Seller.Contact = &model.SellerContact{Name: model.NewText("Anna"), Email: model.NewText(mail), Phone: model.NewText("+49 731 12345")}
			inv.Lines = inv.Lines[:1+seed.IntN(3)]
			inv.SupportingDocuments = []model.SupportingDoc{{Reference: model.NewText("BEILAGE-7")}}
			fsys := files(t)
			fsys["look.yaml"] = &fstest.MapFile{Data: []byte("{name: own, based: " + base + ", before: {any: VORHER}, after: {any: NACHHER}}")}
			l, err := page.ReadLook(fsys, "look.yaml")
			if err != nil {
				t.Fatal(err)
			}
			at, whole := map[string]float64{}, false
			for i, rows := range rowsOf(t, printed(t, inv, page.Options{Language: "de", Look: l}).Data) {
				for _, r := range rows {
					for _, mark := range []string{"VORHER", "Nettobetrag", "Zahlung", "NACHHER", "BEILAGE-7", "Technische"} {
						if _, seen := at[mark]; !seen && strings.Contains(r.text(), mark) {
							at[mark] = float64(1000*i) + r[0].Box.Bottom
						}
					}
					whole = whole || slices.ContainsFunc(r, func(w text.Word) bool { return strings.Contains(w.Text, mail) })
				}
			}
			if !(at["VORHER"] < at["Nettobetrag"] && at["Zahlung"] < at["NACHHER"] && at["NACHHER"] < at["BEILAGE-7"] && at["BEILAGE-7"] < at["Technische"]) {
				t.Errorf("%s: the texts stand at %v", base, at)
			}
			if !whole && base != "general" { // which has no foot
				t.Errorf("%s: %s is broken", base, mail)
			}
		}
	}
}
