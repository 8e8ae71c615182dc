package pdf_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/inspect"
	"einvoice/formats/pdf/pdftest"
	"einvoice/model/sampled"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// costs checks that f allocates no more than this, and logs its time.
func costs(t *testing.T, megabytes uint64, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	started := time.Now()
	f()
	took := time.Since(started)
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > megabytes {
		t.Errorf("allocated %d MB, more than %d", used, megabytes)
	}
	t.Logf("%s, %d MB", took.Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20)
}

// everything opens a PDF and reads all that can be read.
func everything(t *testing.T, data []byte, limits pdf.Limits) error {
	t.Helper()
	c, err := pdf.Open(data, limits)
	if err != nil {
		typed(t, err)
		return err
	}
	for _, a := range c.Attachments {
		if _, err := a.Data(); err != nil {
			typed(t, err)
		}
	}
	invoice, err := c.Invoice()
	if _, failed := inspect.Container(t.Context(), c, invoice); failed != nil {
		typed(t, failed)
	}
	if err != nil {
		typed(t, err)
		return err
	}
	_, err = invoice.Data()
	return err
}

func TestTruncated(t *testing.T) {
	noise := make([]byte, 20_000)
	for i := range noise {
		noise[i] = byte(i * i >> 3)
	}
	samples := map[string][]byte{"own": pdftest.Hybrid(file("noise.bin", string(noise)), file("factur-x.xml", cii))}
	if files, err := filepath.Glob(corpus + "/pdf/XML-Rechnung--FX--EN16931_Einfach.pdf"); err == nil && len(files) == 1 {
		samples["corpus"] = readFile(t, files[0])
	} else {
		t.Logf("without the corpus, which is not there: %s", corpus)
	}
	for name, whole := range samples {
		read := 0
		costs(t, 20_000, func() {
			for n := 0; n < len(whole); n += 1000 {
				if everything(t, whole[:n:n], pdf.Limits{}) == nil {
					read++
				}
			}
		})
		t.Logf("%s: %d of %d parts still had the invoice", name, read, len(whole)/1000+1)
	}
}

// A file that ends within an object still has the objects before it, and what leads to the invoice
// among them.
func TestTruncatedWithinAnObject(t *testing.T) {
	var w pdftest.Writer
	spec := w.Attach(file("factur-x.xml", cii))
	pages := w.Pages(1, "")
	root := w.Add(fmt.Sprintf("<< /Type /Catalog /Pages %s /AF [%s] >>", pdftest.Ref(pages), pdftest.Ref(spec)))
	noise := make([]byte, 3000)
	w.Raw("", noise)
	w.Raw("", noise)
	whole := w.Close("/Root " + pdftest.Ref(root))
	last := bytes.LastIndex(whole, []byte(" obj"))
	for _, n := range []int{last, last + 8, last + 100, last + 2500, last - 1000} {
		c := open(t, whole[:n:n])
		invoice, err := c.Invoice()
		if err != nil {
			t.Errorf("of %d bytes: %v", n, err)
		} else if got := data(t, invoice); got != cii {
			t.Errorf("of %d bytes: got %q", n, got)
		}
	}
}

func TestDamaged(t *testing.T) {
	whole := pdftest.Hybrid(file("factur-x.xml", cii))
	for name, damage := range map[string]func([]byte) []byte{
		"no table of objects": func(b []byte) []byte { return b[:bytes.LastIndex(b, []byte("xref\n0 "))] },
		"wrong offsets":       func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n00000"), []byte("\n00001")) },
		"rubbish before":      func(b []byte) []byte { return append([]byte("HTTP/1.1 200 OK\r\n\r\n"), b...) },
		"rubbish after":       func(b []byte) []byte { return append(b, strings.Repeat("\x00", 3000)...) },
		"other line ends":     func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("endobj\n"), []byte("endobj\r\n")) },
		"no pages":            func(b []byte) []byte { return bytes.Replace(b, []byte("/Pages 4 0 R"), []byte("/Pages 9 0 R"), 1) },
		"no name tree": func(b []byte) []byte {
			return bytes.Replace(b, []byte("/EmbeddedFiles"), []byte("/EmbeddedFolds"), 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := pdf.Open(damage(bytes.Clone(whole)), pdf.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			invoice, err := c.Invoice()
			if err != nil {
				t.Fatal(err)
			}
			if got := data(t, invoice); got != cii {
				t.Errorf("got %q", got)
			}
		})
	}
}

