package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/hybrid"
	"einvoice/formats/pdf/fontfiles"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/formats/pdf/raster"
	"einvoice/model"
)

var (
	sheets       = flag.String("sheets", "", "folder to write contact sheets to")
	gallery      = flag.String("gallery", "", "folder to write the pictures of the documentation to")
	sheetsBefore = flag.String("sheets-before", "", "another version of the program, whose pages are shown as well")
)

// A sample is an invoice to look at.
type sample struct {
	name, language string
	look           string // that of the seller's country without it
	file           string // of the suites, or
	change         func(*model.Invoice)
}

// samples are what pages have to be good at.
var samples = []sample{
	{name: "short"}, {name: "short-french", look: "french", language: "fr"}, {name: "short-general", look: "general", language: "en"}, {name: "short-own", look: "own"},
	{name: "lines-150", change: func(inv *model.Invoice) { repeatLines(inv, 150) }},
	{name: "lines-12", change: func(inv *model.Invoice) { repeatLines(inv, 12) }},
	{name: "credit-note", change: func(inv *model.Invoice) { inv.TypeCode = model.NewText("381") }},
	{name: "self-billing", change: func(inv *model.Invoice) { inv.TypeCode = model.NewText("389") }},
	{name: "reverse-charge", change: func(inv *model.Invoice) { withoutVAT(inv, "AE") }},
	{name: "intra-community", change: func(inv *model.Invoice) { withoutVAT(inv, "K") }},
	{name: "six-rates", change: sixRates},
	{name: "skonto", change: func(inv *model.Invoice) {
		inv.PaymentTerms = model.NewText("#SKONTO#TAGE=7#PROZENT=3.00#\n#SKONTO#TAGE=14#PROZENT=2.25#BASISBETRAG=357.93#\nZahlbar innerhalb von 30 Tagen ohne Abzug.")
	}},
	{name: "currency", change: func(inv *model.Invoice) {
		inv.VatAccountingCurrencyCode = model.NewText("SEK")
		inv.Totals.TaxTotalAmountInAccountingCurrency = model.NewAmount("19012.50")
	}},
	{name: "accounts", change: func(inv *model.Invoice) {
		second := inv.Payment.Means[0]
		second.CreditTransfers = []model.CreditTransfer{{AccountIdentifier: model.NewText("MT84MALT011000012345MTLCAST001S"), AccountName: model.NewText("Nordlicht Malta"), ServiceProviderIdentifier: model.NewText("MALTMTMT")}}
		inv.Payment.Means, inv.CurrencyCode = append(inv.Payment.Means, second), model.NewText("PLN") // no code to pay by
	}},
	{name: "arabic", change: func(inv *model.Invoice) {
		inv.Seller.Name, inv.Lines[0].Item.Name = model.NewText("شركة النور للتجارة"), model.NewText("قهوة عربية محمصة 500 g")
		inv.Notes = []model.Note{{Text: model.NewText("السلام عليكم ورحمة الله وبركاته، هذه فاتورة رقم 1234 بتاريخ 21 نوفمبر 2026.\nשלום עולם, חשבונית מס' 42.")}}
	}},
	{name: "japanese", change: func(inv *model.Invoice) {
		inv.Buyer.Name, inv.Lines[0].Item.Name = model.NewText("株式会社山田製作所"), model.NewText("コーヒー豆（有機栽培）エチオピア産")
		inv.Notes = []model.Note{{Text: model.NewText("नमस्ते, यह एक परीक्षण चालान है।\nสวัสดีครับ นี่คือใบแจ้งหนี้\n주식회사 한국전자")}}
	}},
	{name: "long-names", change: func(inv *model.Invoice) {
		long := strings.Repeat("Donaudampfschifffahrtsgesellschaft ", 3) + "Verwaltungs-GmbH"
		inv.Seller.Name, inv.Buyer.Name, inv.Lines[0].Item.Name = model.NewText(long), model.NewText(long), model.NewText(long)
		inv.Lines[0].Identifier = model.NewText("3.6.200 / .")
	}},
	{name: "long-words", change: func(inv *model.Invoice) {
		word := strings.Repeat("Donaudampfschifffahrtsgesellschafts", 4)
		inv.Seller.Name, inv.Buyer.Name, inv.Lines[0].Item.Name = model.NewText(word), model.NewText(word), model.NewText(word)
		inv.Lines[0].Identifier, inv.PaymentTerms = model.NewText(strings.Repeat("A1", 40)), model.NewText(word)
	}},
	{name: "long-note", change: func(inv *model.Invoice) {
		inv.Notes = []model.Note{{SubjectCode: model.NewText("AAI"), Text: model.NewText(strings.Repeat("Es gelten unsere Allgemeinen Geschäftsbedingungen in der Fassung vom 1. Januar 2026, die Sie auf unseren Seiten finden. ", 120))}}
	}},
	{name: "prices", change: func(inv *model.Invoice) {
		inv.Lines[0].InvoicedQuantity, inv.Lines[0].Price.NetPrice = model.NewNumber("30.0000000000"), model.NewAmount("43.2")
		inv.Lines[1].InvoicedQuantity, inv.Lines[1].Price.NetPrice = model.NewNumber("1250.125"), model.NewAmount("29.1000")
		inv.Lines[2].Price.NetPrice = model.NewAmount("0.004375")
	}},
	{name: "comprehensive", file: "xrechnung-testsuite/01.01_comprehensive_test_ubl.xml"},
	{name: "comprehensive-french", file: "xrechnung-testsuite/01.01_comprehensive_test_ubl.xml", language: "fr", look: "french"},
	{name: "attachments", file: "xrechnung-testsuite/03.02a-INVOICE_ubl.xml"},
	{name: "sub-lines", file: "xrechnung-testsuite/04.01a-INVOICE_ubl.xml"},
	{name: "minimal", file: "xrechnung-testsuite/01.05_minimal_test_ubl.xml"},
	{name: "allowances", file: "cen-examples/cii-examples--CII_example2.xml"},
	{name: "norwegian", file: "cen-examples/cii-examples--CII_example5.xml"},
	{name: "hungarian", file: "cen-examples/cii-examples--huf_example_cii.xml"},
	{name: "business-1", file: "cen-examples/cii-examples--CII_business_example_01.xml"},
	{name: "business-2", file: "cen-examples/cii-examples--CII_business_example_02.xml"},
	{name: "italian", language: "it"}, {name: "dutch", language: "nl"}, {name: "polish", language: "pl"}, {name: "spanish", language: "es"},
}

