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

// An ExpectedDifference is a difference that is accepted, with the reason. It
// names a document, a rule, or both.
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

// ReadExpectedDifferences reads a list as conformance/expected_differences.yaml
// has it; name is for messages.
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

// accepts reports whether the entry is about this difference. A document is also
// known by where its recorded verdict stands, so that the list serves a clone of
// an official repository as well as the prepared suite made from it.
func (e *ExpectedDifference) accepts(d *Difference) bool {
	if e.What != d.What || e.Layer != "" && e.Layer != d.Layer || e.Rule != "" && e.Rule != d.Rule {
		return false
	}
	return e.isAbout(place{d.Suite, d.Document}) || slices.ContainsFunc(d.places, e.isAbout)
}

func (e *ExpectedDifference) isAbout(p place) bool {
	return e.Suite == p.suite && (e.Document == "" || e.Document == p.name)
}

// stale reports whether the run should have met the entry's difference and did
// not: its document or, if it names none, its whole suite was compared.
func (e *ExpectedDifference) stale(outcomes []suiteOutcome) bool {
	for _, s := range outcomes {
		if s.suite.Name == e.Suite && s.compared(e.Layer) {
			return true
		}
		for _, o := range s.outcomes {
			about := e.Document != "" && (e.isAbout(place{s.suite.Name, o.of.Name}) || slices.ContainsFunc(o.places, e.isAbout))
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

// compared reports whether anything was compared in a layer, or at all.
func (o *outcome) compared(layer string) bool {
	return slices.ContainsFunc(o.layers, func(l layerOutcome) bool { return layer == "" || l.layer == layer })
}
