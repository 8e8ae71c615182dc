package parse_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/pdftest"
	"einvoice/formats/pdf/text"
	"einvoice/model/problem"
)

// A fakeOCR finds the same words in every picture.
type fakeOCR struct {
	page string
	err  error
	seen []image.Rectangle
}

func (f *fakeOCR) Words(_ context.Context, picture *image.Gray, _ int) ([]text.Word, error) {
	f.seen = append(f.seen, picture.Rect)
	words := sheet(f.page).Words
	for i := range words {
		words[i].Doubt = 0.1
	}
	return words, f.err
}

// whitePage is a picture of an empty page as PNG.
func whitePage(t *testing.T, width, height int) []byte {
	t.Helper()
	grey := image.NewGray(image.Rect(0, 0, width, height))
	for i := range grey.Pix {
		grey.Pix[i] = 255
	}
	var out bytes.Buffer
	if err := png.Encode(&out, grey); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// scan is a PDF whose pages are pictures, but for those with these rows.
func scan(pages ...string) []byte { return scanWith("", pages...) }

// layerScan is a PDF whose pages are pictures with these rows behind them, not painted.
func layerScan(pages ...string) []byte { return scanWith("3 Tr ", pages...) }

func scanWith(state string, pages ...string) []byte {
	var w pdftest.Writer
	font := w.Add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	img := w.Stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray", []byte{200})
	parent := w.Next() + 2*len(pages)
	var kids []string
	for _, page := range pages {
		content := "q 595 0 0 842 0 0 cm /P Do Q "
		if page != "" {
			content += pdftest.Rows(state, page)

		}
		stream := w.Stream("", []byte(content))
		kids = append(kids, pdftest.Ref(w.Add(fmt.Sprintf("<< /Type /Page /Parent %s /MediaBox [0 0 595 842] /Contents %s /Resources << /Font << /F %s >> /XObject << /P %s >> >> >>",
			pdftest.Ref(parent), pdftest.Ref(stream), pdftest.Ref(font), pdftest.Ref(img)))))
	}
	tree := w.Add(fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(kids), strings.Join(kids, " ")))
	return w.Close("/Root " + pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(tree)+" >>")))
}

// Text in a picture, and in the picture of a page, is recognised and marked so.
func TestRecognised(t *testing.T) {
	t.Parallel()
	for name, data := range map[string][]byte{"PNG": whitePage(t, 620, 877), "PDF": scan("")} {
		ocr := &fakeOCR{page: fmt.Sprintf(bill, "INV-17", "58.31")}
		r, err := parse.File(t.Context(), data, parse.Limits{}, parse.Aids{OCR: ocr})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f := r.Fields["/totals/totalAmountWithVat"]
		if f == nil || f.Value != "58.31" || f.Source != parse.SourceOCR || f.Confidence > 0.9 {
			t.Errorf("%s: the total is %+v", name, f)
		}
		if p := r.Pages[0]; p.Source != parse.SourceOCR || p.Confidence != 0.9 || p.Width < 590 || p.Width > 600 {
			t.Errorf("%s: the page is %+v", name, p)
		}
		if len(ocr.seen) != 1 {
			t.Errorf("%s: %d pictures were read", name, len(ocr.seen))
		}
	}
}

// An overturnedOCR reads a page that lies upside down: other words, of which it is 0.62 sure, as
// Tesseract is of some pages with all its languages.
type overturnedOCR struct{ read int }

func (o *overturnedOCR) Words(context.Context, *image.Gray, int) ([]text.Word, error) {
	o.read++
	page, doubt := "TUOA T alas\tBunuysey\nJaupurl\tpep", 0.38
	if o.read == 2 {
		page, doubt = fmt.Sprintf(bill, "INV-17", "58.31"), 0.1
	}
	words := sheet(page).Words
	for i := range words {
		words[i].Doubt = doubt
	}
	return words, nil
}

// A page that lies upside down is turned, also where its words seem half sure.
func TestUpsideDown(t *testing.T) {
	t.Parallel()
	r, err := parse.File(t.Context(), whitePage(t, 620, 877), parse.Limits{}, parse.Aids{OCR: &overturnedOCR{}})
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Fields["/totals/totalAmountWithVat"]; f == nil || f.Value != "58.31" || r.Pages[0].Rotation != 180 {
		t.Errorf("the total is %+v, and the page is turned by %d degrees", f, r.Pages[0].Rotation)
	}
}

