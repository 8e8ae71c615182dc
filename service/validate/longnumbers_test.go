package validate_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"einvoice/rulesets"
	"einvoice/service/validate"
)

// A number that is too long to be computed with is a fault of the document, wherever it stands, and is told as one.
func TestLongNumbersAreFaultsOfTheDocument(t *testing.T) {
	number := regexp.MustCompile(`>(\d+(?:\.\d+)?)<`)
	for _, name := range []string{"examples/base-ubl.xml", "examples/base-cii.xml"} {
		data, err := fs.ReadFile(rulesets.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range number.FindAllSubmatchIndex(data, -1) {
			for _, long := range []string{strings.Repeat("9", 200), strings.Repeat("9", 201), "1" + strings.Repeat("0", 250), "1." + strings.Repeat("0", 300)} {
				changed := string(data[:at[2]]) + long + string(data[at[3]:])
				result, err := validate.Document(t.Context(), strings.NewReader(changed))
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range result.Report.Findings {
					if strings.Contains(f.Message, "could not be decided") && !strings.Contains(f.Message, "more than 200 digits. Correct the value") {
						t.Errorf("%s, %s: %s: %s", name, data[at[2]-20:at[3]], f.Rule, f.Message)
					}
				}
			}
		}
	}
}
