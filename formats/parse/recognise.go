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
	"einvoice/model/reserve"
)

// A Recogniser recognises the words of a picture of a page, whose resolution is in pixels
// per inch. The boxes are in points from the top left corner.
type Recogniser interface {
	Words(ctx context.Context, picture *image.Gray, dpi int) ([]text.Word, error)
}

// dpi is the resolution of the pictures that are made of pages: letters of 8 points have
// the 30 pixels that recognition needs.
const dpi = 300

// leastDPI is the resolution below which a picture is enlarged to dpi.
const leastDPI = 250

// isPictured reports whether a page has a picture and too few words to be read.
func isPictured(s *text.Sheet) bool {
	return len(s.Words) <= fewWords && s.Pictured > leastPictured
}

// leastPictured is how much of a page a picture covers at least that may have its text.
const leastPictured = 0.05

// A pageReader recognises text and payment codes in pictures of pages.
type pageReader struct {
	with   Recogniser
	limits Limits
	codes  []pageCode
	hidden []Hidden
	behind []bool // by page of a PDF: its words are behind a picture
}

// pdf reads the pages of a PDF whose text is in pictures, and the payment codes of those
// and of pages that mention one.
func (p *pageReader) pdf(ctx context.Context, data []byte, sheets []text.Sheet) error {
	var document *raster.Document
	for i := range sheets {
		pictured := isPictured(&sheets[i]) || p.behind[i] // what is printed counts
		if p.with == nil || !pictured && !mentionsCode(&sheets[i]) {
			continue
		}
		if pictured && sheets[i].Scan != nil {
			if done, err := p.scan(ctx, &sheets[i], i+1); err != nil {
				return err
			} else if done {
				p.behind[i] = false
				continue
			}
		}
		if document == nil {
			var err error
			if document, err = raster.Open(ctx, data); err != nil {
				return ocrError(err)
			}
			defer document.Close()
		}
		grey, resolution, err := document.Page(ctx, i, dpi, p.limits.Pixels)
		if _, refused := errors.AsType[*reserve.Refused](err); refused || err != nil && pictured {
			return ocrError(err)
		}
		if err != nil { // what the text says can be read without the code
			continue
		}
		if !pictured {
			p.codes = append(p.codes, codesOf(picture.Turn(grey, sheets[i].Rotation), i+1)...)
			continue
		}
		sheet, err := p.page(ctx, grey, resolution, i+1)
		if err != nil {
			return ocrError(err)
		}
		sheet.Pictured = sheets[i].Pictured
		sheets[i], p.behind[i] = *sheet, false
	}
	return nil
}

// scan reads a page that shows one picture alone: to decode that costs a small part of
// what PDFium needs to draw it. It is not done where that fails.
func (p *pageReader) scan(ctx context.Context, sheet *text.Sheet, number int) (done bool, err error) {
	grey, err := picture.Grey(ctx, sheet.Scan, p.limits.Pixels)
	if _, refused := errors.AsType[*reserve.Refused](err); refused {
		return false, err
	}
	if err != nil { // PDFium reads more kinds, and pictures with too many pixels
		return false, nil
	}
	resolution := int(float64(grey.Rect.Dx())*72/max(sheet.Width, 1) + 0.5)
	read, err := p.page(ctx, grey, max(resolution, 1), number)
	if err != nil {
		return false, ocrError(err)
	}
	read.Pictured = sheet.Pictured
	*sheet = *read
	return true, nil
}

// pictures reads the pictures of pages in a file.
func (p *pageReader) pictures(ctx context.Context, data []byte) ([]text.Sheet, error) {
	if p.with == nil {
		return nil, noOCR("1")
	}
	file, err := picture.Open(data, p.limits.Pages)
	if err != nil {
		return nil, pictureError(err, p.limits)
	}
	var sheets []text.Sheet
	for i := range file.Pages() {
		grey, resolution, err := file.Page(ctx, i, p.limits.Pixels)
		if err != nil {
			return nil, pictureError(err, p.limits)
		}
		sheet, err := p.page(ctx, grey, resolution, i+1)
		if err != nil {
			return nil, ocrError(err)
		}
		sheets = append(sheets, *sheet)
	}
	return sheets, nil
}

