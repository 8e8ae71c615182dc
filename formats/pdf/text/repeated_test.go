package text_test

import (
	"errors"
	"fmt"
	"math/bits"
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

// doubled is a PDF whose page calls a form that calls the next one twice, and so on; the last one shows a text.
func doubled(levels int, last string) []byte {
	return page("/X0 Do", "/XObject << /X0 1 0 R >>", func(w *pdftest.Writer) {
		for level := range levels + 1 {
			calls, next := fmt.Sprintf("/X%d Do /X%[1]d Do", level+1), fmt.Sprintf("/XObject << /X%d %s >>", level+1, pdftest.Ref(w.Next()+1))
			if level == levels {
				calls, next = last, helvetica
			}
			w.Stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << "+next+" >>", []byte(calls))
		}
	})
}

// Whatever shows them, no more words are kept than the limit, and a PDF with more is refused for that
// reason. What a page paints is bounded too.
func TestWordsAreBounded(t *testing.T) {
	const limit = 1000
	word, area := "BT /F 10 Tf 10 700 Td (A) Tj ET ", "0 0 9 9 re f "
	in := func(show string, n int) map[string][]byte {
		levels := bits.Len(uint(n)) - 1
		return map[string][]byte{
			"one stream": page(strings.Repeat(show, n), helvetica, nil),
			"one string": page(strings.Replace(show, "(A)", "("+strings.Repeat("A ", n)+")", 1), helvetica, nil),
			"a form": page(strings.Repeat("/X Do ", n), "/XObject << /X 1 0 R >>", func(w *pdftest.Writer) {
				w.Stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << "+helvetica+" >>", []byte(show))
			}),
			"forms": doubled(levels, show),
		}
	}
	for _, n := range []int{2, 16, 512, 2048, 1 << 14} {
		for name, data := range in(word, n) {
			sheets, err := text.Words(open(t, data), text.Limits{Words: limit})
			words := 0
			for _, s := range sheets {
				words += len(s.Words)
			}
			switch many := n > limit; {
			case many != errors.Is(err, text.ErrWords):
				t.Errorf("%d words by %s: %v", n, name, err)
			case words > limit+1, !many && words < n:
				t.Errorf("%d words by %s: %d are read", n, name, words)
			}
		}
	}
	for name, data := range in(area, 1<<19) {
		if _, err := text.Words(open(t, data), text.Limits{}); name != "one string" && !errors.Is(err, text.ErrLimit) {
			t.Errorf("%d areas by %s: %v", 1<<19, name, err)
		}
	}
}

// A text in forms within one another is shown, or the page is refused: it never vanishes without a word.
func TestDeepForms(t *testing.T) {
	for levels := 1; levels < 60; levels++ {
		d, err := text.Read(open(t, callers(levels, 1, "BT /F 10 Tf 10 700 Td (Total) Tj ET")), text.Limits{})
		if shown := strings.TrimSpace(strings.Join(d.Pages, "")); shown != "Total" && !errors.Is(err, text.ErrLimit) {
			t.Errorf("%d forms within one another show %q, %v", levels, shown, err)
		}
	}
}
