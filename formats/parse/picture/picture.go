// Package picture reads pictures of pages: JPEG, PNG and TIFF.
//
//	if picture.Is(data) {
//		grey, dpi, err := picture.Read(data, 40_000_000)
//	}
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // formats that are read
	_ "image/png"

	_ "golang.org/x/image/tiff" // likewise
)

// ErrPixels is the error of a picture with more pixels than are read.
var ErrPixels = errors.New("the picture has more pixels than are read")

// signatures are what files of the formats begin with.
var signatures = [][]byte{{0xFF, 0xD8, 0xFF}, []byte("\x89PNG\r\n\x1a\n"), []byte("II*\x00"), []byte("MM\x00*")}

// Is tells whether data begins as a picture of one of the formats does.
func Is(data []byte) bool {
	for _, s := range signatures {
		if bytes.HasPrefix(data, s) {
			return true
		}
	}
	return false
}

// longSide is the longer side of A4 in inches, which a page is taken for whose size no
// file says reliably.
const longSide = 11.69

// Read reads a picture of a page in shades of grey, with the resolution that it has if
// the page is as high as A4. Of several pictures in a TIFF, it is the first.
func Read(data []byte, pixels int) (*image.Gray, int, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, 0, fmt.Errorf("read the picture: %w", err)
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > pixels/config.Height {
		return nil, 0, fmt.Errorf("%w: %d by %d", ErrPixels, config.Width, config.Height)
	}
	decoded, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, 0, fmt.Errorf("read the %s picture: %w", format, err)
	}
	grey, ok := decoded.(*image.Gray)
	if !ok {
		grey = image.NewGray(image.Rect(0, 0, decoded.Bounds().Dx(), decoded.Bounds().Dy()))
		draw.Draw(grey, grey.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(grey, grey.Rect, decoded, decoded.Bounds().Min, draw.Over)
	}
	return grey, max(int(float64(max(config.Width, config.Height))/longSide), 1), nil
}
