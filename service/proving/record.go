package proving

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Record writes the counts of a proof as YAML, for the table in docs/conformance.md.
func (p *Proof) Record(file string, rulesets []string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Written by einvoice rules prove --record. Of each rule: documents on which both agree, of these\n# how many it fired on, and documents on which they differ.\nrulesets: [%s]\n", strings.Join(rulesets, ", "))
	b.WriteString("originals:\n")
	for _, o := range p.Originals {
		fmt.Fprintf(&b, "  - {file: %s, sha256: %s}\n", filepath.Base(o.File), o.SHA256)
	}
	fmt.Fprintf(&b, "documents: %d\nstopped: %d\nrules:\n", p.Documents, p.Stopped)
	for _, r := range p.Rules {
		fmt.Fprintf(&b, "  %q: [%d, %d, %d]\n", r.Rule, r.Equal, r.Fired, r.Differs)
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}
