package archive_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/formats/pdf/pdftest"
	"einvoice/formats/pdf/text"
	"einvoice/model/problem"
	"einvoice/model/sampled"
)

// hostileContent are content streams that are made to be expensive to scan.
var hostileContent = map[string]func(size int) string{
	"a number without end":            func(n int) string { return strings.Repeat("1", n) + " w" },
	"strings within strings":          func(n int) string { return strings.Repeat("(", n) },
	"hexadecimal strings without end": func(n int) string { return strings.Repeat("<", n) },
	"arrays within arrays":            func(n int) string { return strings.Repeat("[", n) },
	"arrays that fail":                func(n int) string { return strings.Repeat("[1 w ", n/5) },
	"dictionaries within one another": func(n int) string { return strings.Repeat("<</A", n/4) },
	"brackets that open nothing":      func(n int) string { return strings.Repeat(")]>}", n/4) },
	"comments":                        func(n int) string { return strings.Repeat("%\n", n/2) },
	"one array":                       func(n int) string { return "[" + strings.Repeat("1 ", n/2) + "] TJ" },
	"operands without operator":       func(n int) string { return strings.Repeat("1 ", n/2) },
	"escaped names":                   func(n int) string { return strings.Repeat("/#4G#zz gs ", n/11) },
	"resources that are not there":    func(n int) string { return manyNames(n, "/N%d gs\n") },
	"saved states":                    func(n int) string { return strings.Repeat("q ", n/2) },
	"inline images without end":       func(n int) string { return strings.Repeat("BI /W 1 /H 1 ID x", n/17) },
	"inline images that are not closed by their length": func(n int) string {
		return strings.Repeat("BI/W 65536/H 8/BPC 8/CS/G ID EI ", n/64) + strings.Repeat(" ", n/2)
	},
	"an inline image of entries": func(n int) string { return "BI " + manyNames(n, "/N%d 1 ") },
	"text in no font":            func(n int) string { return strings.Repeat("(a)Tj ", n/6) },
	"text in a direct font":      func(n int) string { return strings.Repeat("/F 1 Tf(a)Tj ", n/13) },
	"forms":                      func(n int) string { return strings.Repeat("/X Do ", n/6) },
}

func manyNames(size int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// contentPDF is a PDF with one page of this content, a font that is a direct object, and
// a form of 1,000 operators.
func contentPDF(page string) []byte {
	var w pdftest.Writer
	stream := w.Stream("", []byte(page))
	form := w.Stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", []byte(strings.Repeat("q Q ", 500)))
	toUnicode := w.Stream("", []byte("1 beginbfrange <00> <FF> <"+strings.Repeat("0041", 1<<18)+"> endbfrange"))
	pages := w.Pages(1, fmt.Sprintf("/Contents %d 0 R /Resources << /XObject << /X %d 0 R >> /Font << /F << /Type /Font /Subtype /TrueType /BaseFont /A /ToUnicode %d 0 R >> >> >>",
		stream, form, toUnicode))
	root := w.Add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R >>", pages))
	return w.Close("/Root " + pdftest.Ref(root))
}

// Reading and converting pages ends soon after its time is over, whatever their content
// is; and within it, where each byte is read once. Five minutes only guard against work
// that is not linear, which would take hours.
func TestHostileContent(t *testing.T) {
	size := sampled.Of(3_000_000, 4)
	for name, content := range hostileContent {
		t.Run(name, func(t *testing.T) {
			data := contentPDF(content(size))
			done := make(chan struct{})
			go func() {
				defer close(done)
				if _, err := archive.Convert(data, metadata, nil, pdf.Limits{}); err != nil {
					_, refused := errors.AsType[*archive.Refused](err)
					_, typed := errors.AsType[*problem.Error](err)
					if !refused && !typed {
						t.Errorf("%T: %v", err, err)
					}
				}
				c, err := pdf.Open(data, pdf.Limits{})
				if err != nil {
					t.Error(err)
					return
				}
				started := time.Now()
				d, err := text.Read(c, text.Limits{})
				t.Logf("%d bytes: %d pages, %d ms, %v", len(data), len(d.Pages), time.Since(started).Milliseconds(), err)
			}()
			select {
			case <-done:
			case <-time.After(5 * time.Minute):
				t.Fatal("no end in sight")
			}
		})
	}
}
