package page

import (
	"bytes"
	_ "embed"
	"regexp"
	"sync"

	"gopkg.in/yaml.v3"

	"einvoice/model"
)

//go:embed layout.yaml
var layoutFile []byte

// A layout says where the terms of an invoice are shown; layout.yaml explains it.
type layout struct {
	Title struct {
		Type, Number, Due, Author templateSource
		DueDate                   templateSource `yaml:"dueDate"`
	}
	Information, Facts []*entry
	Parties            []*partyLayout
	Lines              struct {
		Position, Name, Description, Quantity, Unit templateSource
		Price, Per, Rate, Category, Amount          templateSource
		PlainCategories                             []string `yaml:"plainCategories"`
		Details                                     [][]*entry
	}
	Adjustments []*struct {
		At                                    string
		Reason, Base, Percentage, Vat, Amount templateSource

		groups []*model.Field
	}
	Vat struct {
		At                                         string
		Category, Code, Reason, Rate, Taxable, Tax templateSource
		ReasonCode                                 templateSource `yaml:"reasonCode"`
		Directive                                  directive

		groups []*model.Field
	}
	Totals []*struct {
		Show   *entry
		Weight string // strong, due or empty
		About  templateSource
	}
	Payment struct {
		Facts              []*entry
		Terms              templateSource
		Agreed             []*agreement
		Transfers, Refunds []string
	}
	Notes struct {
		At            string
		Subject, Text templateSource

		groups []*model.Field
	}
	Documents struct {
		At                                     string
		Reference, Description, File, Location templateSource

		groups []*model.Field
	}
	Technical []*entry
}

// An agreement is a pattern of what payment terms say for programs.
type agreement struct {
	Word, Pattern string

	regexp *regexp.Regexp
}

// A partyLayout is the block of a party.
type partyLayout struct {
	At      string
	Name    templateSource
	Address []templateSource
	Details []*entry

	groups []*model.Field
}

// A templateSource is a template as it is written, and parsed.
type templateSource struct {
	text string
	*template
}

// UnmarshalYAML reads the text; it is parsed when the type of its group is known.
func (s *templateSource) UnmarshalYAML(n *yaml.Node) error { return n.Decode(&s.text) }

// An entry is a term, or a template for a group, with a label.
type entry struct {
	At    string
	Show  string
	Label string
	Bare  bool // without a label
	Facts []*entry

	groups   []*model.Field // groups and lists that lead to it
	template *template
	label    *model.Field
}

// UnmarshalYAML reads an entry, or the path of a term alone.
func (e *entry) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		return n.Decode(&e.Show)
	}
	type plain entry // without this method
	return n.Decode((*plain)(e))
}

var theLayout = sync.OnceValue(func() *layout {
	l, err := parseLayout(layoutFile)
	if err != nil {
		panic("page: layout.yaml: " + err.Error()) // the file is embedded
	}
	return l
})

func parseLayout(data []byte) (*layout, error) {
	l := &layout{}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(l); err != nil {
		return nil, err
	}
	return l, l.resolve()
}
