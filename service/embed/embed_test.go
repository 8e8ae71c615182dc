package embed_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"testing"

	"einvoice/formats/pdf/pdftest"
	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/embed"
	"einvoice/service/internal/kittest"
	"einvoice/service/write"
)

// pages is a PDF of one page with a picture, and with a text where there is one.
func pages(text string) []byte {
	var w pdftest.Writer
	picture := w.Stream("/Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray", []byte{0, 255, 255, 0})
	font := w.Add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	content := w.Stream("", []byte("q 200 0 0 200 50 500 cm /I Do Q BT /F 12 Tf 50 400 Td ("+text+") Tj ET"))
	kids := w.Pages(1, fmt.Sprintf("/Contents %s /Resources << /XObject << /I %s >> /Font << /F %s >> >>", pdftest.Ref(content), pdftest.Ref(picture), pdftest.Ref(font)))
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(kids) + " >>")
	return w.Close("/Root " + pdftest.Ref(root))
}

// invoice is one that ships with the rules.
func invoice(t *testing.T) []byte {
	t.Helper()
	xml, err := fs.ReadFile(rulesets.FS, "examples/base-cii.xml")
	if err != nil {
		t.Fatal(err)
	}
	return xml
}

// The first day that there is dates a PDF as any other does; it is the zero of time.Time.
func TestFirstDay(t *testing.T) {
	s, xml := kittest.Kit(t), invoice(t)
	const day = "0001-01-01"
	made, err := embed.Document(t.Context(), s.Service, pages("text"), xml, embed.Options{Date: model.NewDate(day)})
	if err != nil || !bytes.Contains(made.Data, []byte("<xmp:CreateDate>"+day)) {
		t.Errorf("not of the day that was given: %v", err)
	}
}

// Whether the pages show the amount due is told, and for those of a scan that it was not looked
// for.
func TestAmountOnThePages(t *testing.T) {
	s, xml := kittest.Kit(t), invoice(t)
	for text, want := range map[string]string{
		"": "PAGES-UNREAD", "1": "PAGES-UNREAD",
		"An invoice over nothing in particular, with many letters and no amount": "CONTAINER-PRINTED-TOTAL",
	} {
		made, err := embed.Document(t.Context(), s.Service, pages(text), xml, embed.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var rules []string
		for _, f := range made.Report.Findings {
			if f.Rule == "PAGES-UNREAD" || f.Rule == "CONTAINER-PRINTED-TOTAL" {
				rules = append(rules, f.Rule)
			}
		}
		if !slices.Equal(rules, []string{want}) || !made.Report.Valid {
			t.Errorf("%q: got %q, want %s", text, rules, want)
		}
	}
}

// Each finding about the XML names the line that it is about, also where one rule fires often.
func TestFindingsHaveLines(t *testing.T) {
	s, xml := kittest.Kit(t), invoice(t)
	amounts := regexp.MustCompile(`<ram:(LineTotalAmount|TaxBasisTotalAmount|GrandTotalAmount|DuePayableAmount|BasisAmount|CalculatedAmount)>`)
	want := len(amounts.FindAll(xml, -1))
	_, err := embed.Document(t.Context(), s.Service, pages("nothing"), amounts.ReplaceAll(xml, []byte(`<ram:$1 currencyID="EUR">`)), embed.Options{})
	refused, is := errors.AsType[*write.Refused](err)
	if !is {
		t.Fatalf("got %v", err)
	}
	lines := map[int]bool{}
	for _, f := range refused.Report.Findings {
		if f.Rule == "CII-DT-031" {
			if f.Line == nil {
				t.Fatalf("%+v has no line", f)
			}
			lines[*f.Line] = true
		}
	}
	if want < 5 || len(lines) != want {
		t.Errorf("CII-DT-031 is told of the lines %v, want %d of them", lines, want)
	}
}
