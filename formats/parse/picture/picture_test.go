package picture_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"

	"einvoice/formats/parse/picture"

	"golang.org/x/image/tiff"
)

// read reads the first picture of a file.
func read(data []byte, pixels int) (*image.Gray, int, error) {
	f, err := picture.Open(data, 1)
	if err != nil {
		return nil, 0, err
	}
	return f.Page(context.Background(), 0, pixels)
}

func TestRead(t *testing.T) {
	made := image.NewRGBA(image.Rect(5, 5, 125, 175)) // not at the origin, and transparent
	for y := 5; y < 20; y++ {
		for x := 5; x < 125; x++ {
			made.Set(x, y, color.Black)
		}
	}
	for name, encode := range map[string]func(*bytes.Buffer) error{
		"PNG":  func(b *bytes.Buffer) error { return png.Encode(b, made) },
		"TIFF": func(b *bytes.Buffer) error { return tiff.Encode(b, made, nil) },
	} {
		var file bytes.Buffer
		if err := encode(&file); err != nil {
			t.Fatal(err)
		}
		grey, dpi, err := read(file.Bytes(), 1_000_000)
		if err != nil || !picture.Is(file.Bytes()) {
			t.Fatalf("%s: %v", name, err)
		}
		if grey.Rect != image.Rect(0, 0, 120, 170) || grey.GrayAt(3, 3).Y != 0 || grey.GrayAt(60, 100).Y != 255 || dpi != 14 {
			t.Errorf("%s: %v at %d dpi, %v on %v", name, grey.Rect, dpi, grey.GrayAt(3, 3), grey.GrayAt(60, 100))
		}
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, made, nil); err != nil {
		t.Fatal(err)
	}
	if grey, _, err := read(file.Bytes(), 1_000_000); err != nil || grey.Rect.Dx() != 120 {
		t.Errorf("JPEG: %v", err)
	}
}

// The pixels are counted before any is decoded.
func TestPixels(t *testing.T) {
	header := append([]byte("IHDR"), 0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 8, 0, 0, 0, 0)
	bomb := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), header...)
	bomb = binary.BigEndian.AppendUint32(bomb, crc32.ChecksumIEEE(header))
	if _, _, err := read(bomb, 40_000_000); !errors.Is(err, picture.ErrPixels) {
		t.Errorf("got %v", err)
	}
}

func TestNoPicture(t *testing.T) {
	for _, s := range []string{"", "%PDF-1.7", "II*"} {
		if picture.Is([]byte(s)) {
			t.Errorf("%q is taken for a picture", s)
		}
	}
	if _, _, err := read([]byte("II*\x00 and nothing"), 1000); err == nil || errors.Is(err, picture.ErrPixels) {
		t.Errorf("got %v", err)
	}
}

// corner is a picture with a black corner at the top left.
func corner(width, height int) *image.Gray {
	grey := image.NewGray(image.Rect(0, 0, width, height))
	for i := range grey.Pix {
		grey.Pix[i] = 255
	}
	for y := range 10 {
		for x := range 10 {
			grey.SetGray(x, y, color.Gray{})
		}
	}
	return grey
}

// directory is a TIFF directory with an orientation, as a camera writes it into a JPEG.
func directory(order binary.AppendByteOrder, begin string, orientation uint16) []byte {
	exif := order.AppendUint32([]byte(begin), 8)
	exif = order.AppendUint16(exif, 1)
	exif = order.AppendUint16(exif, 0x0112)
	exif = order.AppendUint16(exif, 3)
	exif = order.AppendUint32(exif, 1)
	exif = order.AppendUint16(exif, orientation)
	return append(exif, 0, 0, 0, 0, 0, 0)
}

// A picture that a camera took while it was turned comes upright.
func TestExifOrientation(t *testing.T) {
	var file bytes.Buffer
	if err := jpeg.Encode(&file, corner(60, 40), nil); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		exif          []byte
		width, height int
		x, y          int // of what was the top left corner
	}{
		"upright":        {directory(binary.LittleEndian, "II*\x00", 1), 60, 40, 3, 3},
		"upside down":    {directory(binary.BigEndian, "MM\x00*", 3), 60, 40, 56, 36},
		"a quarter":      {directory(binary.BigEndian, "MM\x00*", 6), 40, 60, 36, 3},
		"three quarters": {directory(binary.LittleEndian, "II*\x00", 8), 40, 60, 3, 56},
		"mirrored":       {directory(binary.LittleEndian, "II*\x00", 2), 60, 40, 56, 3},
		"no orientation": {directory(binary.LittleEndian, "II*\x00", 9), 60, 40, 3, 3},
		"cut off":        {directory(binary.LittleEndian, "II*\x00", 6)[:12], 60, 40, 3, 3},
		"empty":          {nil, 60, 40, 3, 3},
	} {
		segment := append([]byte("Exif\x00\x00"), c.exif...)
		data := append([]byte{0xFF, 0xD8, 0xFF, 0xE1}, binary.BigEndian.AppendUint16(nil, uint16(len(segment)+2))...)
		data = append(append(data, segment...), file.Bytes()[2:]...)
		grey, _, err := read(data, 10_000)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if grey.Rect.Dx() != c.width || grey.Rect.Dy() != c.height || grey.GrayAt(c.x, c.y).Y > 60 {
			t.Errorf("%s: %v, %v", name, grey.Rect, grey.GrayAt(c.x, c.y))
		}
	}
}

