package cli

import (
	"context"
	picture "image"

	"einvoice/formats/pdf/raster"
)

// drawn is a picture of a page of a PDF.
func drawn(ctx context.Context, pdf []byte, page, dpi int) (picture.Image, error) {
	document, err := raster.Open(ctx, pdf)
	if err != nil {
		return nil, err
	}
	defer document.Close()
	return document.Picture(ctx, page, dpi)
}
