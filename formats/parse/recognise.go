package parse

import (
	"context"
	"errors"
	"fmt"
	"image"

	"einvoice/formats/parse/picture"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/raster"
	"einvoice/formats/pdf/text"
	"einvoice/model/problem"
)

// A Recogniser recognises the words of a picture of a page, whose resolution is in pixels
// per inch. The boxes are in points from the top left corner.
type Recogniser interface {
	Words(ctx context.Context, picture *image.Gray, dpi int) ([]text.Word, error)
}

// dpi is the resolution of the pictures that are made of pages: letters of 8 points have
// the 30 pixels that recognition needs.
const dpi = 300

// isPictured tells whether a page has a picture and too few words to be read.
func isPictured(s *text.Sheet) bool {
	return len(s.Words) <= fewWords && s.Pictured > leastPictured
}

// leastPictured is how much of a page a picture covers at least that may have its text.
const leastPictured = 0.05

// recognisePages reads the pages of a PDF whose text is in pictures.
func recognisePages(ctx context.Context, data []byte, sheets []text.Sheet, limits Limits, with Recogniser) error {
	var document *raster.Document
	for i := range sheets {
		if !isPictured(&sheets[i]) || with == nil {
			continue
		}
		if document == nil {
			var err error
			if document, err = raster.Open(ctx, data); err != nil {
				return ocrError(err)
			}
			defer document.Close()
		}
		grey, resolution, err := document.Page(ctx, i, dpi, limits.Pixels)
		if err != nil {
			return ocrError(err)
		}
		sheet, err := recognise(ctx, grey, resolution, with)
		if err != nil {
			return ocrError(err)
		}
		sheet.Pictured = sheets[i].Pictured
		sheets[i] = *sheet
	}
	return nil
}

// recognisePicture reads a picture of a page.
func recognisePicture(ctx context.Context, data []byte, limits Limits, with Recogniser) ([]text.Sheet, error) {
	if with == nil {
		return nil, noOCR("1")
	}
	grey, resolution, err := picture.Read(data, limits.Pixels)
	if err != nil {
		return nil, pictureError(err, limits)
	}
	sheet, err := recognise(ctx, grey, resolution, with)
	if err != nil {
		return nil, ocrError(err)
	}
	return []text.Sheet{*sheet}, nil
}

func recognise(ctx context.Context, grey *image.Gray, resolution int, with Recogniser) (*text.Sheet, error) {
	picture.EvenLight(grey)
	words, err := with.Words(ctx, grey, resolution)
	if err != nil {
		return nil, err
	}
	scale := 72 / float64(resolution)
	return &text.Sheet{
		Width: float64(grey.Rect.Dx()) * scale, Height: float64(grey.Rect.Dy()) * scale, Words: words, Pictured: 1, Recognised: true,
	}, nil
}

// noOCR refuses pages whose text nobody recognises.
func noOCR(pages string) error {
	return &problem.Error{
		Code: CodeNoOCR, Message: "the text of page " + pages + " is in a picture, and the program that recognises text is not there",
		Remedy: "install Tesseract (Debian's packages tesseract-ocr and tesseract-ocr-deu, -fra ...), or send a PDF with text",
	}
}

func pictureError(err error, limits Limits) error {
	if errors.Is(err, picture.ErrPixels) {
		return tooManyPixels(limits)
	}
	return &problem.Error{Code: pdf.CodeNotPDF, Message: "the file begins as a picture does, and cannot be read as one", Remedy: "send the picture anew, as JPEG, PNG or TIFF, or a PDF", Cause: err}
}

func tooManyPixels(limits Limits) error {
	return &problem.Error{
		Code: CodeLimit, Message: fmt.Sprintf("a page has more than the %d pixels that are read (setting parse-pixels)", limits.Pixels),
		Remedy: "send the page with a lower resolution (300 dpi are enough), or raise the setting",
	}
}

// ocrError says what went wrong while text was recognised.
func ocrError(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return tooSlow()
	case errors.Is(err, raster.ErrPixels):
		return &problem.Error{Code: CodeLimit, Message: "a page is too large for a picture of it (setting parse-pixels)", Remedy: "print the page on A4 and send that, or raise the setting", Cause: err}
	}
	return &problem.Error{
		Code: CodeNoOCR, Message: "recognising the text of the page failed: " + err.Error(),
		Remedy: "see that Tesseract and its languages are installed (settings ocr and ocr-languages)", Cause: err,
	}
}