func repeatLines(inv *model.Invoice, n int) {
	first := inv.Lines
	for len(inv.Lines) < n {
		line := first[len(inv.Lines)%len(first)]
		line.Identifier = model.NewText(fmt.Sprint(len(inv.Lines) + 1))
		inv.Lines = append(inv.Lines, line)
	}
}

func withoutVAT(inv *model.Invoice, category string) {
	for i := range inv.VatBreakdowns {
		v := &inv.VatBreakdowns[i]
		v.CategoryCode, v.Rate, v.TaxAmount = model.NewText(category), model.NewNumber("0"), model.NewAmount("0")
	}
	for i := range inv.Lines {
		inv.Lines[i].Vat.CategoryCode, inv.Lines[i].Vat.Rate = model.NewText(category), model.NewNumber("0")
	}
	inv.Buyer.PostalAddress.CountryCode = model.NewText("AT")
	inv.Totals.TaxTotalAmount = model.NewAmount("0")
	inv.Totals.TotalAmountWithVat, inv.Totals.AmountDueForPayment = inv.Totals.TotalAmountWithoutVat, inv.Totals.TotalAmountWithoutVat
}

func sixRates(inv *model.Invoice) {
	first := inv.VatBreakdowns[0]
	for i, c := range []struct{ category, rate, tax string }{{"S", "7", "49.00"}, {"Z", "0", "0"}, {"E", "0", "0"}, {"O", "", "0"}, {"G", "0", "0"}} {
		v := first
		v.CategoryCode, v.TaxableAmount, v.TaxAmount = model.NewText(c.category), model.NewAmount(fmt.Sprint(700*(i+1))), model.NewAmount(c.tax)
		v.Rate = model.Number{}
		if c.rate != "" {
			v.Rate = model.NewNumber(c.rate)
		}
		inv.VatBreakdowns = append(inv.VatBreakdowns, v)
	}
}

// TestContactSheets makes a picture with the pages of each sample, for people to look at.
func TestContactSheets(t *testing.T) {
	if *sheets == "" {
		t.Skip("no folder is given with -sheets")
	}
	suites := filepath.Join("..", "..", "shared", "suites")
	if _, err := os.Stat(suites); err != nil {
		t.Skip("no suites to read: " + err.Error())
	}
	if err := os.MkdirAll(*sheets, 0o750); err != nil {
		t.Fatal(err)
	}
	all := looks(t)
	fonts := typeset.NewFonts(fontfiles.System()...)
	for i, s := range samples {
		inv := s.invoice(t, suites)
		r, err := page.PDF(t.Context(), inv, page.Options{Language: s.language, Look: all[s.look], Fonts: fonts})
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(*sheets, fmt.Sprintf("%02d-%s", i+1, s.name))
		save(t, name+".pdf", r.Data)
		rows := [][]*image.RGBA{pictures(t, r.Data)}
		if *sheetsBefore != "" {
			if before := pagesBefore(t, inv, s.language); before != nil {
				rows = append([][]*image.RGBA{pictures(t, before)}, rows...)
			}
		}
		var b bytes.Buffer
		if err := png.Encode(&b, arranged(rows)); err != nil {
			t.Fatal(err)
		}
		save(t, name+".png", b.Bytes())
	}
}

