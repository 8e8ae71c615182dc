package page

import (
	"bytes"
	"embed"
	"path"
	"slices"
	"strings"
	"sync"

	bcp47 "golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"gopkg.in/yaml.v3"

	"einvoice/model"
)

//go:embed languages/*.yaml
var languageFiles embed.FS

// A language is what pages say that the invoice does not: labels, names of codes,
// and how numbers and dates are written. Each is a file in the folder languages.
type language struct {
	Tag     string `yaml:"tag"`
	Name    string `yaml:"name"`
	Date    string `yaml:"date"` // as package time writes dates
	Decimal string `yaml:"decimal"`
	Group   string `yaml:"group"` // between groups of three digits
	// Grouped is from how many digits before the decimal mark they are grouped.
	Grouped int    `yaml:"grouped"`
	Percent string `yaml:"percent"` // with a # where the number stands
	// Words are the headings and phrases of the layout.
	Words map[string]string `yaml:"words"`
	// Labels are the names of terms and groups, by the end of their path: the
	// longest that fits a term counts.
	Labels map[string]string `yaml:"labels"`
	// Codes are the names of codes, by the end of the path of the terms that hold
	// them.
	Codes map[string]map[string]string `yaml:"codes"`

	fields    map[*model.Field]fieldWords
	countries display.Namer
}

// fieldWords are what a language says of a field.
type fieldWords struct {
	label   string
	codes   map[string]string
	country bool
}

// defaultLanguage is the one of invoices that go abroad.
const defaultLanguage = "en"

// Languages are those that PDF knows, sorted.
func Languages() []string {
	entries, _ := languageFiles.ReadDir("languages") // embedded, so it is there
	var tags []string
	for _, e := range entries {
		tags = append(tags, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	slices.Sort(tags)
	return tags
}

var languages = struct {
	sync.Mutex
	loaded map[string]*language
}{loaded: map[string]*language{}}

// languageOf finds the file of a language; that of de serves de-AT too.
func languageOf(tag string) (*language, error) {
	if tag == "" {
		tag = defaultLanguage
	}
	parsed, err := bcp47.Parse(tag)
	base, _ := parsed.Base()
	if name := base.String(); err == nil && slices.Contains(Languages(), name) {
		return loadLanguage(name), nil
	}
	return nil, &UnknownLanguage{Language: tag, Known: Languages()}
}

func loadLanguage(name string) *language {
	languages.Lock()
	defer languages.Unlock()
	if l := languages.loaded[name]; l != nil {
		return l
	}
	data, err := languageFiles.ReadFile(path.Join("languages", name+".yaml"))
	l := &language{}
	if err == nil {
		decoder := yaml.NewDecoder(bytes.NewReader(data))
		decoder.KnownFields(true)
		err = decoder.Decode(l)
	}
	if err != nil {
		panic("render: language " + name + ": " + err.Error()) // part of the program
	}
	l.countries = display.Regions(bcp47.MustParse(l.Tag))
	l.fields = map[*model.Field]fieldWords{}
	l.name(model.InvoiceType(), "")
	languages.loaded[name] = l
	return l
}

// name finds the words for each field of a type.
func (l *language) name(t *model.Type, prefix string) {
	for i := range t.Fields {
		f := &t.Fields[i]
		place := prefix + f.Name
		label, _ := longest(l.Labels, place)
		codes, _ := longest(l.Codes, place)
		l.fields[f] = fieldWords{
			label: label, codes: codes,
			country: f.Name == "countryCode" || f.Name == "originCountryCode",
		}
		if !f.Kind.IsLeaf() && f.Elem != t { // lines lie within lines
			l.name(f.Elem, place+".")
		}
	}
}

// longest finds the entry with the longest end of a path as its key.
func longest[T any](entries map[string]T, place string) (T, bool) {
	for {
		if entry, ok := entries[place]; ok {
			return entry, true
		}
		_, rest, more := strings.Cut(place, ".")
		if !more {
			var none T
			return none, false
		}
		place = rest
	}
}

func (l *language) label(f *model.Field) string { return l.fields[f].label }

func (l *language) word(name string) string { return l.Words[name] }
