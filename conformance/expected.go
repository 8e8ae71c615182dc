package conformance

import (
	"bytes"
	_ "embed" // for the list that ships
	"errors"
	"fmt"
	"io"
	"slices"

	"gopkg.in/yaml.v3"
)

// An ExpectedDifference is an accepted difference with the reason. It names a document, a
// rule, or both.
type ExpectedDifference struct {
	Suite    string `yaml:"suite" json:"suite"`
	Document string `yaml:"document" json:"document,omitempty"`
	Layer    string `yaml:"layer" json:"layer,omitempty"` // empty for any
	Rule     string `yaml:"rule" json:"rule,omitempty"`
	What     string `yaml:"what" json:"what"` // missed or extra
	Reason   string `yaml:"reason" json:"reason"`

	line int
}

//go:embed expected_differences.yaml
var shippedDifferences []byte

// ShippedDifferences are the differences that the project accepts.
func ShippedDifferences() ([]ExpectedDifference, error) {
	return ReadExpectedDifferences("expected_differences.yaml", shippedDifferences)
}

// ReadExpectedDifferences reads a list in the format of
// conformance/expected_differences.yaml; name is for messages.
func ReadExpectedDifferences(name string, data []byte) ([]ExpectedDifference, error) {
	var file struct {
		Differences []yaml.Node `yaml:"differences"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	list := make([]ExpectedDifference, len(file.Differences))
	for i := range file.Differences {
		if err := list[i].read(&file.Differences[i]); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, file.Differences[i].Line, err)
		}
	}
	return list, nil
}

func (e *ExpectedDifference) read(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return errors.New("a difference is a mapping of suite, document, layer, rule, what and reason")
	}
	for i := 0; i < len(n.Content); i += 2 {
		if key := n.Content[i].Value; !slices.Contains([]string{"suite", "document", "layer", "rule", "what", "reason"}, key) {
			return fmt.Errorf("unknown key %q; use suite, document, layer, rule, what and reason", key)
		}
	}
	if err := n.Decode(e); err != nil {
		return err
	}
	e.line = n.Line
	switch {
	case e.Suite == "":
		return errors.New("the suite is missing")
	case e.Document == "" && e.Rule == "":
		return errors.New("name the document, the rule, or both")
	case e.What != Missed && e.What != Extra:
		return fmt.Errorf("what is %q; use %s (the artefact alone says so) or %s (the validator alone says so)", e.What, Missed, Extra)
	case e.Reason == "":
		return errors.New("the reason is missing")
	}
	return nil
}

// accepts reports whether the entry is about a difference. A document is also identified
// by the suites in which its verdict is recorded, so that the list applies to a clone of
// an official repository as well as to the prepared suite that was made from it.
func (e *ExpectedDifference) accepts(d *Difference) bool {
	if e.What != d.What || e.Layer != "" && e.Layer != d.Layer || e.Rule != "" && e.Rule != d.Rule {
		return false
	}
	return e.isAbout(occurrence{d.Suite, d.Document}) || slices.ContainsFunc(d.occurrences, e.isAbout)
}

func (e *ExpectedDifference) isAbout(p occurrence) bool {
	return e.Suite == p.suite && (e.Document == "" || e.Document == p.name)
}

// stale reports whether an entry that matched no difference should have matched one,
// because its suite or its document was compared.
func (e *ExpectedDifference) stale(outcomes []suiteOutcome) bool {
	for _, s := range outcomes {
		if s.suite.Name == e.Suite && s.compared(e.Layer) {
			return true
		}
		for _, o := range s.outcomes {
			about := e.Document != "" && (e.isAbout(occurrence{s.suite.Name, o.testCase.Name}) || slices.ContainsFunc(o.occurrences, e.isAbout))
			if about && o.compared(e.Layer) {
				return true
			}
		}
	}
	return false
}

func (s *suiteOutcome) compared(layer string) bool {
	return slices.ContainsFunc(s.outcomes, func(o *outcome) bool { return o.compared(layer) })
}

// compared reports whether anything was compared in a layer, or in any layer if it is
// empty.
func (o *outcome) compared(layer string) bool {
	return slices.ContainsFunc(o.layers, func(l layerCount) bool { return layer == "" || l.layer == layer })
}
