//go:build !js

// Package raster makes pictures of the pages of a PDF, with PDFium as WebAssembly: it has
// no access to files, the network or memory outside of its own.
//
//	document, err := raster.Open(ctx, data)
//	defer document.Close()
//	picture, dpi, err := document.Page(ctx, 0, 300, 40_000_000)
package raster

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"

	"einvoice/model/reserve"

	"github.com/tetratelabs/wazero/api"
)

// leastDPI is the resolution below which a page is not worth a picture.
const leastDPI = 100

// ErrPixels is the error of a page that would have too many pixels.
var ErrPixels = errors.New("the page has more pixels than are read")

// A Document is a PDF that pictures can be made of. It is not for several goroutines.
type Document struct {
	*pdfium
	handle uint64
	pages  int
}

// Open opens a PDF. The end of the context stops PDFium wherever it is.
func Open(ctx context.Context, data []byte) (*Document, error) {
	p, err := newPDFium(ctx)
	if err != nil {
		return nil, stopped(ctx, fmt.Errorf("start PDFium: %w", err))
	}
	d := &Document{pdfium: p}
	if err := d.open(ctx, data); err != nil {
		d.Close()
		return nil, stopped(ctx, fmt.Errorf("open the PDF with PDFium: %w", err))
	}
	return d, nil
}

// openErrors are what PDFium says about a PDF that it does not open, by its number.
var openErrors = []string{"success", "unknown error", "unable to read file", "incorrect format", "invalid password", "invalid encryption", "incorrect page"}

func (d *Document) open(ctx context.Context, data []byte) error {
	at, err := d.copied(ctx, data)
	if err != nil {
		return err
	}
	if d.handle, err = d.call(ctx, "FPDF_LoadMemDocument", at, uint64(len(data)), 0); err != nil {
		return err
	}
	if d.handle == 0 {
		number, err := d.call(ctx, "FPDF_GetLastError")
		if err == nil && number < uint64(len(openErrors)) {
			err = fmt.Errorf("%d: %s", number, openErrors[number])
		}
		return errors.Join(err)
	}
	count, err := d.call(ctx, "FPDF_GetPageCount", d.handle)
	d.pages = int(api.DecodeI32(count))
	return err
}

// stopped prefers the end of the context to the error that it caused.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Page makes a picture of a page, counted from 0, in shades of grey. The resolution is
// lower than asked for where the picture would have too many pixels; ErrPixels where
// that does not help.
func (d *Document) Page(ctx context.Context, page, dpi, pixels int) (picture *image.Gray, resolution int, err error) {
	p, err := d.page(ctx, page)
	if err != nil {
		return nil, 0, stopped(ctx, fmt.Errorf("size of page %d: %w", page+1, err))
	}
	defer p.close(ctx)
	for resolution = dpi; p.width*p.height*float64(resolution*resolution)/(72*72) > float64(pixels); resolution = resolution * 4 / 5 {
		if resolution < leastDPI {
			return nil, 0, ErrPixels
		}
	}
	picture = image.NewGray(p.pixels(resolution))
	picture.Pix, picture.Stride, err = p.draw(ctx, picture.Rect, greyBitmap)
	if err != nil {
		return nil, 0, stopped(ctx, fmt.Errorf("picture of page %d: %w", page+1, err))
	}
	return picture, resolution, nil
}

// Pages is how many pages the PDF has.
func (d *Document) Pages() int { return d.pages }

// Picture makes a picture of a page, counted from 0, in colour.
func (d *Document) Picture(ctx context.Context, page, dpi int) (*image.RGBA, error) {
	p, err := d.page(ctx, page)
	if err != nil {
		return nil, stopped(ctx, fmt.Errorf("size of page %d: %w", page+1, err))
	}
	defer p.close(ctx)
	picture := &image.RGBA{Rect: p.pixels(dpi)}
	if picture.Pix, picture.Stride, err = p.draw(ctx, picture.Rect, colourBitmap); err != nil {
		return nil, stopped(ctx, fmt.Errorf("picture of page %d: %w", page+1, err))
	}
	return picture, nil
}

