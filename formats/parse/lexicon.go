package parse

import (
	_ "embed"
	"fmt"
	"regexp"
	"sync"

	"einvoice/model/strictyaml"
)

//go:embed lexicon.yaml
var lexiconYAML []byte

// phrases are what fields are called, by field and language.
type phrases map[string]map[string][]string

// A lexicon is what lexicon.yaml has.
type lexicon struct {
	Header, Totals, Columns, Parties phrases
	PartyParts                       phrases `yaml:"partyParts"`
	Titles                           []struct {
		Code  string
		Words []string
	}
	WithVat                                  map[string][]string `yaml:"withVat"`
	Exemptions, Units, Currencies, Countries map[string][]string
	Months                                   [][]string
	Capital, Per                             []string
	OfBase                                   []string          `yaml:"ofBase"`
	LegalForms                               []string          `yaml:"legalForms"`
	PaymentCodes                             []string          `yaml:"paymentCodes"`
	LikeDigits                               []string          `yaml:"likeDigits"`
	VatIdentifiers                           map[string]string `yaml:"vatIdentifiers"`
	IbanLengths                              map[string]int    `yaml:"ibanLengths"`

	header, totals, columns, parties, partyParts, capital, titles, exemptions, units, currencies, countries, withVat, paymentCodes *labels

	likeDigits     [10][]int64    // by digit
	months         map[string]int // by folded name
	legalForms     map[string]bool
	per, ofBase    map[string]bool
	vatIdentifiers map[string]*regexp.Regexp
}

// words is the lexicon, read when it is first needed. A test reads it too, so that it
// cannot fail in a released program.
var words = sync.OnceValue(func() *lexicon {
	l, err := readLexicon(lexiconYAML)
	if err != nil {
		panic(err)
	}
	return l
})

func readLexicon(data []byte) (*lexicon, error) {
	l := &lexicon{}
	if err := strictyaml.Decode(data, l); err != nil {
		return nil, fmt.Errorf("lexicon.yaml: %w", err)
	}
	l.header, l.totals, l.columns, l.parties = labelsOf(l.Header), labelsOf(l.Totals), labelsOf(l.Columns), labelsOf(l.Parties)
	l.partyParts = labelsOf(l.PartyParts)
	l.capital = newLabels()
	l.capital.add("capital", l.Capital)
	l.readLikeDigits()
	l.paymentCodes = newLabels()
	l.paymentCodes.add("code", l.PaymentCodes)
	l.titles = newLabels()
	for _, title := range l.Titles {
		l.titles.add(title.Code, title.Words)
	}
	for _, list := range []struct {
		from map[string][]string
		to   **labels
	}{{l.Exemptions, &l.exemptions}, {l.Units, &l.units}, {l.Currencies, &l.currencies}, {l.Countries, &l.countries}, {l.WithVat, &l.withVat}} {
		*list.to = newLabels()
		for code, names := range list.from {
			(*list.to).add(code, names)
		}
	}
	l.per = map[string]bool{}
	for _, word := range l.Per {
		l.per[fold(word)] = true
	}
	l.ofBase = map[string]bool{}
	for _, word := range l.OfBase {
		l.ofBase[fold(word)] = true
	}
	l.months, l.legalForms, l.vatIdentifiers = map[string]int{}, map[string]bool{}, map[string]*regexp.Regexp{}
	for i, names := range l.Months {
		for _, name := range names {
			l.months[fold(name)] = i + 1
		}
	}
	for _, form := range l.LegalForms {
		l.legalForms[fold(form)] = true
	}
	for country, shape := range l.VatIdentifiers {
		compiled, err := regexp.Compile("^" + country + "(?:" + shape + ")$")
		if err != nil {
			return nil, fmt.Errorf("lexicon.yaml: %w", err)
		}
		l.vatIdentifiers[country] = compiled
	}
	return l, nil
}

// labels finds phrases in sequences of tokens.
type labels struct {
	byFirst map[string][]phrase
}

type phrase struct {
	tokens []string
	field  string
	length int // in characters
}

func newLabels() *labels { return &labels{byFirst: map[string][]phrase{}} }

func labelsOf(p phrases) *labels {
	l := newLabels()
	for field, languages := range p {
		for _, names := range languages {
			l.add(field, names)
		}
	}
	return l
}

func (l *labels) add(field string, names []string) {
	for _, name := range names {
		p := phrase{tokens: tokens(name), field: field, length: len(fold(name))}
		if len(p.tokens) > 0 {
			l.byFirst[p.tokens[0]] = append(l.byFirst[p.tokens[0]], p)
		}
	}
}

// A match is a phrase at the beginning of a sequence of tokens.
type match struct {
	phrase
	used int // tokens of the sequence, of which one may be a currency inside the phrase
}

// longest is the longest phrase that a sequence of tokens begins with. Where one text
// is a phrase of several fields, the field that comes first in the alphabet is chosen,
// so that the same page always gives the same answer.
func (l *labels) longest(sequence []token) (best match, ok bool) {
	if len(sequence) == 0 {
		return best, false
	}
	for _, p := range l.byFirst[sequence[0].text] {
		longer := len(p.tokens) > len(best.tokens) || len(p.tokens) == len(best.tokens) && p.field < best.field
		if !longer {
			continue
		}
		if n := prefixed(sequence, p.tokens); n > 0 {
			best, ok = match{p, n}, true
		}
	}
	return best, ok
}

// prefixed is how many tokens of a sequence a phrase takes that it begins with; 0 if it does
// not. A currency may be inside the phrase, as in Total EUR HT.
func prefixed(sequence []token, prefix []string) int {
	i := 0
	for k, t := range prefix {
		if k > 0 && i == k && i < len(sequence) && sequence[i].text != t && isCurrency(sequence[i:i+1]) {
			i++
		}
		if i >= len(sequence) || sequence[i].text != t {
			return 0
		}
		i++
	}
	return i
}

// isCurrency tells whether tokens are a currency.
func isCurrency(sequence []token) bool {
	m, ok := words().currencies.longest(sequence)
	return ok && m.used == len(sequence)
}

// exactly is the field of a text that is a phrase as a whole.
func (l *labels) exactly(text string) (field string, ok bool) {
	var sequence []token
	for _, t := range tokens(text) {
		sequence = append(sequence, token{text: t})
	}
	m, ok := l.longest(sequence)
	return m.field, ok && m.used == len(sequence)
}
