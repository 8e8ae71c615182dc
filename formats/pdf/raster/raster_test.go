package raster_test

import (
	"context"
	"errors"
	"testing"

	"einvoice/formats/pdf/pdftest"
	"einvoice/formats/pdf/raster"
)

// blackTop is a page of 100 by 200 points whose upper half is black.
func blackTop() []byte {
	var w pdftest.Writer
	stream := w.Stream("", []byte("0 g 0 100 100 100 re f"))
	pages := w.Pages(1, "/MediaBox [0 0 100 200] /Contents "+pdftest.Ref(stream))
	return w.Close("/Root " + pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" >>")))
}

func TestPage(t *testing.T) {
	d, err := raster.Open(t.Context(), blackTop())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	grey, dpi, err := d.Page(t.Context(), 0, 144, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	if dpi != 144 || grey.Rect.Dx() != 200 || grey.Rect.Dy() != 400 || grey.GrayAt(100, 50).Y != 0 || grey.GrayAt(100, 350).Y != 255 {
		t.Errorf("%v at %d dpi, %v above %v", grey.Rect, dpi, grey.GrayAt(100, 50), grey.GrayAt(100, 350))
	}
	if _, dpi, err := d.Page(t.Context(), 0, 300, 100_000); err != nil || dpi >= 300 || dpi < 100 {
		t.Errorf("with few pixels: %d dpi, %v", dpi, err)
	}
	if _, _, err := d.Page(t.Context(), 0, 300, 1000); !errors.Is(err, raster.ErrPixels) {
		t.Errorf("with too few pixels: %v", err)
	}
	if _, _, err := d.Page(t.Context(), 1, 300, 1_000_000); err == nil {
		t.Error("there is a picture of a page that is not there")
	}
}

func TestRefused(t *testing.T) {
	if _, err := raster.Open(t.Context(), []byte("no PDF")); err == nil {
		t.Error("something else is opened")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := raster.Open(ctx, blackTop()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v after the end", err)
	}
}