// A file whose catalog is lost is searched object by object.
func TestLooseObjects(t *testing.T) {
	var w pdftest.Writer
	w.Attach(file("factur-x.xml", cii))
	w.Add("<< /Type /Catalog /AF 77 >>")
	c := open(t, w.Close("/Root 99 0 R"))
	if len(c.Attachments) != 1 || c.Attachments[0].Places != pdf.InLooseObject {
		t.Errorf("found %v", c.Attachments)
	}
	for name, entries := range map[string]string{
		"name tree":          "/Names 98 0 R",
		"names":              "/Names (x)",
		"files of the names": "/Names << /EmbeddedFiles 98 0 R >>",
		"file specification": "/Names << /EmbeddedFiles << /Names [(factur-x.xml) 98 0 R] >> >>",
		"associated file":    "/AF [98 0 R]",
	} {
		var w pdftest.Writer
		w.Attach(file("factur-x.xml", cii))
		pages := w.Pages(1, "")
		root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " " + entries + " >>")
		if c := open(t, w.Close("/Root "+pdftest.Ref(root))); len(c.Attachments) != 1 {
			t.Errorf("without the %s, found %v", name, c.Attachments)
		}
	}
	var other pdftest.Writer
	other.Attach(file("factur-x.xml", cii))
	info := other.Add("<< /Producer (p) >>")
	if c := open(t, other.Close("/Root "+pdftest.Ref(info))); len(c.Attachments) != 1 {
		t.Errorf("with another object in place of the catalog, found %v", c.Attachments)
	}
	var sound pdftest.Writer
	sound.Attach(file("deleted.xml", cii))
	pages := sound.Pages(1, "")
	root := sound.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " >>")
	if c := open(t, sound.Close("/Root "+pdftest.Ref(root))); len(c.Attachments) != 0 {
		t.Errorf("of a sound file, the deleted attachment is found: %+v", c.Attachments[0])
	}
}

// hostile are PDFs that are made to be expensive to read.
var hostile = map[string]struct {
	make func() []byte
	want string // code of the error; empty if the invoice is found
}{
	"an attachment of 200 MB": {func() []byte {
		return pdftest.Hybrid(file("factur-x.xml", strings.Repeat(" ", 200<<20)))
	}, pdf.CodeLimit},
	"an invoice beside an attachment of 200 MB": {func() []byte {
		return pdftest.Hybrid(file("factur-x.xml", cii), file("a.bin", strings.Repeat(" ", 200<<20)))
	}, ""},
	"compressed twice": {func() []byte {
		var w pdftest.Writer
		bomb := pdftest.Deflate(pdftest.Deflate(make([]byte, 200<<20)))
		stream := w.Raw("/Type /EmbeddedFile /Filter [/FlateDecode /FlateDecode]", bomb)
		return hybrid(&w, fmt.Sprintf("<< /F (factur-x.xml) /EF << /F %d 0 R >> >>", stream))
	}, pdf.CodeLimit},
	"compressed twenty times": {func() []byte {
		var w pdftest.Writer
		stream := w.Raw("/Type /EmbeddedFile /Filter ["+strings.Repeat("/Fl#61teDecode % ]\n", 20)+"]", layers(20))
		return hybrid(&w, fmt.Sprintf("<< /F (factur-x.xml) /EF << /F %d 0 R >> >>", stream))
	}, pdf.CodeLimit},
	"arrays that begin with comments": {func() []byte {
		var w pdftest.Writer
		return hybrid(&w, strings.Repeat("[ % ", 1<<20))
	}, pdf.CodeLimit},
	"object streams": {objectStreams, pdf.CodeLimit},
	"a name tree that contains itself": {func() []byte {
		var w pdftest.Writer
		w.Add("<< /Kids [1 0 R 2 0 R 1 0 R] >>")
		w.Add("<< /Kids [1 0 R 2 0 R] /Names [(a) 2 0 R (b) 3 0 R] >>")
		w.Add("3 0 R")
		root := w.Add("<< /Type /Catalog /Names << /EmbeddedFiles 1 0 R >> /AF 1 0 R /Pages 1 0 R >>")
		return w.Close("/Root " + pdftest.Ref(root))
	}, pdf.CodeNoAttachment},
	"a page tree without end": {func() []byte {
		var w pdftest.Writer
		for range 5000 {
			w.Add(fmt.Sprintf("<< /Type /Pages /Kids [%d 0 R] >>", w.Next()+1))
		}
		root := w.Add("<< /Type /Catalog /Pages 1 0 R >>")
		return w.Close("/Root " + pdftest.Ref(root))
	}, pdf.CodeLimit},
	"10,000 pages": {func() []byte {
		var w pdftest.Writer
		note := w.Add("<< /Subtype /Link /Rect [0 0 9 9] >>")
		spec := w.Attach(file("factur-x.xml", cii))
		pages := w.Pages(10_000, "/Annots ["+pdftest.Ref(note)+"]")
		root := w.Add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /AF [%d 0 R] >>", pages, spec))
		return w.Close("/Root " + pdftest.Ref(root))
	}, ""},
	"too many attachments": {func() []byte {
		var files []pdftest.File
		for i := range 2000 {
			files = append(files, file(fmt.Sprintf("%d.xml", i), cii))
		}
		return pdftest.Hybrid(files...)
	}, pdf.CodeLimit},
	"arrays within arrays": {func() []byte {
		var w pdftest.Writer
		return hybrid(&w, strings.Repeat("[", 1<<20)+strings.Repeat("]", 1<<20))
	}, pdf.CodeNoAttachment},
	"streams that overlap":       {func() []byte { return overlapping(5000, 150, 900_000) }, pdf.CodeLimit},
	"small streams that overlap": {func() []byte { return overlapping(199_000, 20, 4000) }, pdf.CodeLimit},
	"an object without end": {func() []byte {
		return []byte("%PDF-1.7\n1 0 obj\n<< /Type /Catalog /A (" + strings.Repeat("( << [ ", 1<<20))
	}, pdf.CodeLimit},
	"a table of 400 million objects": {func() []byte {
		var w pdftest.Writer
		stream := w.Stream("/Type /XRef /Size 400000000 /W [1 4 2] /Index [0 400000000] /Root 1 0 R", make([]byte, 7000))
		return fmt.Appendf(w.Close("/Root 1 0 R"), "startxref\n%d\n%%%%EOF\n", strings.Index(string(w.Close("")), pdftest.Ref(stream)[:1]+" 0 obj"))
	}, pdf.CodeDamaged},
	"a stream said to be of 2 GB": {func() []byte {
		var w pdftest.Writer
		w.Add("<< /Type /EmbeddedFile /Length 2147483647 >>\nstream\nabc\nendstream")
		return hybrid(&w, "<< /F (factur-x.xml) /EF << /F 1 0 R >> >>")
	}, ""},
}