// Only pages without text are recognised, at a resolution at which letters can be read.
func TestRecognisedPages(t *testing.T) {
	t.Parallel()
	ocr := &fakeOCR{page: "Description\tQty\tUnit price\tAmount\nSteel bolts\t10\t2.50\t25.00"}
	_, err := parse.File(t.Context(), scan("a page with more words than a stamp or a page number has, so it is text", ""), parse.Limits{}, parse.Aids{OCR: ocr})
	if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != parse.CodeNotInvoice {
		t.Errorf("got %v", err)
	}
	if len(ocr.seen) != 1 || ocr.seen[0].Dx() < 2400 {
		t.Errorf("the pictures are %v", ocr.seen)
	}
}

func TestRefusedPictures(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		with parse.Recogniser
		code string
		says string
	}{
		{"no program", whitePage(t, 10, 10), nil, parse.CodeNoOCR, "page 1"},
		{"a blank page", whitePage(t, 10, 10), &fakeOCR{}, parse.CodeNoText, "page 1, 0 words"},
		{"too many pixels", whitePage(t, 300, 200), &fakeOCR{}, parse.CodeLimit, "parse-pixels"},
		{"a page with too many pixels", scan(""), &fakeOCR{}, parse.CodeLimit, "parse-pixels"},
		{"no picture", []byte("\xff\xd8\xff\xe0 JPEG"), &fakeOCR{}, pdf.CodeNotPDF, "cannot be read"},
		{"a hang", whitePage(t, 10, 10), &fakeOCR{err: context.DeadlineExceeded}, parse.CodeTimeout, ""},
		{"a failure", whitePage(t, 10, 10), &fakeOCR{err: errors.New("no eng.traineddata")}, parse.CodeNoOCR, "no eng.traineddata"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse.File(t.Context(), c.data, parse.Limits{Pixels: 50_000}, parse.Aids{OCR: c.with})
			if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != c.code || !strings.Contains(e.Message, c.says) || e.Remedy == "" {
				t.Errorf("got %v, want %s with %q", err, c.code, c.says)
			}
		})
	}
}

// A page whose picture nobody reads is told.
func TestUnreadPage(t *testing.T) {
	rows := strings.ReplaceAll(fmt.Sprintf(bill, "INV-17", "58.31"), "\t", " ")
	r, err := parse.PDF(t.Context(), scan(rows, ""), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range r.Review {
		if strings.Contains(item.Message, "page 2") {
			return
		}
	}
	t.Errorf("the review is %+v", r.Review)
}

// A digit that was recognised as another is exchanged where the totals close in one way.
func TestExchangedDigit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ net, vat, gross, wantNet, wantVat, wantGross string }{
		{"49.00", "9.31", "53.31", "49.00", "9.31", "58.31"},
		{"49.00", "9.31", "56.31", "49.00", "9.31", "58.31"},
		{"49.00", "9.37", "58.31", "49.00", "9.31", "58.31"},
		{"49.00", "9.31", "59.31", "49.00", "9.31", "59.31"}, // 8 is not read as 9
		{"49.00", "8.21", "58.31", "49.00", "8.21", "58.31"}, // two digits
	} {
		page := "Invoice\nInvoice number: INV-17\nInvoice date: 20/11/2026\nNet total\t\t\t" + c.net + "\nVAT 19 %\t\t\t" + c.vat + "\nTotal\t\t\t" + c.gross
		r, err := parse.File(t.Context(), whitePage(t, 620, 877), parse.Limits{}, parse.Aids{OCR: &fakeOCR{page: page}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range []string{"totalAmountWithoutVat", "taxTotalAmount", "totalAmountWithVat"} {
			if f := r.Fields["/totals/"+name]; f != nil {
				got = append(got, f.Value)
			}
		}
		if want := []string{c.wantNet, c.wantVat, c.wantGross}; !slices.Equal(got, want) {
			t.Errorf("%+v: got %v", c, got)
		}
		gross := r.Fields["/totals/totalAmountWithVat"]
		if c.gross != c.wantGross && (gross.Printed != c.gross || gross.Confidence >= 0.9 || len(gross.Alternatives) != 1 || gross.Alternatives[0].Value != c.gross) {
			t.Errorf("%+v: the total is %+v", c, gross)
		}
	}
}

// What is printed as text is never exchanged.
func TestPrintedDigitStays(t *testing.T) {
	r, err := parse.PDF(t.Context(), printed(nil, "Invoice\nInvoice number: INV-17\nInvoice date: 20/11/2026\nNet total\t49.00\nVAT 19 %\t9.31\nTotal\t53.31"), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Fields["/totals/totalAmountWithVat"]; f == nil || f.Value != "53.31" {
		t.Errorf("the total is %+v", f)
	}
}
