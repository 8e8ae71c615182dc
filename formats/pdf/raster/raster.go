//go:build !js

// Package raster makes pictures of the pages of a PDF, with PDFium as WebAssembly: it has
// no access to files, the network or memory outside of its own.
//
//	document, err := raster.Open(ctx, data)
//	defer document.Close()
//	picture, dpi, err := document.Page(0, 300, 40_000_000)
package raster

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
)

// memoryPages is how much memory PDFium may have, in units of 64 KiB: 512 MiB.
const memoryPages = 8192

// leastDPI is the resolution below which a page is not worth a picture.
const leastDPI = 100

// ErrPixels is the error of a page that would have too many pixels.
var ErrPixels = errors.New("the page has more pixels than are read")

// compiled keeps the compiled PDFium, which takes seconds to make, for the next PDF: in
// the user's folder for caches where there is one, for the next run as well.
var compiled = sync.OnceValue(func() wazero.CompilationCache {
	if dir, err := os.UserCacheDir(); err == nil {
		if cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "einvoice", "pdfium")); err == nil {
			return cache
		}
	}
	return wazero.NewCompilationCache()
})

// A Document is a PDF that pictures can be made of. It is not for several goroutines.
type Document struct {
	pool     pdfium.Pool
	instance pdfium.Pdfium
	document references.FPDF_DOCUMENT
}

// Open opens a PDF. The end of the context stops PDFium wherever it is.
func Open(ctx context.Context, data []byte) (*Document, error) {
	pool, err := webassembly.Init(webassembly.Config{
		Context: ctx, MaxIdle: 1, MaxTotal: 1, Stdout: io.Discard, Stderr: io.Discard,
		FSConfig: wazero.NewFSConfig(), // no files; the default is all of them
		RuntimeConfig: wazero.NewRuntimeConfig().WithCompilationCache(compiled()).
			WithMemoryLimitPages(memoryPages).WithCloseOnContextDone(true),
	})
	if err != nil {
		return nil, stopped(ctx, fmt.Errorf("start PDFium: %w", err))
	}
	d := &Document{pool: pool}
	if d.instance, err = pool.GetInstanceWithContext(ctx); err != nil {
		d.Close()
		return nil, stopped(ctx, fmt.Errorf("start PDFium: %w", err))
	}
	opened, err := d.instance.OpenDocument(&requests.OpenDocument{File: &data})
	if err != nil {
		d.Close()
		return nil, stopped(ctx, fmt.Errorf("open the PDF with PDFium: %w", err))
	}
	d.document = opened.Document
	return d, nil
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
	at := requests.Page{ByIndex: &requests.PageByIndex{Document: d.document, Index: page}}
	size, err := d.instance.GetPageSize(&requests.GetPageSize{Page: at})
	if err != nil {
		return nil, 0, stopped(ctx, fmt.Errorf("size of page %d: %w", page+1, err))
	}
	for resolution = dpi; size.Width*size.Height*float64(resolution*resolution)/(72*72) > float64(pixels); resolution = resolution * 4 / 5 {
		if resolution < leastDPI {
			return nil, 0, ErrPixels
		}
	}
	rendered, err := d.instance.RenderPageInDPI(&requests.RenderPageInDPI{Page: at, DPI: resolution, ImageFormat: requests.RenderImageFormatGrayscale})
	if err != nil {
		return nil, 0, stopped(ctx, fmt.Errorf("picture of page %d: %w", page+1, err))
	}
	defer rendered.Cleanup()
	grey, ok := rendered.Result.RenderedImage.(*image.Gray)
	if !ok {
		return nil, 0, fmt.Errorf("picture of page %d: PDFium gives %T", page+1, rendered.Result.RenderedImage)
	}
	picture = &image.Gray{Pix: append([]byte(nil), grey.Pix...), Stride: grey.Stride, Rect: grey.Rect} // PDFium takes its own back
	return picture, resolution, nil
}

// Pages is how many pages the PDF has.
func (d *Document) Pages() (int, error) {
	count, err := d.instance.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: d.document})
	if err != nil {
		return 0, fmt.Errorf("count the pages: %w", err)
	}
	return count.PageCount, nil
}

// Picture makes a picture of a page, counted from 0, in colour.
func (d *Document) Picture(ctx context.Context, page, dpi int) (*image.RGBA, error) {
	rendered, err := d.instance.RenderPageInDPI(&requests.RenderPageInDPI{
		Page: requests.Page{ByIndex: &requests.PageByIndex{Document: d.document, Index: page}}, DPI: dpi,
	})
	if err != nil {
		return nil, stopped(ctx, fmt.Errorf("picture of page %d: %w", page+1, err))
	}
	defer rendered.Cleanup()
	given := rendered.Result.RenderedImage
	picture := image.NewRGBA(given.Bounds()) // PDFium takes its own back
	draw.Draw(picture, picture.Rect, given, given.Bounds().Min, draw.Src)
	return picture, nil
}

// Close ends PDFium and frees its memory.
func (d *Document) Close() {
	if d.instance != nil {
		_ = d.instance.Close() // the pool is closed with it
	}
	_ = d.pool.Close() // there is nothing left to save
}