// hybrid is a PDF with one associated file, which this file specification describes.
func hybrid(w *pdftest.Writer, spec string) []byte {
	number := w.Add(spec)
	pages := w.Pages(1, "")
	root := w.Add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /AF [%d 0 R] >>", pages, number))
	return w.Close("/Root " + pdftest.Ref(root))
}

// layers are 10 MB with n filters. Only the innermost compresses, so that each filter
// decodes to 10 MB again.
func layers(n int) []byte {
	data := make([]byte, 10<<20)
	for range n - 1 {
		var b bytes.Buffer
		z, _ := zlib.NewWriterLevel(&b, zlib.NoCompression)
		_, _ = z.Write(data) // a bytes.Buffer accepts everything
		_ = z.Close()
		data = b.Bytes()
	}
	return pdftest.Deflate(data)
}

// overlapping is a PDF with streams that each begin a few bytes after the one before, and
// have a much larger Length.
func overlapping(streams, step, length int) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n")
	offsets := []int{9}
	for n := 2; n < streams+2; n++ {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n<< /Length %d >>\nstream\n%s\n", n, length, strings.Repeat("x", step))
	}
	b.WriteString("\nendstream\nendobj\n")
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return b.Bytes()
}

// objectStreams is a PDF of 10 pages, each in an object stream of its own, which
// decompresses to 30 MB.
func objectStreams() []byte {
	const streams = 10
	var w pdftest.Writer
	padding := strings.Repeat(" ", 30<<20)
	var kids []string
	for i := range streams {
		number := 100 + i
		head := fmt.Sprintf("%d 0 ", number)
		w.Stream(fmt.Sprintf("/Type /ObjStm /N 1 /First %d", len(head)), []byte(head+"<< /Type /Page >>"+padding))
		kids = append(kids, pdftest.Ref(number))
	}
	pages := w.Add(fmt.Sprintf("<< /Type /Pages /Kids [%s] >>", strings.Join(kids, " ")))
	root := w.Add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R >>", pages))
	table := new(bytes.Buffer)
	body := w.Close("")
	body = body[:bytes.LastIndex(body, []byte("xref\n0 "))]
	for n := 1; n <= root; n++ {
		at := bytes.Index(body, fmt.Appendf(nil, "\n%d 0 obj\n", n)) + 1
		table.Write([]byte{1, byte(at >> 24), byte(at >> 16), byte(at >> 8), byte(at), 0})
	}
	for n := range streams {
		table.Write([]byte{2, 0, 0, 0, byte(n + 1), 0})
	}
	start := len(body)
	return fmt.Appendf(body, "%d 0 obj\n<< /Type /XRef /Size 200 /W [1 4 1] /Index [1 %d 100 %d] /Root %d 0 R /Length %d >>\nstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n",
		root+1, root, streams, root, table.Len(), table.Bytes(), start)
}

