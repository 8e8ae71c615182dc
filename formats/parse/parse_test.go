package parse_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"

	"einvoice/formats/parse"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/pdftest"
	"einvoice/formats/pdf/text"
	"einvoice/model/problem"
	"einvoice/model/sampled"
)

// printed is a PDF whose pages have these rows; a tab leads to the next 130 points.
func printed(attached []byte, pages ...string) []byte { return printedWith(attached, "", pages...) }

// printedWith is printed with more content at the end of each page.
func printedWith(attached []byte, more string, pages ...string) []byte {
	var w pdftest.Writer
	font := w.Add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	files := ""
	if attached != nil {
		files = fmt.Sprintf("/Names << /EmbeddedFiles << /Names [(factur-x.xml) %s] >> >>", pdftest.Ref(w.Attach(pdftest.File{Name: "factur-x.xml", Relationship: "Alternative", MIME: "text/xml", Data: attached})))
	}
	parent := w.Next() + 2*len(pages)
	var kids []string
	for _, page := range pages {
		var content strings.Builder
		width := 595 // what is beyond the edge is not seen
		for i, row := range strings.Split(page, "\n") {
			for j, cell := range strings.Split(row, "\t") {
				fmt.Fprintf(&content, "BT /F 10 Tf %d %d Td (%s) Tj ET\n", 50+130*j, 780-14*i, cell)
				width = max(width, 130*(j+1)+50)
			}
		}
		encoded, err := charmap.Windows1252.NewEncoder().String(content.String() + more)
		if err != nil {
			panic(err)
		}
		stream := w.Stream("", []byte(encoded))
		kids = append(kids, pdftest.Ref(w.Add(fmt.Sprintf("<< /Type /Page /Parent %s /MediaBox [0 0 %d 842] /Contents %s /Resources << /Font << /F %s >> >> >>", pdftest.Ref(parent), width, pdftest.Ref(stream), pdftest.Ref(font)))))
	}
	tree := w.Add(fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(kids), strings.Join(kids, " ")))
	return w.Close("/Root " + pdftest.Ref(w.Add(fmt.Sprintf("<< /Type /Catalog /Pages %s %s >>", pdftest.Ref(tree), files))))
}

// bill has a place for the number, and one for the total.
const bill = pdftest.Bill

