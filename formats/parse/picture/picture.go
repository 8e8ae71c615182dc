// Package picture reads pictures of pages: JPEG, PNG and TIFF.
//
//	if picture.Is(data) {
//		file, err := picture.Open(data, 50)
//		grey, dpi, err := file.Page(ctx, 0, 40_000_000)
//	}
package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // formats that are read
	_ "image/png"

	"einvoice/formats/pixels"
	"einvoice/model/reserve"

	_ "golang.org/x/image/tiff" // likewise
)

// ErrPixels is the error of a picture with more pixels than are read.
var ErrPixels = errors.New("the picture has more pixels than are read")

// ErrPages is the error of a file with more pictures than are read.
var ErrPages = errors.New("the file has more pictures than are read")

// signatures are what files of the formats begin with.
var signatures = [][]byte{{0xFF, 0xD8, 0xFF}, []byte("\x89PNG\r\n\x1a\n"), []byte("II*\x00"), []byte("MM\x00*")}

// Is reports whether data begins as a picture of one of the formats does.
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

// A File has pictures of pages.
type File struct {
	data  []byte
	pages []directory // of a TIFF; one without offset of others
	tiff  bool
}

// Open looks into a file of pictures: a TIFF has several, of which at most so many are
// read.
func Open(data []byte, most int) (*File, error) {
	f := &File{data: data, pages: []directory{{orientation: 1}}}
	switch {
	case bytes.HasPrefix(data, signatures[0]):
		f.pages[0].orientation = exifOrientation(data)
	case !bytes.HasPrefix(data, signatures[1]):
		f.pages, f.tiff = directories(data, most+1), true
	}
	switch {
	case len(f.pages) == 0:
		return nil, errors.New("read the picture: it has no directory")
	case len(f.pages) > most:
		return nil, ErrPages
	}
	return f, nil
}

// Pages is how many pictures there are.
func (f *File) Pages() int { return len(f.pages) }

// Page reads a picture of a page, counted from 0, in shades of grey and as the camera or
// the scanner says it is upright, with the resolution that it has if the page is as high
// as A4.
func (f *File) Page(ctx context.Context, page, pixels int) (*image.Gray, int, error) {
	data := f.data
	if f.tiff {
		data = f.pages[page].alone(data)
	}
	grey, err := Grey(ctx, data, pixels)
	if err != nil {
		return nil, 0, err
	}
	resolution := max(int(float64(max(grey.Rect.Dx(), grey.Rect.Dy()))/longSide), 1)
	return orient(grey, f.pages[page].orientation), resolution, nil
}

// use is what the memory is for: one picture at a time is worked on.
const use = "pictures"

// worked is how many bytes each pixel takes besides, once it is grey: turned, made a rectangle,
// upside down, and as a file for the program that recognises text.
const worked = 6

// Reserve asks for the memory of the work on a grey picture.
func Reserve(ctx context.Context, width, height int) error {
	return reserve.AtOnce(ctx, use, worked*int64(width)*int64(height))
}

// whole is a file in memory. Package image leaves a reader with Peek as it is, so that the
// decoder of TIFF reads where it wants and does not copy all that stands before its directory.
type whole struct{ *bytes.Reader }

// Peek returns the next n bytes without reading them.
func (w whole) Peek(n int) ([]byte, error) {
	next := make([]byte, n)
	_, err := w.ReadAt(next, w.Size()-int64(w.Len()))
	return next, err
}

// Grey reads one picture in shades of grey, as it is stored. Its memory is asked for before.
func Grey(ctx context.Context, data []byte, most int) (*image.Gray, error) {
	config, format, err := image.DecodeConfig(whole{bytes.NewReader(data)})
	if err != nil {
		return nil, fmt.Errorf("read the picture: %w", err)
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > most/config.Height {
		return nil, fmt.Errorf("%w: %d by %d", ErrPixels, config.Width, config.Height)
	}
	if err := reserve.AtOnce(ctx, use, pixels.Bytes(data, format, config)+worked*int64(config.Width)*int64(config.Height)); err != nil {
		return nil, err
	}
	grey, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("read the picture: %w", err)
	}
	return grey, nil
}

// decode reads a picture whose size is known, in shades of grey. A JPEG has them as its
// luminance.
func decode(data []byte) (*image.Gray, error) {
	decoded, _, err := image.Decode(whole{bytes.NewReader(data)})
	if err != nil {
		return nil, err
	}
	switch from := decoded.(type) {
	case *image.Gray:
		return from, nil
	case *image.YCbCr:
		return &image.Gray{Pix: from.Y, Stride: from.YStride, Rect: from.Rect}, nil
	}
	grey := image.NewGray(image.Rect(0, 0, decoded.Bounds().Dx(), decoded.Bounds().Dy()))
	draw.Draw(grey, grey.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(grey, grey.Rect, decoded, decoded.Bounds().Min, draw.Over)
	return grey, nil
}