// upright is the certainty of words above which a page is taken to be upright: letters
// upside down are read as others, and the program that reads them is not sure. Of clean
// pages upside down it was 0.55 to 0.63, of the same pages upright 0.90 to 0.94.
const upright = 0.7

// page recognises the words of a picture of a page, and turns it where it lies on its
// side or upside down.
func (p *pageReader) page(ctx context.Context, grey *image.Gray, resolution, number int) (*text.Sheet, error) {
	if err := picture.Reserve(ctx, grey.Rect.Dx(), grey.Rect.Dy()); err != nil {
		return nil, err
	}
	grey, _ = picture.Rectify(grey)
	if width, height := grey.Rect.Dx()*dpi/resolution, grey.Rect.Dy()*dpi/resolution; resolution < leastDPI && width*height <= p.limits.Pixels {
		if err := picture.Reserve(ctx, width, height); err != nil {
			return nil, err
		}
		grey, resolution = picture.Enlarge(grey, width, height), dpi
	}
	picture.EvenLight(grey)
	turned := 0
	if picture.IsSideways(grey) {
		grey, turned = picture.Turn(grey, 90), 90
	}
	words, err := p.with.Words(ctx, grey, resolution)
	if err != nil {
		return nil, err
	}
	if sure := certainty(words); len(words) > 0 && sure < upright {
		over := picture.Turn(grey, 180)
		others, err := p.with.Words(ctx, over, resolution)
		if err != nil {
			return nil, err
		}
		if certainty(others) > sure {
			grey, words, turned = over, others, turned+180
		}
	}
	p.codes = append(p.codes, codesOf(grey, number)...)
	scale := 72 / float64(resolution)
	return &text.Sheet{
		Width: float64(grey.Rect.Dx()) * scale, Height: float64(grey.Rect.Dy()) * scale, Rotation: turned,
		Words: words, Pictured: 1, Recognised: true,
	}, nil
}

// noOCR refuses pages whose text nobody recognises.
func noOCR(pages string) error {
	return &problem.Error{
		Code: CodeNoOCR, Message: "the text of page " + pages + " is in a picture, and no program that recognises text is in use",
		Remedy: "install Tesseract (Debian's packages tesseract-ocr and tesseract-ocr-deu, -fra ...) and name it with the option ocr, or send a PDF with text",
	}
}

func pictureError(err error, limits Limits) error {
	if _, refused := errors.AsType[*reserve.Refused](err); refused {
		return err
	}
	switch {
	case errors.Is(err, picture.ErrPixels):
		return tooManyPixels(limits)
	case errors.Is(err, picture.ErrPages):
		return tooManyPages("file", limits)
	}
	return &problem.Error{Code: pdf.CodeNotPDF, Message: "the file begins as a picture does, and cannot be read as one", Remedy: "send the picture again, as JPEG, PNG or TIFF, or a PDF", Cause: err}
}

func tooManyPixels(limits Limits) error {
	return &problem.Error{
		Code: CodeLimit, Message: fmt.Sprintf("a page has more than the %d pixels that are read (setting parse-pixels)", limits.Pixels),
		Remedy: "send the page with a lower resolution (300 dpi are enough), or raise the setting",
	}
}

// ocrError says what went wrong while text was recognised.
func ocrError(err error) error {
	if _, refused := errors.AsType[*reserve.Refused](err); refused {
		return err
	}
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return TooSlow()
	case errors.Is(err, raster.ErrPixels):
		return &problem.Error{Code: CodeLimit, Message: "a page is too large for a picture of it (setting parse-pixels)", Remedy: "print the page on A4 and send that, or raise the setting", Cause: err}
	}
	return &problem.Error{
		Code: CodeNoOCR, Message: "recognising the text of the page failed: " + err.Error(),
		Remedy: "see that Tesseract and its languages are installed (settings ocr and ocr-languages)", Cause: err,
	}
}
