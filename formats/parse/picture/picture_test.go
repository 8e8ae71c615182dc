package picture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"einvoice/formats/parse/picture"

	"golang.org/x/image/tiff"
)

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
		grey, dpi, err := picture.Read(file.Bytes(), 1_000_000)
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
	if grey, _, err := picture.Read(file.Bytes(), 1_000_000); err != nil || grey.Rect.Dx() != 120 {
		t.Errorf("JPEG: %v", err)
	}
}

// The pixels are counted before any is decoded.
func TestPixels(t *testing.T) {
	header := append([]byte("IHDR"), 0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 8, 0, 0, 0, 0)
	bomb := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), header...)
	bomb = binary.BigEndian.AppendUint32(bomb, crc32.ChecksumIEEE(header))
	if _, _, err := picture.Read(bomb, 40_000_000); !errors.Is(err, picture.ErrPixels) {
		t.Errorf("got %v", err)
	}
}

func TestNoPicture(t *testing.T) {
	for _, s := range []string{"", "%PDF-1.7", "II*"} {
		if picture.Is([]byte(s)) {
			t.Errorf("%q is taken for a picture", s)
		}
	}
	if _, _, err := picture.Read([]byte("II*\x00 and nothing"), 1000); err == nil || errors.Is(err, picture.ErrPixels) {
		t.Errorf("got %v", err)
	}
}
