package logo

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // pictures of looks
	_ "image/png"
	"path"
	"strings"

	"einvoice/formats/pdf/page/typeset"
	"einvoice/formats/pixels"

	"github.com/srwiley/rasterx"
)

// A Picture is a logo: pixels, or filled areas.
type Picture struct {
	Width, Height float64 // in units of its own
	Pixels        image.Image
	Areas         []Area
	media         string // the type of data, for HTML and SVG
	data          []byte
}

// An Area is filled by the rule of winding numbers that are not zero, or by that of even
// and odd.
type Area struct {
	Fill     typeset.Colour
	Alpha    float64          // 1 for what nothing is seen through
	Gradient *Gradient        // in place of the colour; nil for none
	Place    rasterx.Matrix2D // from its coordinates to those of the picture
	EvenOdd  bool
	Rings    [][]point
}

type point struct{ X, Y float64 }

// maxDecoded bounds what the pictures of looks take in memory: they are kept, and written into
// each PDF.
const maxDecoded = 64 << 20

// Read reads a logo.
func Read(name string, data []byte) (*Picture, error) {
	if strings.EqualFold(path.Ext(name), ".svg") {
		return readSVG(data)
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, errors.New("it is not SVG, PNG or JPEG")
	}
	if takes := pixels.Bytes(data, format, config); takes > maxDecoded {
		return nil, fmt.Errorf("its %d × %d pixels take %d MiB of memory, more than %d; make it smaller: a side of 2000 pixels is enough for print", config.Width, config.Height, takes>>20, int64(maxDecoded)>>20)
	}
	decoded, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	size := decoded.Bounds().Size()
	if size.X == 0 || size.Y == 0 {
		return nil, errors.New("it has no pixels")
	}
	return &Picture{Width: float64(size.X), Height: float64(size.Y), Pixels: decoded, media: "image/" + format, data: data}, nil
}

// Fit is the largest size within an area.
func (p *Picture) Fit(width, height float64) (float64, float64) {
	scale := min(width/p.Width, height/p.Height)
	return p.Width * scale, p.Height * scale
}

// DataURI is the file of a picture.
func (p *Picture) DataURI() string {
	return "data:" + p.media + ";base64," + base64.StdEncoding.EncodeToString(p.data)
}
