package language

import (
	"bytes"
	"maps"
	"strings"
	"sync"

	"einvoice/formats/pdf/page/language/country"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
	"einvoice/model/tongue"

	"gopkg.in/yaml.v3"
)

// A Language is what pages show that is not in the invoice: labels, names of codes,
// and how numbers and dates are written. Each is a file in the folder languages.
type Language struct {
	Tag     string `yaml:"tag"`
	Name    string `yaml:"name"`
	Date    string `yaml:"date"` // in the notation of package time
	Decimal string `yaml:"decimal"`
	Group   string `yaml:"group"` // between groups of three digits
	// Grouped is the number of digits before the decimal mark from which they are
	// grouped.
	Grouped  int    `yaml:"grouped"`
	Percent  string `yaml:"percent"`  // with # for the number
	Currency string `yaml:"currency"` // with # for the amount and {currency} for the code
	// Words are the headings and phrases of the layout.
	Words map[string]string `yaml:"words"`
	// Labels are the names of terms and groups, by the end of their path. The longest
	// key that fits a term counts.
	Labels map[string]string `yaml:"labels"`
	// Credit are the words and labels that are others on credit notes.
	Credit map[string]string `yaml:"credit"`
	// Codes are the names of codes, by the end of the path of the terms that have
	// them.
	Codes map[string]map[string]string `yaml:"codes"`
	// wording is what the law wants to be said, and Countries what that of the seller's
	// country says otherwise.
	Wording   Wording            `yaml:",inline"`
	Countries map[string]Wording `yaml:"countries"`

	fields    map[*model.Field]fieldWords
	countries func(code string) string // the name of a country; empty if it has none
}

// fieldWords are the label of a field, and the names of its codes.
type fieldWords struct {
	label   string
	codes   map[string]string
	country bool
	// A unit, or the scheme of an identifier or of a classification of items.
	unit, scheme, itemScheme bool
}

// Any is the key of texts of looks for languages that have none of their own.
const Any = "any"

var languages = struct {
	sync.Mutex
	loaded map[string]*Language
}{loaded: map[string]*Language{}}

// Of is the language of a tag; de is also used for de-AT.
func Of(tag string) (*Language, error) {
	name, err := tongue.Match(tag)
	if err != nil {
		return nil, err
	}
	return Load(name), nil
}

// Load is the language of that name, one of tongue.Tags.
func Load(name string) *Language {
	languages.Lock()
	defer languages.Unlock()
	if l := languages.loaded[name]; l != nil {
		return l
	}
	data, err := text(name)
	l := &Language{}
	if err == nil {
		decoder := yaml.NewDecoder(bytes.NewReader(data))
		decoder.KnownFields(true)
		err = decoder.Decode(l)
	}
	if err != nil {
		panic("page: language " + name + ": " + err.Error()) // the file is embedded
	}
	l.countries = country.Names(l.Tag)
	l.fields = map[*model.Field]fieldWords{}
	l.resolveFields(model.InvoiceType(), "")
	languages.loaded[name] = l
	return l
}

// resolveFields finds the words for each field of a type.
func (l *Language) resolveFields(t *model.Type, prefix string) {
	for i := range t.Fields {
		f := &t.Fields[i]
		path := prefix + f.Name
		label := longest(l.Labels, path)
		codes := longest(l.Codes, path)
		l.fields[f] = fieldWords{
			label: label, codes: codes,
			country: f.Name == "countryCode" || f.Name == "originCountryCode",
			unit:    codes == nil && strings.HasSuffix(f.Name, "nitCode") || path == unitCodes || strings.HasSuffix(path, "."+unitCodes) || f.Name == "baseQuantityUnitCode",
			scheme:  f.Name == "schemeId", itemScheme: strings.HasSuffix(path, "classifications.schemeId"),
		}
		if !f.Kind.IsLeaf() && f.Elem != t { // sub lines are lines
			l.resolveFields(f.Elem, path+".")
		}
	}
}

// longest is the entry whose key is the longest end of a path.
func longest[T any](entries map[string]T, path string) (entry T) {
	for more := true; more; _, path, more = strings.Cut(path, ".") {
		if entry, ok := entries[path]; ok {
			return entry
		}
	}
	return entry
}

// With is the language with labels and words of a look in place of its own.
func (l *Language) With(labels map[string]map[string]string) *Language {
	own := labels[l.Tag]
	if own == nil {
		own = labels[Any]
	}
	return l.changed(own)
}

// ForCredit is the language of credit notes.
func (l *Language) ForCredit() *Language { return l.changed(l.Credit) }

// changed is the language with other words and labels.
func (l *Language) changed(own map[string]string) *Language {
	if len(own) == 0 {
		return l
	}
	changed := *l
	changed.Words, changed.Labels = maps.Clone(l.Words), maps.Clone(l.Labels)
	for key, text := range own {
		if _, word := l.Words[key]; word {
			changed.Words[key] = typeset.Clean(text)
		}
		if _, label := l.Labels[key]; label {
			changed.Labels[key] = typeset.Clean(text)
		}
	}
	changed.fields = map[*model.Field]fieldWords{}
	changed.resolveFields(model.InvoiceType(), "")
	return &changed
}

// Label is the name of a term or group.
func (l *Language) Label(f *model.Field) string { return l.fields[f].label }

// Word is a heading or phrase of the layout.
func (l *Language) Word(name string) string { return l.Words[name] }