// TestGallery makes the pictures of the documentation: pages as newcomers see them first.
func TestGallery(t *testing.T) {
	if *gallery == "" {
		t.Skip("no folder is given with -gallery")
	}
	suites := filepath.Join("..", "..", "shared", "suites")
	if _, err := os.Stat(suites); err != nil {
		t.Skip("no suites to read: " + err.Error())
	}
	const dpi, mostBytes = 48, 150_000
	all := looks(t)
	for _, s := range samples {
		if s.name != "short" && s.name != "short-french" && s.name != "short-general" {
			continue
		}
		r, err := page.PDF(t.Context(), s.invoice(t, suites), page.Options{Language: s.language, Look: all[s.look]})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := png.Encode(&b, arranged([][]*image.RGBA{picturesAt(t, r.Data, dpi)})); err != nil {
			t.Fatal(err)
		}
		if b.Len() > mostBytes {
			t.Errorf("%s: the picture has %d bytes", s.name, b.Len())
		}
		save(t, filepath.Join(*gallery, "pages-"+s.name+".png"), b.Bytes())
	}
}

// invoice is the invoice of a sample.
func (s *sample) invoice(t *testing.T, suites string) *model.Invoice {
	t.Helper()
	file := s.file
	if file == "" {
		file = "xrechnung-testsuite/01.15a-INVOICE_ubl.xml"
	}
	data, err := os.ReadFile(filepath.Join(suites, file))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := formats.Read(data, hybrid.Options())
	if err != nil {
		t.Fatal(err)
	}
	if s.change != nil {
		s.change(doc.Invoice)
	}
	return doc.Invoice
}

func save(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// pagesBefore are the pages that another version of the program makes of an invoice; nil if
// it cannot, as where the invoice is not valid.
func pagesBefore(t *testing.T, inv *model.Invoice, language string) []byte {
	t.Helper()
	text, err := json.Marshal(inv)
	if err != nil {
		t.Fatal(err)
	}
	if language == "" {
		language = "de"
	}
	dir := t.TempDir()
	save(t, filepath.Join(dir, "a.json"), text)
	cmd := exec.Command(*sheetsBefore, "create", "zugferd", "--profile", "extended", "--language", language, filepath.Join(dir, "a.json"), "-o", filepath.Join(dir, "a.pdf"))
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Logf("before: %v\n%.300s", err, said)
		return nil
	}
	data, err := os.ReadFile(filepath.Join(dir, "a.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// pictures are the first pages of a PDF.
func pictures(t *testing.T, data []byte) []*image.RGBA { return picturesAt(t, data, 100) }

func picturesAt(t *testing.T, data []byte, dpi int) (pictures []*image.RGBA) {
	t.Helper()
	const most = 4
	document, err := raster.Open(context.Background(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer document.Close()
	for i := range min(most, document.Pages()) {
		picture, err := document.Picture(context.Background(), i, dpi)
		if err != nil {
			t.Fatal(err)
		}
		pictures = append(pictures, picture)
	}
	return pictures
}

// arranged is one picture of others, in rows.
func arranged(rows [][]*image.RGBA) *image.RGBA {
	const between = 20
	width, height := between, between
	for _, row := range rows {
		w, h := between, 0
		for _, p := range row {
			w, h = w+p.Rect.Dx()+between, max(h, p.Rect.Dy())
		}
		width, height = max(width, w), height+h+between
	}
	sheet := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(sheet, sheet.Rect, image.NewUniform(color.Gray{0xa0}), image.Point{}, draw.Src)
	y := between
	for _, row := range rows {
		x, h := between, 0
		for _, p := range row {
			draw.Draw(sheet, image.Rect(x, y, x+p.Rect.Dx(), y+p.Rect.Dy()), p, p.Rect.Min, draw.Src)
			x, h = x+p.Rect.Dx()+between, max(h, p.Rect.Dy())
		}
		y += h + between
	}
	return sheet
}
