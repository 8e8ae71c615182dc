package catalogue

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"einvoice/model"
	"einvoice/model/embedded"
	"einvoice/model/quote"

	"gopkg.in/yaml.v3"
)

//go:embed formats.yaml
var formatsYAML []byte

// A Catalogue is formats.yaml.
type Catalogue struct {
	Formats           []*Format         `yaml:"formats"`
	BusinessProcesses map[string]string `yaml:"businessProcesses"` // by profile
	Container         string            `yaml:"container"`         // ruleset about PDFs
	Request           struct {
		Ruleset string              `yaml:"ruleset"`
		Rules   map[string][]string `yaml:"rules"` // of other rulesets
	} `yaml:"request"`
	// Sums are the groups whose amounts are part of what is to be paid, with the syntax of each
	// profile that has them.
	Sums map[string]map[string]model.Syntax `yaml:"sums"`
	// EmptyElements are the rules that refuse elements without content.
	EmptyElements []string `yaml:"emptyElements"`
	CreditNotes   string   `yaml:"creditNotes"` // code list of their types
}

// A Format is what an operation is asked for by name, as {format} in the paths of the
// API: ubl, xrechnung, facturx ...
type Format struct {
	Name   string          `yaml:"name"`
	Label  string          `yaml:"label"` // as its publishers write it; only for formats whose PDF is required
	Create *Creation       `yaml:"create"`
	Check  *FormatToCheck  `yaml:"validate"`
	Render *FormatToRender `yaml:"render"`
}

// A FormatToRender says which documents the name of a format renders.
type FormatToRender struct {
	Syntaxes []model.Syntax `yaml:"syntaxes"` // nil for any
}

// Shows reports whether the name of the format renders documents of a syntax.
func (f *FormatToRender) Shows(syntax model.Syntax) bool {
	return f.Syntaxes == nil || slices.Contains(f.Syntaxes, syntax)
}

// A Creation is how documents of a format are made.
type Creation struct {
	PDF      bool             `yaml:"pdf"` // pages with the XML attached, rather than the XML
	Syntaxes []model.Syntax   `yaml:"syntaxes"`
	Profiles []OfferedProfile `yaml:"profiles"`
}

// A FormatToCheck says against what documents are validated by the name of a format.
type FormatToCheck struct {
	Standard         string       `yaml:"standard"` // "" for that of the document's profile
	Syntax           model.Syntax `yaml:"syntax"`   // "" for any
	Rulesets         []string     `yaml:"rulesets"` // run alone; nil for those of a profile
	PDF              PDFUse       `yaml:"pdf"`
	ContainerAdvises bool         `yaml:"containerAdvises"`
}

// PDFUse says whether a document may be, or has to be, attached to a PDF.
type PDFUse string

// The uses of a PDF.
const (
	PDFRefused  PDFUse = ""
	PDFAccepted PDFUse = "accepted"
	PDFRequired PDFUse = "required" // the PDF is checked as well
)

// An OfferedProfile has a name in requests, and an id in the rulesets.
type OfferedProfile struct{ Name, ID string }

// UnmarshalYAML reads the id alone, or the name with the id.
func (o *OfferedProfile) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		o.Name, o.ID = node.Value, node.Value
		return nil
	}
	if node.Kind != yaml.MappingNode || len(node.Content) != 2 {
		return fmt.Errorf("line %d: a profile is its id, or its name with its id", node.Line)
	}
	o.Name, o.ID = node.Content[0].Value, node.Content[1].Value
	return nil
}

// Read returns the catalogue, which it reads once.
var Read = sync.OnceValue(func() *Catalogue {
	c := &Catalogue{}
	if err := embedded.Decode("service/catalogue/formats.yaml", formatsYAML, c); err != nil {
		panic(fmt.Sprintf("formats.yaml: %v", err)) // part of the program; a test reads it
	}
	return c
})

// Formats returns all formats, in the order in which users see them.
func Formats() []*Format { return Read().Formats }

// ToCreate returns the names of the formats that can be created and transformed to.
func ToCreate() []string { return namesOf(func(f *Format) bool { return f.Create != nil }) }

// ToCreateInXML returns the names of those among them that are XML and no PDF.
func ToCreateInXML() []string {
	return namesOf(func(f *Format) bool { return f.Create != nil && !f.Create.PDF })
}

// ToCreateInPDF returns the names of the others. All are made with the same rules.
func ToCreateInPDF() []string {
	return namesOf(func(f *Format) bool { return f.Create != nil && f.Create.PDF })
}

func namesOf(is func(f *Format) bool) (names []string) {
	for _, f := range Formats() {
		if is(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Named returns the format of a name; nil if there is none.
func Named(name string) *Format {
	all := Formats()
	if i := slices.IndexFunc(all, func(f *Format) bool { return f.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// Creatable returns the format of a name in which documents can be made. If there is none, the
// error lists the names.
func Creatable(name string) (*Format, error) {
	f := Named(name)
	if f == nil || f.Create == nil {
		return nil, fmt.Errorf("there is no format %q to create; use one of %s", name, strings.Join(ToCreate(), ", "))
	}
	return f, nil
}

// ProfileID returns the id of the profile that was named, or of the default for "". If the
// format does not have the profile, the error lists its profiles.
func (f *Format) ProfileID(asked string) (string, error) {
	if asked == "" {
		return f.Create.Profiles[0].ID, nil
	}
	names := make([]string, len(f.Create.Profiles))
	for i, p := range f.Create.Profiles {
		if p.Name == asked {
			return p.ID, nil
		}
		names[i] = p.Name
	}
	if others := formatsWith(asked); others != nil {
		return "", fmt.Errorf("%s has no profile %s, which is one of %s; create that format, or use one of %s", f.Name, quote.Value(asked), strings.Join(others, ", "), strings.Join(names, ", "))
	}
	return "", fmt.Errorf("%s has no profile %s; use one of %s", f.Name, quote.Value(asked), strings.Join(names, ", "))
}

// formatsWith are the names of the formats that offer a profile.
func formatsWith(profile string) (names []string) {
	for _, f := range Formats() {
		if f.Create != nil && slices.ContainsFunc(f.Create.Profiles, func(p OfferedProfile) bool { return p.Name == profile }) {
			names = append(names, f.Name)
		}
	}
	return names
}

// SyntaxFor returns the syntax that was named, or the default for "". If the format is not
// written in it, the error lists its syntaxes.
func (f *Format) SyntaxFor(asked string) (model.Syntax, error) {
	switch {
	case asked == "":
		return f.Create.Syntaxes[0], nil
	case slices.Contains(f.Create.Syntaxes, model.Syntax(asked)):
		return model.Syntax(asked), nil
	}
	var there []string
	for _, syntax := range f.Create.Syntaxes {
		there = append(there, string(syntax))
	}
	return "", fmt.Errorf("%s is not written in %q; use one of %s", f.Name, asked, strings.Join(there, ", "))
}
