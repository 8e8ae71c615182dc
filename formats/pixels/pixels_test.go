package pixels_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"runtime"
	"testing"

	"einvoice/formats/pixels"

	"golang.org/x/image/tiff"
)

// kinds are the pictures of Go.
var kinds = map[string]func(image.Rectangle) draw.Image{
	"Gray":    func(r image.Rectangle) draw.Image { return image.NewGray(r) },
	"Gray16":  func(r image.Rectangle) draw.Image { return image.NewGray16(r) },
	"RGBA":    func(r image.Rectangle) draw.Image { return image.NewRGBA(r) },
	"NRGBA":   func(r image.Rectangle) draw.Image { return image.NewNRGBA(r) },
	"RGBA64":  func(r image.Rectangle) draw.Image { return image.NewRGBA64(r) },
	"NRGBA64": func(r image.Rectangle) draw.Image { return image.NewNRGBA64(r) },
	"palette": func(r image.Rectangle) draw.Image {
		return image.NewPaletted(r, color.Palette{color.White, color.Black})
	},
}

var formats = map[string]func(*bytes.Buffer, image.Image) error{
	"png":  func(b *bytes.Buffer, m image.Image) error { return png.Encode(b, m) },
	"jpeg": func(b *bytes.Buffer, m image.Image) error { return jpeg.Encode(b, m, nil) },
	"tiff": func(b *bytes.Buffer, m image.Image) error { return tiff.Encode(b, m, nil) },
	"tiff, compressed": func(b *bytes.Buffer, m image.Image) error {
		return tiff.Encode(b, m, &tiff.Options{Compression: tiff.Deflate, Predictor: true})
	},
}

// Decoding a picture of any kind, size and format takes no more memory than is told.
func TestBytes(t *testing.T) {
	for kind, make := range kinds {
		for format, encode := range formats {
			t.Run(kind+" as "+format, func(t *testing.T) {
				size := image.Rect(0, 0, 700+rand.IntN(900), 700+rand.IntN(900))
				var file bytes.Buffer
				if err := encode(&file, make(size)); err != nil {
					t.Fatal(err)
				}
				check(t, file.Bytes())
			})
		}
	}
}

// underRace says that the race detector is on: with it decoders allocate more than without.
var underRace bool

// check decodes a picture and compares what that took with what is told.
func check(t *testing.T, file []byte) {
	t.Helper()
	config, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	told := pixels.Bytes(file, format, config)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := image.Decode(bytes.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	const besides = 1 << 20 // tables of the decoders
	if took := int64(after.TotalAlloc - before.TotalAlloc); took > told+besides && !underRace {
		t.Errorf("%d bytes were told, %d were taken", told, took)
	} else if pixelBytes := int64(config.Width) * int64(config.Height); told < pixelBytes || told > 50*pixelBytes {
		t.Errorf("%d bytes were told for %d pixels", told, pixelBytes)
	}
}

// A progressive JPEG keeps its coefficients, and an interlaced PNG its passes.
func TestBytesOfFilesWithPasses(t *testing.T) {
	for name, file := range map[string][]byte{"JPEG": progressive(1200, 900), "PNG": interlaced(1200, 900)} {
		t.Run(name, func(t *testing.T) { check(t, file) })
	}
}

// progressive is a JPEG of three colours whose first scan has the mean of each square alone.
func progressive(width, height int) []byte {
	var b bytes.Buffer
	b.Write([]byte{0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0})
	b.Write(bytes.Repeat([]byte{1}, 64))
	b.Write([]byte{0xFF, 0xC2, 0, 17, 8, byte(height >> 8), byte(height), byte(width >> 8), byte(width), 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0})
	b.Write([]byte{0xFF, 0xC4, 0, 20, 0x00, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}) // one code: the bit 0 says no difference
	b.Write([]byte{0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0x00})
	squares := ((width + 7) / 8) * ((height + 7) / 8)
	b.Write(make([]byte, squares*3/8+1))
	b.Write([]byte{0xFF, 0xD9})
	return b.Bytes()
}

// interlaced is a PNG in the seven passes of Adam7.
func interlaced(width, height int) []byte {
	var rows bytes.Buffer
	for _, pass := range [][4]int{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}} {
		columns := (width - pass[0] + pass[2] - 1) / pass[2]
		for range (height - pass[1] + pass[3] - 1) / pass[3] {
			rows.Write(make([]byte, 1+8*columns)) // no filter, and 16 bits of four samples
		}
	}
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(rows.Bytes())
	_ = w.Close()
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		_ = binary.Write(&b, binary.BigEndian, uint32(len(data)))
		whole := append([]byte(name), data...)
		b.Write(whole)
		_ = binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE(whole))
	}
	header := binary.BigEndian.AppendUint32(nil, uint32(width))
	chunk("IHDR", append(binary.BigEndian.AppendUint32(header, uint32(height)), 16, 6, 0, 0, 1))
	chunk("IDAT", packed.Bytes())
	chunk("IEND", nil)
	return b.Bytes()
}