func TestRead(t *testing.T) {
	r, err := parse.PDF(context.Background(), printed(nil, fmt.Sprintf(bill, "INV-17", "58.31")), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{
		"/number": "INV-17", "/issueDate": "2026-11-20", "/seller/name": "Harbour Tools Ltd", "/buyer/name": "Oak Street Bakery", "/buyer/postalAddress/city": "Hamburg",
		"/lines/1/item/name": "Wood glue", "/lines/1/netAmount": "24.00", "/lines/1/invoicedQuantity": "2", "/lines/1/vat/rate": "19",
		"/totals/totalAmountWithVat": "58.31", "/totals/amountDueForPayment": "58.31", "/vatBreakdowns/0/taxAmount": "9.31",
	} {
		if f := r.Fields[pointer]; f == nil || f.Value != want {
			t.Errorf("%s is %+v, want %s", pointer, f, want)
		}
	}
	for pointer, want := range map[string]parse.Source{
		"/totals/totalAmountWithVat": parse.SourceText, "/totals/amountDueForPayment": parse.SourceComputed, "/lines/1/vat/rate": parse.SourceComputed, "/lines/0/netAmount": parse.SourceText,
	} {
		if f := r.Fields[pointer]; f == nil || f.Source != want {
			t.Errorf("%s has the source %+v, want %s", pointer, f, want)
		}
	}
	if box := r.Fields["/number"].Box; box.Left < 0.1 || box.Right > 0.4 || box.Top < 0.1 || box.Bottom > 0.2 || box.Left >= box.Right || box.Top >= box.Bottom {
		t.Errorf("the number is in the box %+v", box)
	}
}

// Sums that do not add up are told, with the amounts that are printed.
func TestSumsThatDoNotClose(t *testing.T) {
	r, err := parse.PDF(context.Background(), printed(nil, fmt.Sprintf(bill, "INV-17", "60.00")), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f := r.Fields["/totals/totalAmountWithVat"]
	if f == nil || f.Value != "60.00" || f.Confidence > 0.8 {
		t.Errorf("the total is %+v", f)
	}
	if len(r.Review) == 0 || !strings.Contains(r.Review[0].Message, "do not add up") {
		t.Errorf("the review is %+v", r.Review)
	}
}

// XML that is attached is not opened: whatever it says, the answer is the same.
func TestAttachedXMLIsNotOpened(t *testing.T) {
	page := fmt.Sprintf(bill, "INV-17", "58.31")
	var answers []string
	for _, xml := range [][]byte{nil, []byte("<Invoice><ID>another</ID></Invoice>"), []byte("no XML at all")} {
		r, err := parse.PDF(context.Background(), printed(xml, page), parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, string(answer))
	}
	if answers[0] != answers[1] || answers[1] != answers[2] {
		t.Error("the answer changes with what is attached")
	}
}

// Nothing is invented: what is said to be printed is text of the page that is named.
func TestEverythingIsPrinted(t *testing.T) {
	t.Parallel()
	values := 0
	for i, f := range Families() {
		made, err := Make(f, Languages()[i%7], 1)
		if err != nil {
			t.Fatal(err)
		}
		sheets := wordsOf(t, made.PDF)
		r, err := parse.PDF(context.Background(), made.PDF, parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for pointer, field := range r.Fields {
			if field.Source == parse.SourceComputed {
				if field.Printed != "" || field.Page != 0 {
					t.Errorf("%s: %s is computed, and is %+v", made.Name, pointer, field)
				}
				continue
			}
			var all strings.Builder
			for _, w := range sheets[field.Page-1].Words {
				all.WriteString(" " + w.Text)
			}
			for part := range strings.FieldsSeq(field.Printed) {
				if values++; !strings.Contains(all.String(), part) {
					t.Errorf("%s: %s is said to be printed as %q", made.Name, pointer, field.Printed)
				}
			}
		}
	}
	if values < 500 {
		t.Errorf("only %d words were looked at", values)
	}
}

func TestRefusals(t *testing.T) {
	picture := func() []byte {
		var w pdftest.Writer
		image := w.Stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray", []byte{0})
		stream := w.Stream("", []byte("q 595 0 0 842 0 0 cm /P Do Q"))
		pages := w.Pages(1, fmt.Sprintf("/MediaBox [0 0 595 842] /Contents %s /Resources << /XObject << /P %s >> >>", pdftest.Ref(stream), pdftest.Ref(image)))
		return w.Close("/Root " + pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" >>")))
	}
	first, second := fmt.Sprintf(bill, "INV-17", "58.31"), fmt.Sprintf(bill, "INV-18", "58.31")
	for _, c := range []struct {
		name string
		data []byte
		code string
		says string
	}{
		{"no PDF", []byte("just text"), pdf.CodeNotPDF, "neither a PDF nor a picture"},
		{"a picture", []byte("\xff\xd8\xff\xe0 JPEG"), parse.CodeNoOCR, "page 1"},
		{"a damaged PDF", []byte("%PDF-1.7\nnothing"), pdf.CodeDamaged, ""},
		{"a scan", picture(), parse.CodeNoOCR, "page 1"},
		{"a blank page", printed(nil, ""), parse.CodeNoText, "1 page"},
		{"a letter", printed(nil, "Dear Sir or Madam,\nthank you for your letter of last week about the harbour.\nWe will answer soon."), parse.CodeNotInvoice, "a total"},
		{"an order", printed(nil, "Please find our order below\nDescription\tQty\tUnit price\tAmount\nSteel bolts\t10\t2.50\t25.00"), parse.CodeNotInvoice, "invoice number"},
		{"two invoices", printed(nil, first, first, second), parse.CodeSeveralInvoices, "page 1, 3"},
		{"too many pages", printed(nil, first, first, first, first), parse.CodeLimit, "parse-pages"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse.PDF(context.Background(), c.data, parse.Limits{Pages: 3})
			e, ok := errors.AsType[*problem.Error](err)
			if !ok || e.Code != c.code || !strings.Contains(e.Message, c.says) || e.Remedy == "" {
				t.Errorf("got %v, want %s with %q", err, c.code, c.says)
			}
		})
	}
}

