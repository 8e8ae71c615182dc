package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"einvoice/formats/pdf/pdftest"
)

// The decision on each of several invoices says on which page it begins.
func TestDecisionsNameTheirPage(t *testing.T) {
	folder := t.TempDir()
	told := func(invoices ...string) string {
		file := filepath.Join(folder, "invoices.pdf")
		if err := os.WriteFile(file, printed(invoices...), 0o600); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		cmd := newRoot(Machines{})
		cmd.SetArgs([]string{"parse", "--accept", "0.99", file})
		cmd.SetOut(&bytes.Buffer{})
		cmd.SetErr(&said)
		_ = cmd.Execute() // invoices for a person to look at are an error
		return said.String()
	}
	first, second := fmt.Sprintf(oakStreet, "INV-17"), fmt.Sprintf(oakStreet, "INV-18")
	if said := told(first, second); !regexp.MustCompile(`(?m)^page 1: (accept|review).*\npage 2: (accept|review)`).MatchString(said) {
		t.Errorf("the decisions are %q", said)
	}
	if said := told(first); !regexp.MustCompile(`^(accept|review)`).MatchString(said) {
		t.Errorf("the decision on one is %q", said)
	}
}

// oakStreet is an invoice without its number, with tabs between columns.
const oakStreet = `Invoice
Seller:	Bill to:
Harbour Tools Ltd	Oak Street Bakery
4 Mill Lane	7 High Street
10115 Berlin	20095 Hamburg
Invoice number: %s
Invoice date: 20/11/2026

Description	Qty	Unit price	Amount
Steel bolts	10	2.50	25.00

Net total	25.00
VAT 19 %%	4.75
Total	29.75`

// printed is a PDF with a page for each text.
func printed(pages ...string) []byte {
	var w pdftest.Writer
	font := w.Add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	parent := w.Next() + 2*len(pages)
	var kids []string
	for _, page := range pages {
		var content bytes.Buffer
		for i, row := range strings.Split(page, "\n") {
			for j, cell := range strings.Split(row, "\t") {
				fmt.Fprintf(&content, "BT /F 10 Tf %d %d Td (%s) Tj ET\n", 50+130*j, 780-14*i, cell)
			}
		}
		kids = append(kids, pdftest.Ref(w.Add(fmt.Sprintf("<< /Type /Page /Parent %s /MediaBox [0 0 595 842] /Contents %s /Resources << /Font << /F %s >> >> >>",
			pdftest.Ref(parent), pdftest.Ref(w.Stream("", content.Bytes())), pdftest.Ref(font)))))
	}
	tree := w.Add(fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(kids), strings.Join(kids, " ")))
	return w.Close("/Root " + pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(tree)+" >>")))
}
