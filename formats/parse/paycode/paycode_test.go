package paycode_test

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"einvoice/formats/parse/paycode"
	"einvoice/formats/parse/picture"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

const epc = "BCD\n002\n1\nSCT\nBFSWDE33BER\nHarbour Tools Ltd\nDE02120300000000202051\nEUR58.31\n\n\nINV-17 of 20/11/2026\n"

var swiss = strings.Join([]string{"SPC", "0200", "1", "CH4431999123000889012", "S", "Robert Schneider AG", "Rue du Lac", "1268", "2501", "Biel", "CH",
	"", "", "", "", "", "", "", "1949.75", "CHF", "S", "Pia-Maria Rutschmann", "Marktgasse", "28", "9400", "Rorschach", "CH",
	"QRR", "210000000003139471430009017", "Order of 15.06.2020", "EPD"}, "\r\n")

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		want paycode.Code
		ok   bool
	}{
		{epc, paycode.Code{IBAN: "DE02120300000000202051", Amount: "58.31", Currency: "EUR", Name: "Harbour Tools Ltd", Text: "INV-17 of 20/11/2026"}, true},
		{strings.Replace(epc, "DE02120300000000202051", "de02 1203 0000 0000 2020 51", 1), paycode.Code{IBAN: "DE02120300000000202051", Amount: "58.31", Currency: "EUR", Name: "Harbour Tools Ltd", Text: "INV-17 of 20/11/2026"}, true},
		{swiss, paycode.Code{IBAN: "CH4431999123000889012", Amount: "1949.75", Currency: "CHF", Name: "Robert Schneider AG", Reference: "210000000003139471430009017", Text: "Order of 15.06.2020"}, true},
		{"BCD\n001\n1\nSCT\n\nName\nDE02120300000000202051", paycode.Code{IBAN: "DE02120300000000202051", Name: "Name"}, true},
		{"BCD\n001\n1\nSCT\n\nName\nDE02120300000000202051\nEUR1,50", paycode.Code{IBAN: "DE02120300000000202051", Name: "Name"}, true},
		{"https://pay.example/invoice/17", paycode.Code{}, false},
		{"BCD\n003\n1\nSCT\n\nName\nDE02120300000000202051", paycode.Code{}, false},
		{"BCD\n001\n1\nSCT\n\nName\nno account", paycode.Code{}, false},
		{"SPC", paycode.Code{}, false},
		{epc + strings.Repeat("x", 3000), paycode.Code{}, false},
		{"", paycode.Code{}, false},
	} {
		got, ok := paycode.Parse(c.text)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%q: got %+v, %v", c.text, got, ok)
		}
	}
}

// page is a white page with QR codes at places.
func page(t *testing.T, codes map[image.Point]string) *image.Gray {
	t.Helper()
	grey := image.NewGray(image.Rect(0, 0, 1240, 1754))
	for i := range grey.Pix {
		grey.Pix[i] = 250
	}
	for at, text := range codes {
		m, err := qrcode.NewQRCodeWriter().Encode(text, gozxing.BarcodeFormat_QR_CODE, 260, 260, nil)
		if err != nil {
			t.Fatal(err)
		}
		for y := range m.GetHeight() {
			for x := range m.GetWidth() {
				if m.Get(x, y) {
					grey.SetGray(at.X+x, at.Y+y, color.Gray{Y: 20})
				}
			}
		}
	}
	return grey
}

// Payment codes are found among others, whichever way the page lies.
func TestFind(t *testing.T) {
	both := page(t, map[image.Point]string{{100, 1300}: epc, {800, 200}: "https://pay.example/invoice/17"})
	for _, degrees := range []int{0, 90, 180} {
		codes := paycode.Find(picture.Turn(both, degrees))
		if len(codes) != 1 || codes[0].IBAN != "DE02120300000000202051" || codes[0].Amount != "58.31" {
			t.Fatalf("turned by %d: %+v", degrees, codes)
		}
		if c := codes[0]; degrees == 0 && (c.Left < 0.07 || c.Right > 0.3 || c.Top < 0.73 || c.Bottom > 0.9 || c.Left >= c.Right || c.Top >= c.Bottom) {
			t.Errorf("the code is at %+v", c)
		}
	}
	if codes := paycode.Find(page(t, nil)); len(codes) != 0 {
		t.Errorf("on an empty page: %+v", codes)
	}
	if codes := paycode.Find(image.NewGray(image.Rect(0, 0, 3, 2))); len(codes) != 0 {
		t.Errorf("in a picture of six pixels: %+v", codes)
	}
}

// A page full of corners of codes is given up before every three of them are tried.
func TestManyCorners(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 1200, 1200))
	for y := range 1200 {
		for x := range 1200 {
			dx, dy := max(x%40-14, 14-x%40), max(y%40-14, 14-y%40)
			if d := max(dx, dy); d <= 5 || d > 8 && d <= 12 {
				continue // black
			}
			grey.Pix[y*grey.Stride+x] = 255
		}
	}
	if codes := paycode.Find(grey); len(codes) != 0 {
		t.Errorf("got %+v", codes)
	}
}