// The end of a context ends the reading.
func TestContext(t *testing.T) {
	data := printed(nil, fmt.Sprintf(bill, "INV-17", "58.31"))
	ctx, cancel := context.WithTimeout(context.Background(), -1)
	defer cancel()
	_, err := parse.PDF(ctx, data, parse.Limits{})
	if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != parse.CodeTimeout {
		t.Errorf("got %v after the deadline", err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	if _, err := parse.PDF(ctx, data, parse.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v after the end", err)
	}
}

// FuzzRows reads pages with any rows of text. What is read can be written.
func FuzzRows(f *testing.F) {
	f.Add(fmt.Sprintf(bill, "INV-17", "58.31"))
	f.Add("Rechnung Nr. 1\nPos\tMenge\tPreis\tBetrag\n1\t2\t3,00\t6,00\n\tNetto\t6,00\n\tUSt 19 %\t1,14\n\tGesamt\t7,14")
	f.Fuzz(func(t *testing.T, page string) {
		if len(page) > 20_000 {
			return
		}
		r, err := parse.Sheets(t.Context(), []text.Sheet{sheet(page)}, parse.Limits{})
		if err != nil {
			return
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
	})
}

// sheet is a page with these rows; a tab leads to the next 130 points.
func sheet(page string) text.Sheet {
	s := text.Sheet{Width: 595, Height: 842}
	for i, row := range strings.Split(page, "\n") {
		for j, cell := range strings.Split(row, "\t") {
			x, y := 50+130*float64(j), 60+14*float64(i)
			for part := range strings.FieldsSeq(cell) {
				width := 5 * float64(len(part))
				s.Words = append(s.Words, text.Word{Text: part, Size: 10, Box: text.Box{Left: x, Top: y - 7.4, Right: x + width, Bottom: y + 2.2}})
				x += width + 2.8
			}
		}
	}
	return s
}

// BenchmarkPDF reads a typed page, from the bytes of the PDF to the result.
func BenchmarkPDF(b *testing.B) {
	made, err := Make(Families()[0], "de", 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := parse.PDF(context.Background(), made.PDF, parse.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// Pages that were made to be slow: very many words in one row, cell or block, labels
// alone, numbers alone. The deadline is generous, and guards against work that grows with
// the square of the words.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	words := sampled.Of(4_000, 6)
	if *whole {
		words = 20_000
	}
	for name, page := range map[string]string{
		"one row of words": strings.Repeat("word ", words), "one row of labels": strings.Repeat("Total ", words), "one row of numbers": strings.Repeat("12.50 ", words),
		"cells": strings.Repeat("Invoice number:\t", words), "rows of labels": strings.Repeat("Total\n", words), "rows of totals": strings.Repeat("Total 12.50\n", words),
		"heads": strings.Repeat("Description\tQty\tUnit price\tAmount\n", words/5), "lines": "Description\tQty\tUnit price\tAmount\n" + strings.Repeat("Bolt\t2\t3.00\t6.00\n", words/5),
		"taxes": strings.Repeat("VAT 19 % 100.00 19.00\n", words/6), "cities": strings.Repeat("10115 Berlin\n", words/2), "companies": strings.Repeat("Acme GmbH\n", words/2),
		"titles": strings.Repeat("Invoice ", words), "titles of lists": strings.Repeat("Invoice\t12.50\t", words/2), "invoices that follow": strings.Repeat("Invoice follows soon\t", words/3), "rows of invoices": strings.Repeat("Invoice 17\t1\t12.50\n", words/4),
		"banks": strings.Repeat("Customer 4711\tBank\t", words/3) + "\n" + strings.Repeat("DE02 1203 0000 0000 2020 51\t", words/7), "sentences": strings.Repeat("Invoice 17 of 12.50 replaces our\n", words/6), "days of invoices": strings.Repeat("Invoice of 20/11/2026 ", words/3),
		"forms": strings.Repeat("Seller\nNumber:\t1\n", words/3), "halves": "Description\tQty\tUnit price\tAmount\n" + strings.Repeat("Bolt\t2\t3.00\n\t\t\t6.00\n", words/5),
		"columns of totals": "Net" + strings.Repeat("\t100.00", words/3) + "\nVAT" + strings.Repeat("\t19.00", words/3) + "\nTotal" + strings.Repeat("\t119.00", words/3), "groups": strings.Repeat("Invoice no. 12 34 56 78 ", words/6), "parts of addresses": strings.Repeat("Reminder – 10115 Berlin – ", words/4), "subjects": strings.Repeat("Subject: advice – debt collection\n", words/5),
		"sums": "Description\tQty\tUnit price\tAmount\n" + strings.Repeat("\t\t\t6.00\n", words), "prices": "Description\tQty\tUnit price\tAmount\nBolt\t2\t3.00\t6.00\n" + strings.Repeat("per 2\n", words/2),
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			if _, err := parse.Sheets(ctx, []text.Sheet{sheet(page)}, parse.Limits{}); errors.Is(ctx.Err(), context.DeadlineExceeded) {
				t.Errorf("it took a minute: %v", err)
			}
		})
	}
}
