//go:build !js

package paycode

import (
	"image"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/multi/qrcode"
)

// maxCorners bounds the places that look like a corner of a QR code, every three of which
// the library tries: with more, a picture is none of an invoice with up to seven codes.
const maxCorners = 21

// tooMany is what ends the search, whose library has no other way to stop it.
type tooMany struct{}

// Find finds the payment codes of a picture, whichever way they are turned.
func Find(grey *image.Gray) (codes []Code) {
	corners := 0
	count := gozxing.ResultPointCallback(func(p gozxing.ResultPoint) {
		if corners++; corners > maxCorners {
			panic(tooMany{})
		}
	})
	var found []*gozxing.Result
	func() {
		// The library reads what others made; where it fails, there is no code.
		defer func() { _ = recover() }()
		width, height := grey.Rect.Dx(), grey.Rect.Dy()
		source, err := gozxing.NewPlanarYUVLuminanceSource(grey.Pix, grey.Stride, height, 0, 0, width, height, false)
		if err != nil {
			return
		}
		bitmap, err := gozxing.NewBinaryBitmap(gozxing.NewHybridBinarizer(source))
		if err != nil {
			return
		}
		found, err = qrcode.NewQRCodeMultiReader().DecodeMultiple(bitmap, map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_NEED_RESULT_POINT_CALLBACK: count})
		if err != nil {
			found = nil
		}
	}()
	seen := map[string]bool{}
	for _, f := range found {
		code, ok := Parse(f.GetText())
		if points := f.GetResultPoints(); ok && !seen[f.GetText()] && len(points) > 0 {
			seen[f.GetText()] = true
			code.place(points, grey.Rect)
			codes = append(codes, code)
		}
	}
	return codes
}

// place sets where a code is.
func (c *Code) place(points []gozxing.ResultPoint, of image.Rectangle) {
	width, height := float64(of.Dx()), float64(of.Dy())
	c.Left, c.Top = 1, 1
	for _, p := range points[:min(len(points), 3)] {
		c.Left, c.Right = min(c.Left, p.GetX()/width), max(c.Right, p.GetX()/width)
		c.Top, c.Bottom = min(c.Top, p.GetY()/height), max(c.Bottom, p.GetY()/height)
	}
}