func TestHostile(t *testing.T) {
	for i, name := range slices.Sorted(maps.Keys(hostile)) {
		if !sampled.Takes(i, 5) {
			continue
		}
		c := hostile[name]
		t.Run(name, func(t *testing.T) {
			data := c.make()
			costs(t, 2200, func() {
				err := everything(t, data, pdf.Limits{})
				switch {
				case err == nil && c.want != "":
					t.Errorf("the invoice was read, want %s", c.want)
				case err != nil && c.want == "":
					t.Error(err)
				case err != nil && typed(t, err).Code != c.want:
					t.Errorf("got %v (%v), want %s", err, errors.Unwrap(err), c.want)
				}
			})
		})
	}
}

func TestLimits(t *testing.T) {
	data := pdftest.Hybrid(file("factur-x.xml", cii), file("b", "b"))
	for name, limits := range map[string]pdf.Limits{
		"size":        {Bytes: len(data) - 1},
		"attachments": {Attachments: 1},
		"bytes":       {Decoded: len(cii) - 1},
		"objects":     {Objects: 3},
		"depth":       {Depth: 1},
		"time":        {Time: 1},
	} {
		t.Run(name, func(t *testing.T) {
			err := everything(t, data, limits)
			if err == nil || typed(t, err).Code != pdf.CodeLimit {
				t.Errorf("got %v", err)
			}
		})
	}
}

// The limit holds for the objects of a table as for those of a cross-reference stream, whoever names them.
func TestManyObjects(t *testing.T) {
	var w pdftest.Writer
	invoice := pdftest.Ref(w.Attach(file("factur-x.xml", cii)))
	for range 100 {
		w.Add("<< /A 1 >>")
	}
	pages := pdftest.Ref(w.Pages(1, ""))
	root := w.Add("<< /Type /Catalog /Pages " + pages + " /AF [" + invoice + "] >>")
	data := w.Close("/Root " + pdftest.Ref(root))
	if err := everything(t, data, pdf.Limits{Objects: 200}); err != nil {
		t.Errorf("within the limit: %v", err)
	}
	if err := everything(t, data, pdf.Limits{Objects: 100}); err == nil || typed(t, err).Code != pdf.CodeLimit {
		t.Errorf("beyond the limit: %v", err)
	}
}

func TestEncrypted(t *testing.T) {
	whole := pdftest.Hybrid(file("factur-x.xml", cii))
	for _, c := range []struct {
		user string
		bits int
		aes  bool
		want string
	}{
		{"secret", 256, true, pdf.CodeEncrypted},
		{"secret", 128, false, pdf.CodeEncrypted},
		{"", 256, true, ""},
		{"", 128, true, ""},
		{"", 128, false, ""},
	} {
		t.Run(fmt.Sprintf("user %q, %d bits, AES %v", c.user, c.bits, c.aes), func(t *testing.T) {
			var b bytes.Buffer
			err := api.Encrypt(bytes.NewReader(whole), &b, &model.Configuration{
				Reader15: true, ValidationMode: model.ValidationRelaxed, Eol: "\n", Limits: model.DefaultResourceLimits(),
				UserPW: c.user, OwnerPW: "owner", EncryptUsingAES: c.aes, EncryptKeyLength: c.bits, Permissions: model.PermissionsNone,
			})
			if err != nil {
				t.Fatal(err)
			}
			container, err := pdf.Open(b.Bytes(), pdf.Limits{})
			if c.want != "" {
				if err == nil || typed(t, err).Code != c.want {
					t.Errorf("got %v (%v), want %s", err, errors.Unwrap(err), c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !container.Encrypted || len(container.Attachments) != 1 {
				t.Fatalf("encrypted %v, %d attachments", container.Encrypted, len(container.Attachments))
			}
			if a := container.Attachments[0]; a.Name != "factur-x.xml" || data(t, a) != cii {
				t.Errorf("%s is %q", a.Name, data(t, a))
			}
		})
	}
}

// Open returns soon after its time is over, even if pdfcpu goes on.
func TestTimeIsBounded(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := pdf.Open(overlapping(5000, 150, 900_000), pdf.Limits{Time: 50 * time.Millisecond})
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || typed(t, err).Code != pdf.CodeLimit {
			t.Errorf("got %v", err)
		}
	case <-ctx.Done():
		t.Error("no answer in 3 minutes where 50 milliseconds are allowed")
	}
}
