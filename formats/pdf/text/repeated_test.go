package text_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/pdf/pdftest"
	"einvoice/formats/pdf/text"
)

// callers is a PDF whose page calls a form, which calls the next one so many times, and so on
// for some levels; the last one shows a text, or calls the first one.
func callers(levels, times int, last string) []byte {
	return page("/X0 Do", "/XObject << /X0 1 0 R >>", func(w *pdftest.Writer) {
		for level := range levels {
			next := w.Next() + 1
			if level == levels-1 {
				next = 1
			}
			content := strings.Repeat(fmt.Sprintf("/X%d Do ", level+1), times)
			if level == levels-1 {
				content += last
			}
			resources := fmt.Sprintf("/Resources << /XObject << /X%d %s >> %s >>", level+1, pdftest.Ref(next), helvetica)
			w.Stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800] "+resources, []byte(content))
		}
	})
}

// A form that calls itself shows its text once. One that does so often is refused: both take
// steps in proportion to the calls that are written, and not to a power of them.
func TestFormsThatCallThemselves(t *testing.T) {
	const shows = "BT /F 10 Tf 10 700 Td (Total) Tj ET"
	for _, levels := range []int{1, 2, 5} {
		for _, times := range []int{1, 10, 20, 40, 80} {
			d, err := text.Read(open(t, callers(levels, times, shows)), text.Limits{Steps: 1000 + 100*levels*times})
			switch {
			case levels == 1 && times <= 20 && (err != nil || strings.TrimSpace(d.Pages[0]) != "Total"):
				t.Errorf("a form that calls itself %d times: %q, %v", times, d.Pages, err)
			case times > 20 && !errors.Is(err, text.ErrLimit):
				t.Errorf("%d levels of %d calls: %v", levels, times, err)
			}
		}
	}
}

// Forms that call others many times are read as long as what they repeat is bounded; what is
// more is refused, and not executed until the time is over.
func TestRepeatedForms(t *testing.T) {
	few := page(strings.Repeat("/X Do ", 500), "/XObject << /X 1 0 R >>", func(w *pdftest.Writer) {
		w.Stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << "+helvetica+" >>", []byte("BT /F 10 Tf 10 700 Td (A) Tj ET"))
	})
	if d, err := text.Read(open(t, few), text.Limits{}); err != nil || strings.Count(d.Pages[0], "A") != 500 {
		t.Errorf("a form that is called 500 times: %v", err)
	}
	many := page(strings.Repeat("/X Do ", 2000), "/XObject << /X 1 0 R >>", func(w *pdftest.Writer) {
		w.Stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << "+helvetica+" >>",
			[]byte(strings.Repeat("BT /F 10 Tf 10 700 Td (A) Tj ET\n", 2000)))
	})
	if _, err := text.Read(open(t, many), text.Limits{}); !errors.Is(err, text.ErrLimit) {
		t.Errorf("128 MB of repeated forms: %v", err)
	}
}
