package parse_test

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"strings"
	"testing"

	"einvoice/formats/parse"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

// payable is a picture of a page with a payment code at the bottom.
func payable(t *testing.T, iban, amount, text string) []byte {
	t.Helper()
	return payableOf(t, 1240, 250, iban, amount, text)
}

// payableOf is payable on a page of so many pixels across, with a code of so many.
func payableOf(t *testing.T, width, side int, iban, amount, text string) []byte {
	t.Helper()
	m, err := qrcode.NewQRCodeWriter().Encode("BCD\n002\n1\nSCT\n\nHarbour Tools Ltd\n"+iban+"\n"+amount+"\n\n\n"+text, gozxing.BarcodeFormat_QR_CODE, side, side, nil)
	if err != nil {
		t.Fatal(err)
	}
	grey := image.NewGray(image.Rect(0, 0, width, width*1754/1240))
	for i := range grey.Pix {
		grey.Pix[i] = 255
	}
	left, top := width*100/1240, width*1400/1240
	for y := range m.GetHeight() {
		for x := range m.GetWidth() {
			if m.Get(x, y) {
				grey.Pix[(top+y)*grey.Stride+left+x] = 0
			}
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, grey); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

const account = "/paymentInstructions/means/0/creditTransfers/0/accountIdentifier"

// Codes of any usual size are found, on pages with 200 to 400 pixels per inch.
func TestPaymentCodeSizes(t *testing.T) {
	t.Parallel()
	const iban = "DE02120300000000202051"
	for _, width := range []int{1654, 2481} {
		for _, mm := range []int{20, 30} {
			ocr := &fakeOCR{page: fmt.Sprintf(bill, "INV-17", "58.31")}
			r, err := parse.File(t.Context(), payableOf(t, width, width*mm/210, iban, "EUR58.31", "Invoice INV-17"), parse.Limits{}, parse.Aids{OCR: ocr})
			if err != nil {
				t.Fatal(err)
			}
			if f := r.Fields[account]; f == nil || f.Value != iban {
				t.Errorf("a code of %d mm on a page of %d pixels across: the account is %+v", mm, width, f)
			}
		}
	}
}

// A payment code makes sure what is printed, says what is not, and warns where it says
// something else.
func TestPaymentCode(t *testing.T) {
	t.Parallel()
	const iban = "DE02120300000000202051"
	page := fmt.Sprintf(bill, "INV-17", "58.31")
	for name, c := range map[string]struct {
		printed, iban, amount string
		value                 string // of the account
		contradicts           string // the pointer
		sure                  bool
	}{
		"the same":            {"IBAN: " + iban, iban, "EUR58.31", iban, "", true},
		"not printed":         {"", iban, "EUR58.31", iban, "", true},
		"without amount":      {"IBAN: " + iban, iban, "", iban, "", true},
		"another account":     {"IBAN: " + iban, "DE02500105170137075030", "EUR58.31", iban, account, false},
		"another amount":      {"IBAN: " + iban, iban, "EUR85.31", iban, "/totals/amountDueForPayment", true},
		"misread":             {"IBAN: DE02120300000000202057", iban, "EUR58.31", iban, "", true},
		"no account at all":   {"IBAN: " + iban, "XX02120300000000202051", "EUR1.00", iban, "", true},
		"misread in the code": {"IBAN: " + iban, "DE02120300000000202057", "EUR58.31", iban, account, false},
		"wrong in both":       {"IBAN: DE02120300000000202057", "DE02120300000000202057", "EUR58.31", "DE02120300000000202057", "", false},
		"wrong in the code":   {"", "DE02120300000000202057", "EUR58.31", "DE02120300000000202057", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			ocr := &fakeOCR{page: page + "\n" + c.printed}
			r, err := parse.File(t.Context(), payable(t, c.iban, c.amount, "Invoice INV-17"), parse.Limits{}, parse.Aids{OCR: ocr})
			if err != nil {
				t.Fatal(err)
			}
			f := r.Fields[account]
			if f == nil || f.Value != c.value || (f.Confidence >= 0.8) != c.sure || f.Source != parse.SourceOCR || f.Box == nil {
				t.Fatalf("the account is %+v", f)
			}
			var found []string
			for _, x := range r.CodeContradictions {
				if found = append(found, x.Pointer); x.ByCode {
					t.Errorf("%+v is said to be between codes", x)
				}
			}
			if strings.Join(found, " ") != c.contradicts {
				t.Errorf("contradicted are %v", found)
			}
			if c.contradicts != "" && len(r.Fields[c.contradicts].Alternatives) == 0 {
				t.Errorf("%s has no alternative", c.contradicts)
			}
			if name == "the same" && r.Fields["/totals/amountDueForPayment"].Confidence < 0.98 {
				t.Errorf("what is due is %+v", r.Fields["/totals/amountDueForPayment"])
			}
			if f := r.Fields["/paymentInstructions/remittanceInformation"]; c.iban[0] != 'X' && (f == nil || f.Value != "Invoice INV-17") {
				t.Errorf("the reference is %+v", f)
			}
		})
	}
}

// Two codes for different accounts, of which none is printed, contradict each other and not the page.
func TestTwoPaymentCodes(t *testing.T) {
	left, err := png.Decode(bytes.NewReader(payable(t, "DE02120300000000202051", "EUR58.31", "Invoice INV-17")))
	if err != nil {
		t.Fatal(err)
	}
	right, err := png.Decode(bytes.NewReader(payable(t, "DE02500105170137075030", "EUR58.31", "Invoice INV-17")))
	if err != nil {
		t.Fatal(err)
	}
	both := image.NewGray(left.Bounds())
	draw.Draw(both, both.Bounds(), left, image.Point{}, draw.Src)
	draw.Draw(both, image.Rect(700, 1350, 1240, 1754), right, image.Pt(50, 1350), draw.Src)
	var page bytes.Buffer
	if err := png.Encode(&page, both); err != nil {
		t.Fatal(err)
	}
	r, err := parse.File(t.Context(), page.Bytes(), parse.Limits{}, parse.Aids{OCR: &fakeOCR{page: fmt.Sprintf(bill, "INV-17", "58.31")}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.CodeContradictions) != 1 || !r.CodeContradictions[0].ByCode || r.CodeContradictions[0].Pointer != account {
		t.Errorf("contradicted are %+v; the account is %+v", r.CodeContradictions, r.Fields[account])
	}
}
