package conformance_test

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	htmltemplate "html/template"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"time"

	"einvoice/formats"
	"einvoice/formats/hybrid"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/model"
	"einvoice/model/numeral"
)

var filledPDFs = flag.String("filled", "", "folder to write pages of other programs to, filled with invoices of the suites")

// fillers are what the templates of pages call.
var fillers = template.FuncMap{
	"number": func(n model.Number, decimal, group string) string { return inForm(n, decimal, group, 0) },
	"money":  func(n model.Number, decimal, group string) string { return inForm(n, decimal, group, 2) },
	"day": func(d model.Date, layout string) string {
		return time.Date(int(d.Year), time.Month(d.Month), int(d.Day), 0, 0, 0, 0, time.UTC).Format(layout)
	},
	"position": func(i int) int { return i + 1 },
	"sign": func(currency string) string {
		if currency == "EUR" {
			return "€"
		}
		return currency
	},
	"unit": func(code model.Text, language string) string {
		if name := unitNames[language][code.Raw]; name != "" {
			return name
		}
		return unitNames[language][""]
	},
	"withVat": func(net, rate model.Number) model.Number {
		if !net.Valid || !rate.Valid {
			return net
		}
		share := rate.Value.Add(model.NewDecimal(100)).Mul(model.MustDecimal("0.01"))
		return model.NewNumber(net.Value.Mul(share).RoundHalfUp(2).String())
	},
	"signBehind": func(text string) string {
		if number, negative := strings.CutPrefix(text, "-"); negative {
			return number + "-"
		}
		return text
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

// unitNames are what producers print for codes of units; without a code, what they print most.
var unitNames = map[string]map[string]string{
	"de": {"": "Stk.", "KWH": "kWh", "TNE": "t", "MTQ": "m³", "HUR": "Std.", "KGM": "kg", "DAY": "Tage", "MON": "Monat", "MTR": "m", "LTR": "l"},
	"fr": {"": "u", "HUR": "h", "KGM": "kg", "DAY": "jours", "MON": "mois", "MTR": "m", "LTR": "L"},
	"en": {"": "pcs", "HUR": "hrs", "KGM": "kg", "DAY": "days", "MON": "months", "MTR": "m", "LTR": "l"},
	"it": {"": "PZ", "HUR": "ORE", "KGM": "KG", "DAY": "GG", "MON": "MESI", "MTR": "MT", "LTR": "LT"},
	"es": {"": "uds", "HUR": "h", "KGM": "kg", "DAY": "días", "MON": "meses", "MTR": "m", "LTR": "l"},
	"nl": {"": "stuks", "HUR": "uur", "KGM": "kg", "DAY": "dagen", "MON": "mnd", "MTR": "m", "LTR": "l"},
	"pl": {"": "szt.", "HUR": "godz.", "KGM": "kg", "DAY": "dni", "MON": "mies.", "MTR": "m", "LTR": "l"},
	"cs": {"": "ks", "HUR": "hod", "KGM": "kg", "DAY": "dny", "MON": "měs.", "MTR": "m", "LTR": "l"},
	"sv": {"": "st", "HUR": "tim", "KGM": "kg", "DAY": "dagar", "MON": "mån", "MTR": "m", "LTR": "l"},
}

// escapes write a text of the invoice in the language of a kind of template; html/template
// does so by itself.
var escapes = map[string]func(string) string{
	".tex": strings.NewReplacer(`\`, `\textbackslash{}`, "[", "{[}", "{", `\{`, "}", `\}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "€", `\texteuro{}`, "\u00a0", "~", "\u202f", "~", "\n", " ").Replace,
	".fodt": func(s string) string {
		var b strings.Builder
		_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
		return b.String()
	},
	".py": strconv.Quote, // its escapes mean the same in Python
	".ms": strings.NewReplacer(`\`, `\[rs]`, "\n", " ", "'", `\[aq]`, ".", `\&.`).Replace,
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

// A fillable is an invoice of the suites that pages are filled with.
type fillable struct {
	name    string
	data    []byte
	invoice *model.Invoice
}

func fillables(t *testing.T) []fillable {
	t.Helper()
	suites := filepath.Join("..", "..", "shared", "suites")
	var all []fillable
	for _, pattern := range []string{"xrechnung-testsuite/*uncefact.xml", "cen-examples/cii-examples--*.xml"} {
		files, err := filepath.Glob(filepath.Join(suites, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			data = []byte(strings.NewReplacer(people[len(all)%len(people)]...).Replace(string(data)))
			doc, err := formats.Read(data, hybrid.Options())
			if err != nil {
				t.Fatal(err)
			}
			const longest = 25 // lines that fit a page or two
			if inv := doc.Invoice; inv.Seller == nil || inv.Buyer == nil || inv.Totals == nil || len(inv.Lines) > longest || slices.ContainsFunc(inv.Lines, func(l model.Line) bool { return l.Item == nil || l.Price == nil || l.Vat == nil }) {
				continue
			}
			all = append(all, fillable{strings.TrimSuffix(filepath.Base(file), ".xml"), data, doc.Invoice})
		}
	}
	return all
}

// A layout is a template that can be filled.
type layout interface {
	Execute(w io.Writer, data any) error
}

func readLayout(file string) (layout, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	name, kind := filepath.Base(file), filepath.Ext(file)
	if kind == ".html" {
		return htmltemplate.New(name).Funcs(htmltemplate.FuncMap(fillers)).Parse(string(text))
	}
	escape := escapes[kind]
	if escape == nil {
		return nil, fmt.Errorf("%s: no way is known to write a text into a file of this kind", name)
	}
	left, right := "{{", "}}"
	if kind == ".tex" { // whose own braces come in pairs
		left, right = "<<", ">>"
	}
	return template.New(name).Funcs(fillers).Funcs(template.FuncMap{"text": escape}).Delims(left, right).Parse(string(text))
}

// TestFilledPages has other programs print invoices of the suites in layouts that are not ours,
// and attaches the invoice, for the measure of what parse reads off pages.
func TestFilledPages(t *testing.T) {
	if *filledPDFs == "" {
		t.Skip("no folder is given with -filled")
	}
	invoices := fillables(t)
	if len(invoices) == 0 {
		t.Skip("no suites to read")
	}
	files, err := filepath.Glob("testdata/filled/*.*")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(*filledPDFs, 0o750); err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			printed := printerOf(t, file)
			filling, err := readLayout(file)
			if err != nil {
				t.Fatal(err)
			}
			const share = 4 // one invoice in so many, others for each layout
			name, dir := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), t.TempDir()
			var sources []string
			var filled []fillable
			for k := i % share; k < len(invoices); k += share {
				var b bytes.Buffer
				if err := filling.Execute(&b, invoices[k].invoice); err != nil {
					t.Fatal(err)
				}
				source := filepath.Join(dir, name+"-"+invoices[k].name+filepath.Ext(file))
				save(t, source, b.Bytes())
				sources, filled = append(sources, source), append(filled, invoices[k])
			}
			printed(t, sources)
			for k, source := range sources {
				made, err := os.ReadFile(strings.TrimSuffix(source, filepath.Ext(source)) + ".pdf")
				if err != nil {
					t.Fatal(err)
				}
				attach(t, made, name, filled[k], *filledPDFs)
			}
			t.Logf("%d PDFs", len(sources))
		})
	}
}

func attach(t *testing.T, made []byte, layout string, invoice fillable, dir string) {
	t.Helper()
	attached := archive.File{Name: "factur-x.xml", MIME: "text/xml", Relationship: "Alternative", Data: invoice.data}
	converted, err := archive.Convert(made, archive.Metadata{
		Title: "Invoice", Date: new(time.Unix(0, 0)), Creator: "filled " + layout,
		Invoice: &archive.Invoice{FileName: "factur-x.xml", ConformanceLevel: "EN 16931", Version: "1.0"},
	}, []archive.File{attached}, pdf.Limits{})
	if err != nil {
		t.Fatalf("%s in %s: %v", invoice.name, layout, err)
	}
	save(t, filepath.Join(dir, layout+"-"+invoice.name+".pdf"), converted.Data)
}
