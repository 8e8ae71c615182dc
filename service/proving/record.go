package proving

import (
	"bytes"
	"os"
	"path/filepath"

	"gopkg.in/yaml.v3"
)

// A Record is what is kept of a proof: conformance/proofs has one for each country.
type Record struct {
	Rulesets  []string         `yaml:"rulesets,flow"`
	Originals []RecordOriginal `yaml:"originals"`
	Documents int              `yaml:"documents"`
	Stopped   int              `yaml:"stopped"`
	// Rules has of each rule the documents on which both agree, of these how many it fired on,
	// and the documents on which they differ.
	Rules  map[string]Counts `yaml:"rules"`
	Faults []Fault           `yaml:"faults,omitempty"`
}

// A RecordOriginal is a published file.
type RecordOriginal struct {
	File   string `yaml:"file"`
	SHA256 string `yaml:"sha256"`
}

// Counts are equal, fired and differs of a rule.
type Counts [3]int

// MarshalYAML writes the counts on one line.
func (c Counts) MarshalYAML() (any, error) {
	n := &yaml.Node{}
	if err := n.Encode([3]int(c)); err != nil {
		return nil, err
	}
	n.Style = yaml.FlowStyle
	return n, nil
}

// Record writes what is kept of a proof.
func (p *Proof) Record(file string, rulesets []string) error {
	r := Record{Rulesets: rulesets, Documents: p.Documents, Stopped: p.Stopped, Rules: map[string]Counts{}, Faults: p.Faults}
	for _, o := range p.Originals {
		r.Originals = append(r.Originals, RecordOriginal{filepath.Base(o.File), o.SHA256})
	}
	for _, one := range p.Rules {
		r.Rules[one.Rule] = Counts{one.Equal, one.Fired, one.Differs}
	}
	b := bytes.NewBufferString("# Written by einvoice rules prove --record.\n")
	e := yaml.NewEncoder(b)
	e.SetIndent(2)
	if err := e.Encode(&r); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}
