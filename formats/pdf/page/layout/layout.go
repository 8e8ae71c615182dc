package layout

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"einvoice/model"

	"gopkg.in/yaml.v3"
)

// A Layout says where the terms of an invoice are shown; layout.yaml explains it.
type Layout struct {
	Title struct {
		Type, Number, Due Source
		DueDate           Source   `yaml:"dueDate"`
		SelfBilled        []string `yaml:"selfBilled"`
	}
	Information, Facts []*Entry
	Parties            []*Party
	Lines              struct {
		Position, Name, Description, Quantity, Unit Source
		Price, Per, Rate, Category, Amount          Source
		PlainCategories                             []string `yaml:"plainCategories"`
		Details                                     [][]*Entry
	}
	Adjustments []*struct {
		At                                               string
		Reason, Base, Percentage, Rate, Category, Amount Source
		Minus                                            bool // it is taken away

		Groups []*model.Field `yaml:"-"`
	}
	Vat struct {
		At                                         string
		Category, Code, Reason, Rate, Taxable, Tax Source
		ReasonCode                                 Source `yaml:"reasonCode"`
		Directive                                  directive

		Groups []*model.Field `yaml:"-"`
	}
	Totals []*struct {
		Show   *Entry
		Weight string // strong, due or empty
		About  Source
		Minus  bool // it is taken away
		Quiet  bool // not shown here where it is zero
		Apart  bool // no part of the sum
	}
	Payment struct {
		Facts              []*Entry
		Terms              Source
		Agreed             []*Agreement
		Transfers, Refunds []string
		Sepa               []string // the countries of accounts
		OpenEnds           []string `yaml:"openEnds"`
	}
	Notes struct {
		At            string
		Subject, Text Source

		Groups []*model.Field `yaml:"-"`
	}
	Documents struct {
		At                                     string
		Reference, Description, File, Location Source

		Groups []*model.Field `yaml:"-"`
	}
	Technical []*Entry
	// Groups that are not named where their terms are shown, and terms that need no name where
	// they are all that a group has.
	Silent, Plain []string
}

// Open reports whether a text that ends with a word wants a day behind it.
func (l *Layout) Open(word string) bool {
	return slices.Contains(l.Payment.OpenEnds, strings.ToLower(word))
}

// An Agreement is a pattern of what payment terms say for programs.
type Agreement struct {
	Word, Pattern string

	Regexp *regexp.Regexp `yaml:"-"`
}

// A Party is the block of a party.
type Party struct {
	At      string
	Name    Source
	Address []Source
	Details []*Entry

	Groups []*model.Field `yaml:"-"`
}

// A Source is a template as it is written, and parsed.
type Source struct {
	text string
	*Template
}

// Last is the name of the term that a template of one term shows.
func (s *Source) Last() string {
	if len(s.Parts) != 1 || len(s.Parts[0].Path) == 0 {
		return ""
	}
	return s.Parts[0].Path[len(s.Parts[0].Path)-1].Name
}

// UnmarshalYAML reads the text; it is parsed when the type of its group is known.
func (s *Source) UnmarshalYAML(n *yaml.Node) error { return n.Decode(&s.text) }

// An Entry is a term, or a template for a group, with a label.
type Entry struct {
	At     string
	Show   string
	Label  string
	Bare   bool // without a label
	Facts  []*Entry
	Inline bool // the facts of a group are one text

	Groups   []*model.Field `yaml:"-"` // groups and lists that lead to it
	Template *Template      `yaml:"-"`
	Field    *model.Field   `yaml:"-"`
}

// UnmarshalYAML reads an entry, or the path of a term alone.
func (e *Entry) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		return n.Decode(&e.Show)
	}
	type plain Entry // without this method
	return n.Decode((*plain)(e))
}

// Default is the layout of the program.
var Default = sync.OnceValue(func() *Layout {
	data, err := text()
	if err != nil {
		panic(err) // part of the program
	}
	l, err := parseLayout(data)
	if err != nil {
		panic("page: layout.yaml: " + err.Error()) // the file is embedded
	}
	return l
})

func parseLayout(data []byte) (*Layout, error) {
	l := &Layout{}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(l); err != nil {
		return nil, err
	}
	return l, l.resolve()
}