// A page is one that PDFium has loaded; its size is in points.
type page struct {
	*pdfium
	handle        uint64
	width, height float64
}

func (d *Document) page(ctx context.Context, number int) (*page, error) {
	handle, err := d.call(ctx, "FPDF_LoadPage", d.handle, api.EncodeI32(int32(number)))
	if err == nil && handle == 0 {
		err = errors.New("there is no such page, or it cannot be read")
	}
	if err != nil {
		return nil, err
	}
	width, err := d.call(ctx, "FPDF_GetPageWidth", handle)
	height, err2 := d.call(ctx, "FPDF_GetPageHeight", handle)
	return &page{d.pdfium, handle, api.DecodeF64(width), api.DecodeF64(height)}, errors.Join(err, err2)
}

func (p *page) pixels(dpi int) image.Rectangle {
	scale := float64(dpi) / 72
	return image.Rect(0, 0, int(math.Ceil(p.width*scale)), int(math.Ceil(p.height*scale)))
}

// A bitmapKind is how PDFium draws: its format (FPDFBitmap_*), flags (FPDF_*), and the bytes of
// a pixel.
type bitmapKind struct{ format, flags, bytes uint64 }

var (
	greyBitmap   = bitmapKind{format: 1, flags: 0x08, bytes: 1}
	colourBitmap = bitmapKind{format: 4, flags: 0x10, bytes: 4} // red first, as Go has it
)

const white = 0xFFFFFFFF

// draw draws the page, and returns a copy of the pixels with the bytes of a row.
func (p *page) draw(ctx context.Context, size image.Rectangle, kind bitmapKind) (pixels []byte, stride int, err error) {
	width, height := uint64(size.Dx()), uint64(size.Dy())
	if err := reserve.AtOnce(ctx, "pages", int64(width*height*kind.bytes)); err != nil {
		return nil, 0, err
	}
	bitmap, err := p.call(ctx, "FPDFBitmap_CreateEx", width, height, kind.format, 0, 0)
	if err == nil && bitmap == 0 {
		err = errors.New("there is no memory for it")
	}
	if err != nil {
		return nil, 0, err
	}
	fill := uint64(white)
	if seenThrough, err := p.call(ctx, "FPDFPage_HasTransparency", p.handle); err != nil {
		return nil, 0, err
	} else if seenThrough == 1 && kind == colourBitmap {
		fill = 0
	}
	for _, c := range []struct {
		name      string
		arguments []uint64
	}{
		{"FPDFBitmap_FillRect", []uint64{bitmap, 0, 0, width, height, fill}},
		{"FPDF_RenderPageBitmap", []uint64{bitmap, p.handle, 0, 0, width, height, 0, kind.flags}},
	} {
		if _, err := p.call(ctx, c.name, c.arguments...); err != nil {
			return nil, 0, err
		}
	}
	row, err := p.call(ctx, "FPDFBitmap_GetStride", bitmap)
	if err != nil {
		return nil, 0, err
	}
	at, err := p.call(ctx, "FPDFBitmap_GetBuffer", bitmap)
	if err != nil {
		return nil, 0, err
	}
	own, ok := p.module.Memory().Read(uint32(at), uint32(row*height))
	if !ok {
		return nil, 0, errors.New("PDFium has no pixels")
	}
	pixels = append([]byte(nil), own...)
	_, err = p.call(ctx, "FPDFBitmap_Destroy", bitmap)
	return pixels, int(row), err
}

// close frees the page. What cannot be freed is, when the document is closed.
func (p *page) close(ctx context.Context) { _, _ = p.call(ctx, "FPDF_ClosePage", p.handle) }

// Close ends PDFium and frees its memory.
func (d *Document) Close() { _ = d.module.Close(context.Background()) } // there is nothing left to save
