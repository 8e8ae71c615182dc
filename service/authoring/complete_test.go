package authoring_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/authoring"
)

// Behind this. all fields of the context are offered, whatever it is about.
func TestFieldsOfEveryContext(t *testing.T) {
	for context, of := range map[string]*model.Type{
		"/invoice": model.InvoiceType(), "/invoice/lines": model.TypeOf[model.Line](), "/container": model.ContainerType(),
		"/batch": model.BatchType(), "/batch[number]": model.BatchType(), "/batch/preceding": model.TypeOf[model.BatchReference](),
	} {
		rule := "ruleset: a\nversion: 1\nlayer: cius\nrules:\n  - id: A-1\n    level: fatal\n    context: " + context + "\n    assert: this."
		w := authoring.Open(fstest.MapFS{"a/1/r.yaml": {Data: []byte(rule)}}, rulesets.FS)
		last := strings.Count(rule, "\n") + 1
		offered, err := w.Complete("a/1/r.yaml", last, len("    assert: this.")+1)
		if err != nil || len(offered) != len(of.Fields) || len(offered) == 0 {
			t.Errorf("%s: %d of %d fields are offered, %v", context, len(offered), len(of.Fields), err)
		}
	}
}
