package validate_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/service/validate"
)

// A document that declares a profile of the other syntax is validated by the rules of EN
// 16931, which are there for its own, and says so. Asked for by name, such a profile is
// refused.
func TestProfileOfTheOtherSyntax(t *testing.T) {
	s := open(t)
	data, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	profiles, err := s.Library().Profiles()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, p := range profiles {
		if p.DefinedIn(model.UBL) {
			continue
		}
		for _, id := range p.SpecificationIDs {
			seen++
			invoice := bytes.Replace(data, []byte("urn:cen.eu:en16931:2017</cbc:CustomizationID>"), []byte(id+"</cbc:CustomizationID>"), 1)
			result, err := s.Validate(t.Context(), invoice, validate.Rules{})
			if err != nil {
				t.Fatal(err)
			}
			r := result.Report
			if !r.Valid || r.Standard != "en16931" || len(r.Findings) != 1 || r.Findings[0].Rule != "PROFILE-UNKNOWN" || r.Findings[0].Level != engine.Warning ||
				!strings.Contains(r.Findings[0].Message, p.Name+", which is defined in CII alone") {
				t.Errorf("%s: %s %+v", id, r.Standard, r.Findings)
			}
		}
		var refused *problem.Error
		if _, err := s.Validate(t.Context(), data, validate.Rules{Profile: p.ID}); !errors.As(err, &refused) || refused.Code != "SYNTAX-MISMATCH" || refused.Remedy == "" {
			t.Errorf("%s: %v", p.ID, err)
		}
	}
	if seen < 8 {
		t.Errorf("only %d identifiers were looked at", seen)
	}
}
