package parse

import (
	"context"
	"image"

	"einvoice/formats/parse/picture"
	"einvoice/formats/pdf/raster"
)

// Bounds of the pictures that a language model sees.
const (
	seenPages = 10
	seenDPI   = 110
	seenSide  = 1300 // pixels of the longer side of a picture that was not a page of a PDF
)

// pictures makes pictures of the first pages, for a language model that sees.
func pictures(ctx context.Context, data []byte, pages int, limits Limits) (made []*image.Gray, err error) {
	if picture.Is(data) {
		file, err := picture.Open(data, limits.Pages)
		if err != nil {
			return nil, err
		}
		for i := range min(pages, seenPages) {
			grey, _, err := file.Page(ctx, i, limits.Pixels)
			if err != nil {
				return nil, err
			}
			made = append(made, picture.Shrink(grey, seenSide))
		}
		return made, nil
	}
	document, err := raster.Open(ctx, data)
	if err != nil {
		return nil, err
	}
	defer document.Close()
	for i := range min(pages, seenPages) {
		grey, _, err := document.Page(ctx, i, seenDPI, limits.Pixels)
		if err != nil {
			return nil, err
		}
		made = append(made, grey)
	}
	return made, nil
}
