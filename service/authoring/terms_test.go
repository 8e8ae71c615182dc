package authoring_test

import (
	"regexp"
	"testing"

	"einvoice/model"
	"einvoice/service/authoring"
)

var ofStandard = regexp.MustCompile(`^B[TG]-[0-9]+(-[0-9])?$`)

// Every term and group of the standard has a definition.
func TestEveryTermHasADefinition(t *testing.T) {
	seen := map[*model.Type]bool{}
	terms := 0
	var walk func(of *model.Type)
	walk = func(of *model.Type) {
		if seen[of] {
			return
		}
		seen[of] = true
		for i := range of.Fields {
			f := &of.Fields[i]
			if ofStandard.MatchString(f.BT) {
				terms++
				if authoring.TermDefinition(f.BT) == "" {
					t.Errorf("%s %s has no definition", f.BT, f.Term)
				}
			}
			if f.Elem != nil {
				walk(f.Elem)
			}
		}
	}
	walk(model.InvoiceType())
	if terms < 190 {
		t.Errorf("only %d terms were looked at", terms)
	}
}
