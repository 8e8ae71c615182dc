package page

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // pictures of looks
	_ "image/png"
	"path"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/srwiley/rasterx"
)

// A picture is a logo: pixels, or filled areas.
type picture struct {
	width, height float64 // in units of its own
	pixels        image.Image
	areas         []area
	media         string // the type of data, for HTML and SVG
	data          []byte
}

// An area is filled by the rule of winding numbers that are not zero, or by that of even
// and odd.
type area struct {
	fill     colour
	alpha    float64          // 1 for what nothing is seen through
	gradient *gradient        // in place of the colour; nil for none
	place    rasterx.Matrix2D // from its coordinates to those of the picture
	evenOdd  bool
	rings    [][]point
}

type point struct{ x, y float64 }

// maxPixels bounds the pictures of looks.
const maxPixels = 20_000_000

// readPicture reads a logo.
func readPicture(name string, data []byte) (*picture, error) {
	if strings.EqualFold(path.Ext(name), ".svg") {
		return readSVG(data)
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, errors.New("it is no SVG, PNG or JPEG")
	}
	if config.Width*config.Height > maxPixels {
		return nil, fmt.Errorf("it has %d × %d pixels; %d are the most", config.Width, config.Height, maxPixels)
	}
	pixels, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	size := pixels.Bounds().Size()
	if size.X == 0 || size.Y == 0 {
		return nil, errors.New("it has no pixels")
	}
	return &picture{width: float64(size.X), height: float64(size.Y), pixels: pixels, media: "image/" + format, data: data}, nil
}

// fit is the largest size within an area.
func (p *picture) fit(width, height float64) (float64, float64) {
	scale := min(width/p.width, height/p.height)
	return p.width * scale, p.height * scale
}

// picture draws a picture as a figure with a description.
func (c *composer) picture(section *element, p *picture, alt string, x, y, width, height float64) {
	if c.err != nil {
		return
	}
	figure := section.add("Figure")
	figure.alt, figure.picture = alt, p
	figure.bbox = [4]float64{x, pageHeight - y - height, x + width, pageHeight - y}
	c.page().object(figure, logoName, x, y, width, height)
	if c.keeps {
		c.page().items = append(c.page().items, item{x: x, y: y, width: width, height: height, picture: p})
	}
	c.addMarkedContent(figure)
}

// The names of external objects in the resources of pages.
const (
	logoName  = "Logo"
	paperName = "Paper" // with the number of the paper behind it
)

// object is the picture as an external object of the size 1 by 1.
func (p *picture) object(b *builder) types.IndirectRef {
	if p.pixels != nil {
		return p.image(b)
	}
	f := &pictureForm{builder: b, picture: p, patterns: types.Dict{}, states: types.Dict{}}
	for i := range p.areas {
		f.area(&p.areas[i])
	}
	resources := types.Dict{}
	if len(f.patterns) > 0 {
		resources["Pattern"] = f.patterns
	}
	if len(f.states) > 0 {
		resources["ExtGState"] = f.states
	}
	return b.AddStream(types.Dict{
		"Type": types.Name("XObject"), "Subtype": types.Name("Form"), "BBox": types.NewNumberArray(0, 0, 1, 1),
		"Resources": resources,
	}, f.operators)
}

// image is a picture of pixels. What it lets through is a mask.
func (p *picture) image(b *builder) types.IndirectRef {
	bounds := p.pixels.Bounds()
	colours := make([]byte, 0, 3*bounds.Dx()*bounds.Dy())
	mask := make([]byte, 0, bounds.Dx()*bounds.Dy())
	opaque := true
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := color.NRGBAModel.Convert(p.pixels.At(x, y)).(color.NRGBA) //nolint:forcetypeassert // what the model makes
			colours = append(colours, c.R, c.G, c.B)
			mask = append(mask, c.A)
			opaque = opaque && c.A == 0xff
		}
	}
	entries := types.Dict{
		"Type": types.Name("XObject"), "Subtype": types.Name("Image"), "ColorSpace": types.Name("DeviceRGB"),
		"Width": types.Integer(bounds.Dx()), "Height": types.Integer(bounds.Dy()), "BitsPerComponent": types.Integer(8),
	}
	if !opaque {
		entries["SMask"] = b.AddStream(types.Dict{
			"Type": types.Name("XObject"), "Subtype": types.Name("Image"), "ColorSpace": types.Name("DeviceGray"),
			"Width": types.Integer(bounds.Dx()), "Height": types.Integer(bounds.Dy()), "BitsPerComponent": types.Integer(8),
		}, mask)
	}
	return b.AddStream(entries, colours)
}

// readPictures reads the logo and the letter paper of a look.
func (l *Look) readPictures(read func(string) ([]byte, error)) error {
	if l.Logo.File != "" {
		data, err := read(l.Logo.File)
		if err != nil {
			return err
		}
		if l.logo, err = readPicture(l.Logo.File, data); err != nil {
			return fmt.Errorf("logo: %s: %w", l.Logo.File, err)
		}
		if at := l.Logo; at.Width <= 0 || at.Height <= 0 || at.X < 0 || at.Y < 0 || !at.Right && at.X+at.Width > 210 || at.Right && (at.X > 210 || at.X < at.Width) || at.Y+at.Height > 148 {
			return errors.New("logo: its place needs x, y, width and height in millimetres, in the upper half of the page")
		}
	}
	for i, name := range []string{l.Paper.First, l.Paper.Following} {
		if name == "" {
			continue
		}
		data, err := read(name)
		if err != nil {
			return err
		}
		papers, err := readPaper(data)
		if err != nil {
			return fmt.Errorf("paper: %s: %w", name, err)
		}
		l.paper[i] = papers[0]
		switch {
		case len(papers) == 1:
		case i == 1 || l.Paper.Following != "":
			return fmt.Errorf("paper: %s: it has a second page; give one for the first page and one for those that follow, or both in one file as first", name)
		default:
			l.paper[1] = papers[1]
		}
	}
	return nil
}
