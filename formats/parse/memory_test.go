package parse_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"time"

	"einvoice/formats/parse"
	"einvoice/formats/pdf/pdftest"
	"einvoice/model/reserve"
	"einvoice/model/sampled"

	"golang.org/x/image/tiff"
)

// randomPicture is a file of a picture of a random kind, size and format, with few bytes.
func randomPicture(t *testing.T, r *rand.Rand) (name string, file []byte) {
	t.Helper()
	size := image.Rect(0, 0, 300+r.IntN(2500), 300+r.IntN(2500))
	pictures := []image.Image{
		image.NewGray(size), image.NewGray16(size), image.NewRGBA(size), image.NewNRGBA(size), image.NewRGBA64(size), image.NewNRGBA64(size),
		image.NewPaletted(size, color.Palette{color.Black, color.White}),
	}
	picture := pictures[r.IntN(len(pictures))]
	var b bytes.Buffer
	var err error
	format := []string{"png", "jpeg", "tiff", "tiff without compression"}[r.IntN(4)]
	switch format {
	case "png":
		err = png.Encode(&b, picture)
	case "jpeg":
		err = jpeg.Encode(&b, picture, nil)
	case "tiff":
		err = tiff.Encode(&b, picture, &tiff.Options{Compression: tiff.Deflate})
	default:
		err = tiff.Encode(&b, picture, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s of %T, %d by %d", format, picture, size.Dx(), size.Dy()), b.Bytes()
}

// randomPage is a PDF with a picture of a random size and kind of samples, with few bytes.
func randomPage(r *rand.Rand) (name string, file []byte) {
	width, height, bits := 300+r.IntN(3000), 300+r.IntN(3000), []int{1, 8, 16}[r.IntN(3)]
	space, samples := "DeviceGray", 1
	if r.IntN(2) == 0 {
		space, samples = "DeviceRGB", 3
	}
	var w pdftest.Writer
	picture := w.Stream(fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent %d /ColorSpace /%s", width, height, bits, space),
		make([]byte, (width*samples*bits+7)/8*height))
	content := w.Stream("", []byte("q 595 0 0 842 0 0 cm /P Do Q"))
	pages := w.Pages(1, fmt.Sprintf("/Contents %s /Resources << /XObject << /P %s >> >>", pdftest.Ref(content), pdftest.Ref(picture)))
	return fmt.Sprintf("PDF of %d by %d, %d bits of %s", width, height, bits, space), w.Close("/Root " + pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" >>")))
}

// peak is how much more memory is in use while something runs than before it.
func peak(run func()) int64 {
	defer debug.SetGCPercent(debug.SetGCPercent(5)) // what is left behind does not count
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	now := func() int64 {
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	runtime.GC()
	before := now()
	var most atomic.Int64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			if n := now(); n > most.Load() {
				most.Store(n)
			}
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Microsecond):
			}
		}
	}()
	run()
	close(stop)
	<-done
	return most.Load() - before
}

// Reading a picture, or a page that shows one, takes no more memory than it asks for, and what
// gets less is refused before it is taken. No error blames the file then.
func TestPicturesAskForTheirMemory(t *testing.T) {
	// What was left behind and is not collected yet counts as well: a process of the service
	// collects it before it exceeds its limit.
	beyond := func(file []byte, asked, took int64) bool { return took > asked*3/2+24<<20+2*int64(len(file)) }
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	full := errors.New("no more memory")
	read := func(file []byte, most int64) (asked, took int64, err error) {
		ctx := reserve.With(t.Context(), func(n int64) error {
			if asked+n > most {
				return full
			}
			asked += n
			return nil
		})
		took = peak(func() {
			_, err = parse.File(ctx, file, parse.Limits{Pixels: 40_000_000}, parse.Aids{OCR: &fakeOCR{page: "Rechnung"}})
		})
		return asked, took, err
	}
	_, warm := randomPage(r)
	_, _ = parse.File(context.Background(), warm, parse.Limits{}, parse.Aids{OCR: &fakeOCR{page: "Rechnung"}}) // compiles PDFium
	for i := range sampled.Of(6, 6) {
		name, file := randomPage(r)
		if i%2 == 0 {
			name, file = randomPicture(t, r)
		}
		asked, took, err := read(file, 1<<40)
		if asked == 0 || beyond(file, asked, took) {
			t.Errorf("%s: %d MiB were asked for, %d taken", name, asked>>20, took>>20)
		}
		if errors.Is(err, full) {
			t.Errorf("%s: %v", name, err)
		}
		less := asked * int64(1+r.IntN(9)) / 10
		asked, took, err = read(file, less)
		if !errors.Is(err, full) || beyond(file, asked, took) {
			t.Errorf("%s with %d MiB: %d were asked for, %d taken, %v", name, less>>20, asked>>20, took>>20, err)
		}
	}
}
