package law

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"einvoice/model"

	"gopkg.in/yaml.v3"
)

// A Country is what the law of a country wants invoices of its sellers to say.
type Country struct {
	Country  string `yaml:"country"`
	Language string `yaml:"language"` // of the law
	// Reads says what was read to write the file: the text of the law, or a report of it.
	Reads      map[string]string `yaml:"reads"`
	Statements []*Statement      `yaml:"statements"`
	Required   []*Required       `yaml:"required"`
}

// A Statement is why no VAT is charged, or another scheme applies, in the words of the law.
type Statement struct {
	Category string            `yaml:"category"` // of VAT that it is for, or
	Codes    map[string]string `yaml:"codes"`    // codes of reasons (VATEX), with what stands for # in the sentence
	Say      map[string]string `yaml:"say"`      // by language
	Law      `yaml:",inline"`
}

// A Required statement is one that invoices need, whatever is sold.
type Required struct {
	ID       string   `yaml:"id"`
	Business bool     `yaml:"business"` // where the buyer is a business, as far as the invoice tells
	Domestic bool     `yaml:"domestic"` // where the buyer is in the country as well
	Category string   `yaml:"category"` // where this category of VAT is used
	Invoices bool     `yaml:"invoices"` // not for credit notes
	Fields   []string `yaml:"fields"`   // it is there if one of these is
	Note     string   `yaml:"note"`     // or a note has this subject code (BT-21)
	Text     string   `yaml:"text"`     // or a text of the invoice matches this
	Say      string   `yaml:"say"`      // what is lacking, in English; rulesets/languages translate it

	Law     `yaml:",inline"`
	pattern *regexp.Regexp
}

// A Law is a clause, where it can be read, and what of it was read: text, report or none.
type Law struct {
	Clause string `yaml:"clause"`
	Source string `yaml:"source"`
	Read   string `yaml:"read"`
}

var countries = sync.OnceValue(func() map[string]*Country {
	entries, err := files.ReadDir(folder)
	if err != nil {
		panic(err) // the folder is embedded
	}
	all := map[string]*Country{}
	for _, e := range entries {
		data, err := text(e.Name())
		c := &Country{}
		if err == nil {
			decoder := yaml.NewDecoder(bytes.NewReader(data))
			decoder.KnownFields(true)
			err = decoder.Decode(c)
		}
		for i := 0; err == nil && i < len(c.Required); i++ {
			if r := c.Required[i]; r.Text != "" {
				r.pattern, err = regexp.Compile("(?i)" + r.Text)
			}
		}
		if err != nil {
			panic("law: " + e.Name() + ": " + err.Error()) // the file is embedded
		}
		all[c.Country] = c
	}
	return all
})

// Of is the law of a country; nil where none is known.
func Of(country string) *Country { return countries()[country] }

// Countries are the codes of the countries whose law is known, sorted.
func Countries() []string { return slices.Sorted(maps.Keys(countries())) }

// Reason is why no VAT is charged, in a language, for a code of reasons or else a category. What
// the law says for a code is said in its own language where there is no translation; precise
// tells that it is said for the code.
func (c *Country) Reason(language, category, code string) (sentence string, precise bool) {
	if c == nil {
		return "", false
	}
	code = strings.ToUpper(strings.TrimSpace(code))
	for _, s := range c.Statements {
		if part, known := s.Codes[code]; known && code != "" {
			text := s.Say[language]
			if text == "" {
				text = s.Say[c.Language]
			}
			return strings.ReplaceAll(text, "#", part), true
		}
	}
	for _, s := range c.Statements {
		if s.Category != "" && s.Category == category {
			return s.Say[language], false
		}
	}
	return "", false
}

// A Lack is a statement that an invoice lacks.
type Lack struct{ ID, Say, Clause string }

// Lacks are the required statements that an invoice does not make. Credit says that it is a credit
// note.
func (c *Country) Lacks(inv *model.Invoice, credit bool) (lacks []Lack) {
	if c == nil {
		return nil
	}
	o := model.ObjectOf(inv)
	for _, r := range c.Required {
		switch {
		case r.Business && !isBusiness(inv), r.Domestic && !c.hasBuyer(inv), r.Category != "" && !hasCategory(inv, r.Category), r.Invoices && credit,
			slices.ContainsFunc(r.Fields, func(path string) bool { return filled(o, strings.Split(path, ".")) }),
			r.Note != "" && hasNote(inv, r.Note),
			r.pattern != nil && saysSomewhere(o, r.pattern):
			continue
		}
		lacks = append(lacks, Lack{r.ID, r.Say, r.Clause})
	}
	return lacks
}

// isBusiness tells of a buyer that the invoice shows to be one.
func isBusiness(inv *model.Invoice) bool {
	b := inv.Buyer
	return b != nil && (b.VatIdentifier.Raw != "" || b.LegalRegistration != nil && b.LegalRegistration.Identifier.Raw != "")
}

// hasBuyer reports whether the buyer is in the country.
func (c *Country) hasBuyer(inv *model.Invoice) bool {
	return inv.Buyer != nil && inv.Buyer.PostalAddress != nil && inv.Buyer.PostalAddress.CountryCode.Raw == c.Country
}

func hasCategory(inv *model.Invoice, category string) bool {
	return slices.ContainsFunc(inv.VatBreakdowns, func(v model.VatBreakdown) bool { return v.CategoryCode.Raw == category })
}

// hasNote reports whether a note that says something has a subject code (BT-21).
func hasNote(inv *model.Invoice, code string) bool {
	return slices.ContainsFunc(inv.Notes, func(n model.Note) bool { return n.SubjectCode.Raw == code && strings.TrimSpace(n.Text.Raw) != "" })
}

// filled reports whether a path leads to a value.
func filled(o model.Object, path []string) bool {
	f, known := o.Type.Field(path[0])
	switch {
	case !known || !o.Has(f):
		return false
	case f.Kind.IsLeaf():
		return strings.TrimSpace(o.Raw(f)) != ""
	case len(path) == 1:
		return true
	case f.Kind == model.KindGroup:
		return filled(o.Group(f), path[1:])
	}
	list := o.List(f)
	for i := range list.Len() {
		if filled(list.At(i), path[1:]) {
			return true
		}
	}
	return false
}

// longestStatement bounds the text that is looked at for a statement.
const longestStatement = 20_000

// saysSomewhere reports whether a text of the invoice, without those of lines, matches.
func saysSomewhere(o model.Object, pattern *regexp.Regexp) bool {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch {
		case f.Name == "lines" || !o.Has(f) || f.Kind == model.KindBinary:
		case f.Kind == model.KindGroup:
			if saysSomewhere(o.Group(f), pattern) {
				return true
			}
		case f.Kind == model.KindList:
			for j := range o.List(f).Len() {
				if saysSomewhere(o.List(f).At(j), pattern) {
					return true
				}
			}
		default:
			if raw := o.Raw(f); pattern.MatchString(raw[:min(len(raw), longestStatement)]) {
				return true
			}
		}
	}
	return false
}
