package conformance_test

import (
	"bytes"
	"flag"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/formats"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/model"
	"einvoice/model/numeral"
)

var filledPDFs = flag.String("filled", "", "folder to write pages of another program to, filled with invoices of the suites")

// fillers are what the templates of pages call.
var fillers = template.FuncMap{
	"number": func(n model.Number, decimal, group string) string { return inForm(n, decimal, group, 0) },
	"money":  func(n model.Number, decimal, group string) string { return inForm(n, decimal, group, 2) },
	"day": func(d model.Date, layout string) string {
		return time.Date(int(d.Year), time.Month(d.Month), int(d.Day), 0, 0, 0, 0, time.UTC).Format(layout)
	},
	"iban": func(inv *model.Invoice) string {
		if p := inv.Payment; p != nil {
			for _, m := range p.Means {
				for _, t := range m.CreditTransfers {
					return t.AccountIdentifier.Raw
				}
			}
		}
		return ""
	},
}

// people are put in place of the placeholders of suite documents, of which some are labels themselves.
var people = [][]string{
	{
		"[Seller name]", "Lindner &amp; Söhne GmbH", "[Seller trading name]", "Lindner", "[Seller city]", "Jena", "[Seller address line 1]", "Kirchweg 2", "[Seller street]", "Kirchweg 2",
		"[Buyer name]", "Stadtwerke Unterland AöR", "[Buyer city]", "Heilbronn", "[Buyer address line 1]", "Hafenstraße 17", "Rechnungsnummer", "RN-7731",
	},
	{
		"[Seller name]", "Okonjo Print Ltd", "[Seller trading name]", "Okonjo", "[Seller city]", "Bristol", "[Seller address line 1]", "4 Canal Walk", "[Seller street]", "4 Canal Walk",
		"[Buyer name]", "Hansen Verlag KG", "[Buyer city]", "Lübeck", "[Buyer address line 1]", "Mengstraße 4", "Rechnungsnummer", "2026/0815",
	},
	{
		"[Seller name]", "Menuiserie Gaillard SARL", "[Seller trading name]", "Gaillard", "[Seller city]", "Nantes", "[Seller address line 1]", "12 rue des Forges", "[Seller street]", "12 rue des Forges",
		"[Buyer name]", "Mairie de Clisson", "[Buyer city]", "Clisson", "[Buyer address line 1]", "3 Grande Rue", "Rechnungsnummer", "F2026-118",
	},
	{
		"[Seller name]", "De Wilde Installaties B.V.", "[Seller trading name]", "De Wilde", "[Seller city]", "Zwolle", "[Seller address line 1]", "Dijkstraat 9", "[Seller street]", "Dijkstraat 9",
		"[Buyer name]", "Bakkerij Smit", "[Buyer city]", "Kampen", "[Buyer address line 1]", "Markt 22", "Rechnungsnummer", "20260042",
	},
}

func inForm(n model.Number, decimal, group string, least int) string {
	if !n.Valid {
		return n.Raw
	}
	text := n.Value.String()
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return numeral.Form{Decimal: decimal, Group: group, Grouped: 4}.Write(text, least)
}

// TestFilledPages has Chromium print invoices of the suites in layouts that are not ours, and
// attaches the invoice, for the measure of what parse reads off pages.
func TestFilledPages(t *testing.T) {
	if *filledPDFs == "" || *chromium == "" {
		t.Skip("no folder is given with -filled, or no browser with -chromium")
	}
	suites := filepath.Join("..", "..", "shared", "suites")
	var files []string
	for _, pattern := range []string{"xrechnung-testsuite/*uncefact.xml", "cen-examples/cii-examples--*.xml"} {
		found, err := filepath.Glob(filepath.Join(suites, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Skip("no suites to read")
	}
	pages, err := template.New("").Funcs(fillers).ParseGlob("testdata/filled/*.html")
	if err != nil {
		t.Fatal(err)
	}
	layouts := pages.Templates()
	layouts = slices.DeleteFunc(layouts, func(l *template.Template) bool { return l.Name() == "" })
	slices.SortFunc(layouts, func(a, b *template.Template) int { return strings.Compare(a.Name(), b.Name()) })
	if err := os.MkdirAll(*filledPDFs, 0o750); err != nil {
		t.Fatal(err)
	}
	b := startBrowser(t, *chromium)
	dir, made := t.TempDir(), 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		who := made % len(people)
		data = []byte(strings.NewReplacer(people[who]...).Replace(string(data)))
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		const longest = 25 // lines that fit a page or two
		if inv := doc.Invoice; inv.Seller == nil || inv.Buyer == nil || inv.Totals == nil || len(inv.Lines) > longest || slices.ContainsFunc(inv.Lines, func(l model.Line) bool { return l.Item == nil || l.Price == nil || l.Vat == nil }) {
			continue
		}
		layout := layouts[made%len(layouts)]
		var page bytes.Buffer
		if err := layout.Execute(&page, doc.Invoice); err != nil {
			t.Fatal(err)
		}
		source := filepath.Join(dir, "page.html")
		save(t, source, page.Bytes())
		b.open("file://"+source, 1000, true)
		attached := archive.File{Name: "factur-x.xml", MIME: "text/xml", Relationship: "Alternative", Data: data}
		converted, err := archive.Convert(b.print(), archive.Metadata{
			Title: "Invoice", Date: time.Unix(0, 0), Creator: "filled " + strings.TrimSuffix(layout.Name(), ".html"),
			Invoice: &archive.Invoice{FileName: "factur-x.xml", ConformanceLevel: "EN 16931", Version: "1.0"},
		}, []archive.File{attached}, pdf.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		name := strings.TrimSuffix(layout.Name(), ".html") + "-" + strings.TrimSuffix(filepath.Base(file), ".xml") + ".pdf"
		save(t, filepath.Join(*filledPDFs, name), converted.Data)
		made++
	}
	if made < 30 {
		t.Errorf("only %d pages were filled", made)
	}
	t.Logf("%d PDFs", made)
}
