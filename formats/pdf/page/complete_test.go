package page_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"einvoice/formats"
	"einvoice/formats/pdf/page"
	"einvoice/model"
)

// writing is how each language writes dates and numbers, independently of the language
// files.
var writing = map[string]struct{ date, decimal, group string }{
	"de": {"02.01.2006", ",", "."},
	"en": {"2 Jan 2006", ".", ","},
	"es": {"02/01/2006", ",", "."},
	"fr": {"02/01/2006", ",", ""}, // groups are separated by a space, and white space is not compared
	"it": {"02/01/2006", ",", "."},
	"nl": {"02-01-2006", ",", "."},
	"pl": {"02.01.2006", ",", ""},
}

// Every value of an invoice is found in the text of its pages, as the language writes it.
func TestEveryTermIsPrinted(t *testing.T) {
	for _, language := range page.Languages() {
		if _, ok := writing[language]; !ok {
			t.Errorf("it is not known how %s writes dates and numbers", language)
		}
	}
	for _, file := range []string{"../../cii/testdata/full.xml", "../../ubl/testdata/full-invoice.xml", "../../ubl/testdata/full-creditnote.xml"} {
		for language := range writing {
			if n := everyTerm(t, file, read(t, file), language); n < 150 {
				t.Errorf("%s: only %d values were looked for", file, n)
			}
		}
	}
}

func TestEveryTermOfTheSuitesIsPrinted(t *testing.T) {
	files := append(suite(t, "xrechnung-testsuite"), suite(t, "zugferd-corpus/xml")...)
	if len(files) == 0 {
		t.Skip("skipped: ../shared/suites is not there, so there are no invoices to print")
	}
	values, documents := 0, 0
	for _, file := range files {
		if strings.HasPrefix(filepath.Base(file), "ZUGFeRDv1--") {
			continue // older than EN 16931
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		values += everyTerm(t, filepath.Base(file), doc.Invoice, "de")
		documents++
	}
	if documents < 150 || values < 50*documents {
		t.Errorf("only %d values of %d documents were looked for; is the folder complete?", values, documents)
	}
}

type search struct {
	*testing.T
	file, text, language string
	values               int
}

func everyTerm(t *testing.T, file string, inv *model.Invoice, language string) int {
	t.Helper()
	r, err := page.PDF(inv, page.Options{Language: language})
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return 0
	}
	s := &search{T: t, file: file, text: bare(strings.Join(pagesOf(t, r.Data), "\n")), language: language}
	s.group("", model.ObjectOf(inv))
	return s.values
}

func (s *search) group(prefix string, o model.Object) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		path := prefix + f.Name
		switch {
		case !o.Has(f):
		case f.Kind == model.KindGroup:
			s.group(path+".", o.Group(f))
		case f.Kind == model.KindList:
			for j := range o.List(f).Len() {
				s.group(path+".", o.List(f).At(j))
			}
		default:
			s.leaf(path, o, f)
		}
	}
}

func (s *search) leaf(path string, o model.Object, f *model.Field) {
	want := bare(s.expected(o, f))
	if want == "" {
		return
	}
	s.values++
	if strings.Contains(s.text, want) {
		return
	}
	// A value may be divided by the end of a page: then its words are found.
	for _, word := range strings.Fields(norm.NFC.String(o.Raw(f))) {
		if len(strings.Fields(o.Raw(f))) == 1 || !strings.Contains(s.text, bare(word)) {
			s.Errorf("%s, %s: %s (%s) is not printed: %q", s.file, s.language, path, f.BT, want)
			return
		}
	}
}

func (s *search) expected(o model.Object, f *model.Field) string {
	w := writing[s.language]
	switch f.Kind {
	case model.KindDate:
		if d := o.Date(f); d.Valid {
			return time.Date(int(d.Year), time.Month(d.Month), int(d.Day), 0, 0, 0, 0, time.UTC).Format(w.date)
		}
	case model.KindNumber, model.KindAmount:
		if n := o.Number(f); n.Valid {
			return number(n.Value.String(), w.decimal, w.group)
		}
	case model.KindBinary:
		if data, err := o.Binary(f).Decode(); err == nil {
			return number(strconv.Itoa(len(data)), w.decimal, w.group)
		}
	}
	return o.Raw(f)
}

func number(s, decimal, group string) string {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	if strings.HasPrefix(s, "-") {
		whole = "-" + whole
	}
	if point {
		whole += decimal + fraction
	}
	return whole
}

// bare is a text without what the pages may change: white space and format characters.
func bare(s string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case r <= ' ', r == '\u00a0', r == '\u202f', r == '\u00ad', r >= '\u200b' && r <= '\u200f', r == '\ufeff':
			return -1
		}
		return r
	}, s))
}
