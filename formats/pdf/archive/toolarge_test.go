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
	"einvoice/model/problem"
)

// What nobody could read is not made, and the error is of the limit, with what to do.
func TestTooLargeToBeRead(t *testing.T) {
	letter := contentPDF("q Q")
	most := pdf.DefaultLimits().Attachments
	for _, c := range []struct {
		name    string
		data    []byte
		files   int
		refused string
	}{
		{"as many files as are read", letter, most, ""},
		{"one file more", letter, most + 1, "files attached"},
		{"as many fonts as are allowed", manyFonts(2000), 1, ""},
		{"one font more", manyFonts(2001), 1, "fonts"},
		{"many fonts", manyFonts(20_000), 1, "fonts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := make([]archive.File, c.files)
			for i := range files {
				files[i] = archive.File{Name: fmt.Sprintf("f%d.txt", i), Data: []byte("a"), MIME: "text/plain", Relationship: "Supplement"}
			}
			made, err := archive.ConvertWith(c.data, archive.Metadata{Date: new(time.Unix(0, 0))}, files, pdf.Limits{Time: 10 * time.Minute}, nil)
			told, _ := errors.AsType[*problem.Error](err)
			switch {
			case c.refused == "" && err != nil:
				t.Error(err)
			case c.refused == "":
				if read, err := pdf.Open(made.Data, pdf.Limits{Time: 10 * time.Minute}); err != nil || len(read.Attachments) != c.files {
					t.Errorf("what was made: %v", err)
				}
			case told == nil || told.Code != pdf.CodeLimit || !strings.Contains(told.Message, c.refused):
				t.Errorf("got %v", err)
			}
		})
	}
}

// manyFonts is a PDF whose page uses so many fonts that are not embedded.
func manyFonts(n int) []byte {
	var w pdftest.Writer
	var fonts, text strings.Builder
	for i := range n {
		fmt.Fprintf(&fonts, "/F%d %s ", i, pdftest.Ref(w.Add(fmt.Sprintf("<< /Type /Font /Subtype /TrueType /BaseFont /Arial%d /Encoding /WinAnsiEncoding >>", i))))
		fmt.Fprintf(&text, "/F%d 8 Tf (a) Tj ", i)
	}
	stream := w.Stream("", []byte("BT "+text.String()+"ET"))
	pages := w.Pages(1, fmt.Sprintf("/Contents %s /Resources << /Font << %s >> >>", pdftest.Ref(stream), fonts.String()))
	return w.Close("/Root " + pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" >>")))
}
