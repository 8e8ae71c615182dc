package pdf

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/pdf/pdftest"
	"einvoice/model/problem"
)

// pdfcpu takes time by the product of the texts and comments of an object and its length. What
// honest files have is read, and what would take seconds is refused before.
func TestTextsOfOneObject(t *testing.T) {
	with := func(entries string) []byte {
		var w pdftest.Writer
		pages := w.Pages(1, "/X ["+entries+"]")
		return w.Close("/Root " + pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" >>")))
	}
	for _, entry := range []string{"(a) ", "(a\\)) ", "%a\n", "(a) %a\n", "\\(%a\n", "\\%(a) "} {
		for n, refused := range map[int]bool{2000: false, 10_000: strings.HasPrefix(entry, "\\"), 1_000_000: true} {
			t.Run(fmt.Sprintf("%d times %q", n, entry), func(t *testing.T) {
				_, err := Open(with(strings.Repeat(entry, n)), Limits{})
				e, _ := errors.AsType[*problem.Error](err)
				if is := e != nil && strings.Contains(e.Message, "texts and comments"); is != refused {
					t.Errorf("got %v", err)
				}
			})
		}
	}
	// Pictures have as many of these bytes as of others.
	var w pdftest.Writer
	w.Raw("/Type /XObject", []byte(strings.Repeat("(%(\\(", 1<<20)))
	w.Raw("/Type /ObjStm /N 0 /First 0", []byte(strings.Repeat("(%(\\(", 100)))
	pages := w.Pages(1, "")
	if _, err := Open(w.Close("/Root "+pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" >>"))), Limits{}); err != nil {
		t.Error(err)
	}
}
