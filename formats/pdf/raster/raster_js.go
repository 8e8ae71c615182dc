package raster

import (
	"context"
	"errors"
	"image"
)

// In a browser there is no PDFium: a program that is WebAssembly itself would have to
// interpret it.
var errBrowser = errors.New("pages cannot be made pictures in a browser")

// ErrPixels is the error of a page that would have too many pixels.
var ErrPixels = errors.New("the page has more pixels than are read")

// A Document is a PDF that pictures can be made of; in a browser there is none.
type Document struct{}

// Open refuses every PDF.
func Open(context.Context, []byte) (*Document, error) { return nil, errBrowser }

// Page makes no picture.
func (*Document) Page(context.Context, int, int, int) (*image.Gray, int, error) {
	return nil, 0, errBrowser
}

// Pages counts no pages.
func (*Document) Pages() int { return 0 }

// Picture makes no picture.
func (*Document) Picture(context.Context, int, int) (*image.RGBA, error) { return nil, errBrowser }

// Close does nothing.
func (*Document) Close() {}
