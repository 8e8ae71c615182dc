package logo_test

import (
	"bytes"
	"image"
	"image/png"
	"runtime"
	"strings"
	"testing"

	"einvoice/formats/pdf/page/logo"
)

// A logo that would take more memory than logos have is refused by its header.
func TestLargeLogos(t *testing.T) {
	for name, picture := range map[string]image.Image{
		"16 bits of four samples": image.NewNRGBA64(image.Rect(0, 0, 3000, 3000)),
		"8 bits of four samples":  image.NewNRGBA(image.Rect(0, 0, 4200, 4200)),
	} {
		var file bytes.Buffer
		if err := png.Encode(&file, picture); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := logo.Read("logo.png", file.Bytes())
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "MiB of memory") {
			t.Errorf("%s: %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%s: %d bytes were taken before it was refused", name, took)
		}
	}
}
