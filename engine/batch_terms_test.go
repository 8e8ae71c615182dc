package engine_test

import (
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/rulesets"
)

// A rule between documents reads terms as what a job knows of a document, such as the amount,
// which is BT-112: no warning says that it does not read them.
func TestCodesOfRulesBetweenDocuments(t *testing.T) {
	const rules = `ruleset: company-batch
version: 1
layer: batch
extends: batch/1
rules:
  - {id: CB-1, level: warning, context: "/batch[amount]", assert: this.amount < 1000.0, btCodes: [BT-112], fields: [amount], message: m, text: t}
  - {id: CB-2, level: warning, context: /batch/preceding, assert: size(this.found) > 0, btCodes: [BT-25], fields: [number], message: m, text: t}
`
	l, err := engine.Open(engine.Layered(fstest.MapFS{"company-batch/1/a.yaml": {Data: []byte(rules)}}, rulesets.FS))
	if err != nil {
		t.Fatal(err)
	}
	if warnings := warningsOf(t, l); len(warnings) > 0 {
		t.Error(warnings)
	}
}
