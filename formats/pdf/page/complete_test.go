package page_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"einvoice/formats"
	"einvoice/formats/pdf/page"
	"einvoice/model"
	"einvoice/model/sampled"
	"einvoice/model/tongue"

	bcp47 "golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/unicode/norm"
	"gopkg.in/yaml.v3"
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
	for _, language := range tongue.Tags() {
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

// allSuites has the test read the pages of all documents of the suites, which takes minutes.
var allSuites = flag.Bool("all-suites", false, "read the pages of all documents of the suites, in all languages by turns")

func TestEveryTermOfTheSuitesIsPrinted(t *testing.T) {
	files := append(suite(t, "xrechnung-testsuite"), suite(t, "zugferd-corpus/xml")...)
	if *allSuites {
		for _, name := range []string{"cen-examples", "cen-unit", "xrechnung-history", "xrechnung-schematron"} {
			files = append(files, suite(t, name)...)
		}
	}
	if len(files) == 0 {
		t.Skip("skipped: ../shared/suites is not there, so there are no invoices to print")
	}
	values, documents := 0, 0
	languages := []string{"de"}
	if *allSuites {
		languages = tongue.Tags()
	}
	for i, file := range files {
		if strings.HasPrefix(filepath.Base(file), "ZUGFeRDv1--") || !sampled.Takes(i, 3) {
			continue // older than EN 16931
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			if !*allSuites { // among all documents are some that are not invoices
				t.Errorf("%s: %v", file, err)
			}
			continue
		}
		values += everyTerm(t, filepath.Base(file), doc.Invoice, languages[documents%len(languages)])
		documents++
	}
	if documents < sampled.Of(150, 3) || values < 20*documents {
		t.Errorf("only %d values of %d documents were looked for; is the folder complete?", values, documents)
	}
}

type search struct {
	*testing.T
	file, text, language string
	lines                string // the text of each line, with a line feed between them
	words                languageFile
	values               int
	units                map[string][]string
	schemes              map[string]string
}

// A languageFile is what the test needs of the words of a language.
type languageFile struct {
	Codes  map[string]map[string]string
	Words  map[string]string
	Labels map[string]string
	Titles map[string]struct{ Title string }
}

func wordsOf(t *testing.T, language string) (f languageFile) {
	t.Helper()
	data, err := os.ReadFile("language/languages/" + language + ".yaml")
	if err == nil {
		err = yaml.Unmarshal(data, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func everyTerm(t *testing.T, file string, inv *model.Invoice, language string) int {
	t.Helper()
	r, err := page.PDF(t.Context(), inv, page.Options{Language: language})
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return 0
	}
	s := &search{T: t, file: file, language: language, words: wordsOf(t, language), units: map[string][]string{}}
	var named struct{ Schemes, Classifications map[string]string }
	for file, into := range map[string]any{"units": &s.units, "schemes": &named} {
		data, err := os.ReadFile("language/" + file + ".yaml")
		if err == nil {
			err = yaml.Unmarshal(data, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s.schemes = named.Schemes
	s.schemes["EM"] = s.words.Labels["email"]
	maps.Copy(s.schemes, named.Classifications)
	for _, page := range pagesOf(t, r.Data) {
		s.text += bare(page) + "\n"
		for line := range strings.SplitSeq(page, "\n") {
			s.lines += bare(line) + "\n"
		}
	}
	if len(r.Unshown) > 0 {
		t.Errorf("%s, %s: %v are said to be left out", file, language, r.Unshown)
	}
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
	wanted, whole := s.expected(o, f)
	s.values++
	for _, want := range wanted {
		if want = bare(want); strings.Contains(s.lines, want) || !whole && strings.Contains(s.text, want) {
			return
		}
	}
	// A text may be divided by the end of a page: then its words are found.
	for _, word := range strings.Fields(norm.NFC.String(o.Raw(f))) {
		if whole || len(strings.Fields(o.Raw(f))) == 1 || !strings.Contains(s.text, bare(word)) {
			s.Errorf("%s, %s: %s (%s) is not printed, or broken: %q", s.file, s.language, path, f.BT, wanted)
			return
		}
	}
}

// longestWhole is how long an identifier is that fits a line wherever it is shown.
const longestWhole = 20

// expected is how a value may be written, and whether it has to be in one line.
func (s *search) expected(o model.Object, f *model.Field) (wanted []string, whole bool) {
	w := writing[s.language]
	raw := o.Raw(f)
	switch f.Kind {
	case model.KindDate:
		if d := o.Date(f); d.Valid {
			return []string{time.Date(int(d.Year), time.Month(d.Month), int(d.Day), 0, 0, 0, 0, time.UTC).Format(w.date)}, true
		}
	case model.KindNumber:
		if n := o.Number(f); n.Valid {
			return []string{number(n.Value.String(), 0, w.decimal, w.group)}, len(raw) <= longestWhole
		}
	case model.KindAmount:
		if n := o.Number(f); n.Valid {
			value := n.Value.String()
			if f.BT == "BT-92" || f.BT == "BT-107" || f.BT == "BT-113" { // taken away, in a column that is added down
				value = strings.TrimPrefix(value, "-")
			}
			return []string{number(value, 2, w.decimal, w.group), number(value, 0, w.decimal, w.group)}, len(raw) <= longestWhole
		}
	case model.KindBinary:
		if data, err := o.Binary(f).Decode(); err == nil {
			return []string{number(strconv.Itoa(len(data)), 0, w.decimal, w.group)}, true
		}
	}
	wanted = []string{raw}
	if name := s.schemes[raw]; f.Name == "schemeId" && name != "" {
		return append(wanted, name, "USt-IdNr. "+name), false
	}
	if names := append(s.units[raw], s.units["X"+raw]...); f.Class == "code" {
		wanted = append(wanted, names...)
		wanted = append(wanted, s.words.Codes["invoicedQuantityUnitCode"]["X"+raw])
	}
	wanted = slices.DeleteFunc(wanted, func(w string) bool { return w == "" })
	switch {
	case f.Class == "code":
		for _, list := range s.words.Codes {
			if name := list[raw]; name != "" {
				wanted = append(wanted, name)
			}
		}
		if t := s.words.Titles[raw]; t.Title != "" {
			wanted = append(wanted, t.Title)
		}
		region, err := bcp47.ParseRegion(raw)
		if err == nil && len(raw) == 2 {
			wanted = append(wanted, display.Regions(bcp47.MustParse(s.language)).Name(region))
		}
	case f.Class == "indicator":
		wanted = append(wanted, s.words.Words[map[string]string{"true": "yes", "false": "no"}[raw]])
		if f.Name == "chargeIndicator" {
			wanted = []string{s.words.Labels[map[string]string{"true": "charges", "false": "allowances"}[raw]]}
		}
		if raw == "true" && (f.Name == "testIndicator" || f.Name == "copyIndicator") { // in the title
			wanted = []string{"(" + s.words.Words[strings.TrimSuffix(f.Name, "Indicator")] + ")"}
		}
	case strings.Contains(raw, "#SKONTO#"):
		wanted = nil
		terms := bare(strings.ReplaceAll(s.text, "\n", ""))
		for _, m := range regexp.MustCompile(`=(-?[0-9]+(?:\.[0-9]+)?)`).FindAllStringSubmatch(raw, -1) {
			if !strings.Contains(terms, number(m[1], 0, w.decimal, w.group)) {
				return []string{m[1]}, true
			}
		}
		return []string{""}, false
	}
	return wanted, (f.Class == "identifier" || f.Class == "reference") && len(raw) <= longestWhole
}

// number is a number without zeros at its end, but with so many digits after the mark.
func number(s string, least int, decimal, group string) string {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	fraction = strings.TrimRight(fraction, "0")
	for len(fraction) < least {
		fraction += "0"
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	if strings.HasPrefix(s, "-") {
		whole = "-" + whole
	}
	if fraction != "" {
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
