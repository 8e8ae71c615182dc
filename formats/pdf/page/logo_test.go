package page_test

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/raster"
)

// logoAt is the picture of a page with a logo of a view box of 200 by 100, and what gives
// the colour of a point of it.
func logoAt(t *testing.T, svg string) func(x, y float64) color.NRGBA {
	t.Helper()
	look, err := page.ReadLook(fstest.MapFS{
		"look.yaml": {Data: []byte("{name: a, based: general, logo: {file: logo.svg, x: 5, y: 5, width: 200, height: 100}}")},
		"logo.svg":  {Data: []byte(svg)},
	}, "look.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d, err := raster.Open(t.Context(), printed(t, small(t, 1), page.Options{Language: "en", Look: look}).Data)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	const dpi = 127 // five to the millimetre
	picture, err := d.Picture(t.Context(), 0, dpi)
	if err != nil {
		t.Fatal(err)
	}
	const perMM = dpi / 25.4
	return func(x, y float64) color.NRGBA {
		p := image.Pt(int((x+5)*perMM), int((y+5)*perMM))
		return color.NRGBAModel.Convert(picture.At(p.X, p.Y)).(color.NRGBA)
	}
}

// Gradients and lines are where SVG 1.1 has them, and of its colours, whichever of its many
// ways a program writes them in. PDFium makes the pictures.
func TestLogoColours(t *testing.T) {
	const head = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:i="urn:program" viewBox="0 0 200 100">`
	const stops = `<stop offset="0" stop-color="#f00"/><stop offset="100%" style="stop-color:#0000ff;stop-opacity:1"/>`
	const white = `<rect width="200" height="100" fill="#fff"/>`
	type at struct {
		x, y    float64
		r, g, b uint8
	}
	for name, c := range map[string]struct {
		svg  string
		want []at
	}{
		"the box of the shape": {
			`<defs><linearGradient id="g">` + stops + `</linearGradient></defs><rect x="50" y="20" width="100" height="60" fill="url(#g)"/>`,
			[]at{{52, 50, 250, 0, 5}, {100, 30, 128, 0, 128}, {100, 70, 128, 0, 128}, {125, 50, 64, 0, 191}, {30, 50, 255, 255, 255}},
		},
		"coordinates of the drawing, defined behind, by way of another": {
			`<i:view zoom="1"/><g transform="translate(0 50) scale(2)"><rect width="100" height="20" style="fill:url(#own)"/></g>` +
				`<defs><linearGradient id="base">` + stops + `</linearGradient><linearGradient id="own" xlink:href="#base" gradientUnits="userSpaceOnUse" x1="50" y1="0" x2="100" y2="0"/></defs>`,
			[]at{{20, 60, 255, 0, 0}, {99, 60, 255, 0, 0}, {150, 60, 128, 0, 128}, {198, 60, 5, 0, 250}, {150, 40, 255, 255, 255}},
		},
		"classes and a radial one that is turned": {
			`<defs><style>.a{fill:url(#r);}.a,.b{opacity:1}</style><radialGradient id="r" cx="100" cy="50" r="40" gradientUnits="userSpaceOnUse" gradientTransform="matrix(1 0 0 .5 0 25)">` + stops + `</radialGradient></defs><rect class="a" width="200" height="100"/>`,
			[]at{{100, 50, 255, 0, 0}, {120, 50, 128, 0, 128}, {100, 60, 128, 0, 128}, {100, 80, 0, 0, 255}, {190, 10, 0, 0, 255}},
		},
		"colours that are seen through": {
			`<linearGradient id="g" x1="0" x2="0" y1="0" y2="1"><stop stop-color="#000" stop-opacity="1"/><stop offset="1" stop-color="#000" stop-opacity="0"/></linearGradient>` + white +
				`<rect width="100" height="100" fill="#f00"/><rect width="200" height="100" fill="url(#g)"/>`,
			[]at{{50, 50, 128, 0, 0}, {150, 50, 128, 128, 128}, {50, 98, 250, 0, 0}, {150, 2, 5, 5, 5}},
		},
		"half opaque": {
			white + `<rect width="100" height="100" fill="#f00"/><rect width="200" height="100" fill="#00f" fill-opacity=".5"/>`,
			[]at{{50, 50, 128, 0, 128}, {150, 50, 128, 128, 255}},
		},
		"an edge between two colours": {
			`<linearGradient id="g"><stop offset=".5" stop-color="gold"/><stop offset=".5" stop-color="#0f0"/></linearGradient><rect width="200" height="100" fill="url(#g)"/>`,
			[]at{{97, 50, 255, 215, 0}, {103, 50, 0, 255, 0}},
		},
		"lines with a width, and a gradient": {
			`<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="0" x2="200" y1="0" y2="0">` + stops + `</linearGradient><path d="M0 20H200" stroke="url(#g)" stroke-width="20" fill="none"/>` +
				`<g transform="scale(2)" stroke="#0a0"><rect x="20" y="25" width="60" height="20" stroke-width="4" fill="#ff0"/></g>`,
			[]at{{100, 20, 128, 0, 128}, {100, 28, 128, 0, 128}, {100, 35, 255, 255, 255}, {37.5, 70, 0, 170, 0}, {42.5, 70, 0, 170, 0}, {46, 70, 255, 255, 0}, {100, 70, 255, 255, 0}, {37, 47, 0, 170, 0}},
		},
		"what is not shown": {
			white + `<g display="none"><rect width="200" height="100" fill="#f00"/></g><rect style="display:none" width="200" height="100"/><metadata><rect/></metadata><rect x="0" width="50" height="100" fill="#0f0"/>`,
			[]at{{100, 50, 255, 255, 255}, {25, 50, 0, 255, 0}},
		},
	} {
		colourAt := logoAt(t, head+c.svg+"</svg>")
		for _, want := range c.want {
			got := colourAt(want.x, want.y)
			const within = 12
			far := func(a, b uint8) bool { return math.Abs(float64(a)-float64(b)) > within }
			if far(got.R, want.r) || far(got.G, want.g) || far(got.B, want.b) {
				t.Errorf("%s: at %g, %g the colour is %d %d %d, not %d %d %d", name, want.x, want.y, got.R, got.G, got.B, want.r, want.g, want.b)
			}
		}
	}
}

// What of an SVG cannot be kept is told with what to do.
func TestLogoRefused(t *testing.T) {
	for svg, want := range map[string]string{
		`<text>A</text>`: "texts as outlines",
		`<rect width="9" height="9" fill="url(#nothing)"/>`:                                                                           `refers to "nothing"`,
		`<pattern id="p"><rect width="1" height="1"/></pattern><rect width="9" height="9" fill="url(#p)"/>`:                           "or are a PNG",
		`<linearGradient id="g"/><rect width="9" height="9" fill="url(#g)"/>`:                                                         "no colours",
		`<linearGradient id="g" spreadMethod="repeat"><stop/><stop offset="1"/></linearGradient><path d="M0 0h9v9z" fill="url(#g)"/>`: "is repeated",
		`<linearGradient id="g"><stop/></linearGradient><defs><path id="s" d="M0 0h9v9z" fill="url(#g)"/></defs><use href="#s"/>`:     "symbols expanded",
		`<linearGradient id="g"><stop stop-color="currentColor"/></linearGradient><path d="M0 0h9v9z" fill="url(#g)"/>`:               "write it as #RRGGBB",
		`<style>path > g {fill:red}</style><path d="M0 0h9v9z"/>`:                                                                     "style sheet",
		`<path transform="turn(3)" d="M0 0h9v9z"/>`:                                                                                   "cannot be read",
		strings.Repeat("<g>", 200) + strings.Repeat("</g>", 200):                                                                      "levels deep",
		strings.Repeat(`<linearGradient id="g" href="#g"><stop/></linearGradient><path d="M0 0h9v9z" fill="url(#g)"/>`, 501):          "more than 500 shapes",
	} {
		_, err := page.ReadLook(fstest.MapFS{
			"look.yaml": {Data: []byte("{name: a, based: general, logo: {file: logo.svg, x: 5, y: 5, width: 90, height: 90}}")},
			"logo.svg":  {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">` + svg + `</svg>`)},
		}, "look.yaml")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: got %v, want %q", svg, err, want)
		}
	}
}

// What a logo has and pages do not show is refused, wherever the SVG says it; what changes
// nothing is not.
func TestLogoEffects(t *testing.T) {
	const shape = `<path d="M1 1h4v4z"/>`
	read := func(svg string) error {
		_, err := page.ReadLook(fstest.MapFS{
			"look.yaml": {Data: []byte("{name: a, based: general, logo: {file: logo.svg, x: 5, y: 5, width: 90, height: 90}}")},
			"logo.svg":  {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">` + svg + `</svg>`)},
		}, "look.yaml")
		return err
	}
	for property, values := range map[string][2]string{
		"filter":         {"url(#e)", "none"},
		"mask":           {"url(#e)", "none"},
		"clip-path":      {"url(#e)", "none"},
		"mix-blend-mode": {"multiply", "normal"},
	} {
		const defined = `<defs><filter id="e"><feGaussianBlur stdDeviation="2"/></filter><mask id="e"><rect width="9" height="9"/></mask><clipPath id="e"><rect width="9" height="9"/></clipPath></defs>`
		for i, value := range values {
			for _, svg := range []string{
				`<g ` + property + `="` + value + `">` + shape + `</g>`,
				`<g style="opacity:1;` + property + `: ` + value + `">` + shape + `</g>`,
				`<style>.a{` + property + `:` + value + `}</style><path class="a" d="M1 1h4v4z"/>`,
				`<g><path ` + property + `="` + value + `" d="M1 1h4v4z"/></g>`,
			} {
				err := read(defined + svg)
				if refused := err != nil && strings.Contains(err.Error(), property) && strings.Contains(err.Error(), "PNG"); refused != (i == 0) {
					t.Errorf("%s: got %v", svg, err)
				}
			}
		}
	}
	for clip, want := range map[string]bool{
		`<rect width="10" height="10" fill="white"/>`:                        true,
		`<rect x="-1" y="-1" width="12" height="12"/>`:                       true,
		`<rect width="10" height="9"/>`:                                      false,
		`<rect x="1" width="10" height="10"/>`:                               false,
		`<rect width="10" height="10" transform="scale(.5)"/>`:               false,
		`<rect width="10" height="10" rx="5"/>`:                              false,
		`<rect width="100%" height="100%"/>`:                                 false,
		`<circle cx="5" cy="5" r="50"/>`:                                     false,
		`<rect width="10" height="10"/><rect x="1" width="10" height="10"/>`: false,
	} {
		svg := `<g clip-path="url(#c)">` + shape + `</g><defs><clipPath id="c">` + clip + `</clipPath></defs>`
		if err := read(svg); (err == nil) != want {
			t.Errorf("%s: got %v", svg, err)
		}
		beside := `<g clip-path="url(#c)">` + shape + `</g><clipPath id="c">` + clip + `</clipPath>`
		if err := read(beside); (err == nil) != want {
			t.Errorf("%s: got %v", beside, err)
		}
		moved := `<g transform="scale(2)">` + svg + `</g>`
		if err := read(moved); err == nil {
			t.Errorf("%s: is not refused", moved)
		}
	}
}