// fax is a TIFF with a grey picture of 8 by 4 pixels for each brightness.
func fax(order binary.AppendByteOrder, begin string, pages ...byte) []byte {
	data := order.AppendUint32([]byte(begin), 8)
	for i, brightness := range pages {
		at := len(data)
		entries := [][3]uint32{{256, 4, 8}, {257, 4, 4}, {258, 3, 8}, {259, 3, 1}, {262, 3, 1}, {273, 4, uint32(at + 2 + 9*12 + 4)}, {277, 3, 1}, {278, 4, 4}, {279, 4, 32}}
		data = order.AppendUint16(data, uint16(len(entries)))
		for _, e := range entries {
			data = order.AppendUint16(order.AppendUint16(data, uint16(e[0])), uint16(e[1]))
			data = order.AppendUint32(data, 1)
			if e[1] == 3 {
				data = append(order.AppendUint16(data, uint16(e[2])), 0, 0)
			} else {
				data = order.AppendUint32(data, e[2])
			}
		}
		next := uint32(at + 2 + 9*12 + 4 + 32)
		if i == len(pages)-1 {
			next = 0
		}
		data = append(order.AppendUint32(data, next), bytes.Repeat([]byte{brightness}, 32)...)
	}
	return data
}

// A TIFF has a picture for each page, as a fax has.
func TestPages(t *testing.T) {
	for begin, order := range map[string]binary.AppendByteOrder{"II*\x00": binary.LittleEndian, "MM\x00*": binary.BigEndian} {
		f, err := picture.Open(fax(order, begin, 10, 20, 30), 3)
		if err != nil || f.Pages() != 3 {
			t.Fatalf("%q: %v", begin, err)
		}
		for i := range 3 {
			if grey, _, err := f.Page(t.Context(), i, 100); err != nil || grey.GrayAt(2, 2).Y != byte(10*(i+1)) {
				t.Errorf("%q, page %d: %v", begin, i, err)
			}
		}
		if _, err := picture.Open(fax(order, begin, 10, 20, 30), 2); !errors.Is(err, picture.ErrPages) {
			t.Errorf("three pages where two are read: %v", err)
		}
	}
	circle := fax(binary.LittleEndian, "II*\x00", 10, 20)
	binary.LittleEndian.PutUint32(circle[8+2+9*12:], 8)
	if f, err := picture.Open(circle, 50); err != nil || f.Pages() != 1 {
		t.Errorf("a circle of directories: %v", err)
	}
}

// Rows of text lie across an upright page, few or many, whatever is dark on it.
func TestIsSideways(t *testing.T) {
	for _, rows := range []int{8, 15, 30} {
		page := textPage(rows)
		for _, dark := range []image.Rectangle{{}, image.Rect(0, 0, 60, 1100), image.Rect(0, 0, 180, 1100), image.Rect(720, 0, 800, 1100), image.Rect(0, 0, 800, 90), image.Rect(60, 0, 64, 1100)} {
			marked := corner(800, 1100) // with a column, a bar or a rule
			copy(marked.Pix, page.Pix)
			for y := dark.Min.Y; y < dark.Max.Y; y++ {
				for x := dark.Min.X; x < dark.Max.X; x++ {
					marked.Pix[y*marked.Stride+x] = 255 - page.Pix[(y+15)%1100*page.Stride+x] // light letters, in rows of their own
				}
			}
			for _, degrees := range []int{0, 90, 180, 270} {
				if got := picture.IsSideways(picture.Turn(marked, degrees)); got != (degrees%180 == 90) {
					t.Errorf("%d rows, dark in %v, turned by %d: %v", rows, dark, degrees, got)
				}
			}
		}
	}
	if picture.IsSideways(corner(300, 200)) {
		t.Error("a page without text lies on its side")
	}
}

// textPage is a page with rows of letters and gaps of some widths.
func textPage(rows int) *image.Gray {
	page := corner(800, 1100)
	r := rand.New(rand.NewPCG(17, 4))
	for row := range rows {
		for x := 20; x < 760-(row%5)*80; {
			letter := 2 + r.IntN(5)
			for y := 100 + 30*row; y < 112+30*row; y++ {
				for i := range letter {
					page.Pix[y*page.Stride+x+i] = 0
				}
			}
			x += letter + 2 + r.IntN(4)
		}
	}
	return page
}

// FuzzOpen opens any file, and reads its pages.
func FuzzOpen(f *testing.F) {
	f.Add(fax(binary.LittleEndian, "II*\x00", 10, 20))
	f.Add(append([]byte{0xFF, 0xD8, 0xFF, 0xE1, 0, 34}, append([]byte("Exif\x00\x00"), directory(binary.BigEndian, "MM\x00*", 6)...)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !picture.Is(data) {
			return
		}
		file, err := picture.Open(data, 5)
		if err != nil {
			return
		}
		for i := range file.Pages() {
			if grey, dpi, err := file.Page(t.Context(), i, 10_000); err == nil && (grey.Rect.Empty() || dpi < 1) {
				t.Fatalf("page %d is %v at %d dpi", i, grey.Rect, dpi)
			}
		}
	})
}
