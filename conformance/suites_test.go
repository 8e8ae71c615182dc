package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"einvoice/engine"
	"einvoice/rulesets"
)

// sharedSuites are the folders whose verdicts are recorded.
var sharedSuites = []string{"../../shared/suites", "../../shared/more"}

func prepared(t *testing.T) []*Suite {
	t.Helper()
	for _, dir := range sharedSuites {
		if _, err := os.Stat(dir); err != nil {
			t.Skip("no suites to compare with: " + err.Error())
		}
	}
	suites, err := Collect(sharedSuites...)
	if err != nil {
		t.Fatal(err)
	}
	return suites
}

// The recorded verdicts are the same as those beside the documents.
func TestRecordedVerdicts(t *testing.T) {
	looked := 0
	for _, s := range prepared(t) {
		for _, c := range s.Cases {
			if c.Verdict == nil {
				continue
			}
			data, err := c.Data()
			if err != nil {
				t.Fatal(err)
			}
			r, err := lookUp(data)
			if err != nil {
				t.Fatal(err)
			}
			if r == nil || !r.has(occurrence{s.Name, c.Name}, c.Verdict) {
				t.Errorf("%s/%s is not recorded as it is there; run go run ./conformance/record ../shared/suites ../shared/more", s.Name, c.Name)
			}
			looked++
		}
	}
	recordedPlaces := 0
	all, err := recordedVerdicts()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		recordedPlaces += len(r.occurrences)
	}
	if looked < 3000 || looked != recordedPlaces {
		t.Errorf("the suites hold %d verdicts, %d are recorded", looked, recordedPlaces)
	}
}

func (r *recorded) has(where occurrence, v *Verdict) bool {
	i := slices.Index(r.occurrences, where)
	return i >= 0 && r.verdicts[i].String() == v.String()
}

// Every document with a verdict is read and compared. Whether the rules agree is checked
// by a conformance run.
func TestSuitesAreCompared(t *testing.T) {
	suites := prepared(t)
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), library, suites, nil)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := 0
	for _, s := range suites {
		for _, c := range s.Cases {
			if c.Verdict != nil {
				verdicts++
			}
		}
	}
	if r.Compared != verdicts || r.Unreadable != 0 {
		t.Errorf("%d documents were compared and %d unreadable, of %d", r.Compared, r.Unreadable, verdicts)
	}
}

// Clones of the official repositories give the documents of the prepared suites, byte for
// byte, with the same expectations. EINVOICE_CLONES is the list of their paths.
func TestClonesGiveThePreparedSuites(t *testing.T) {
	clones := filepath.SplitList(os.Getenv("EINVOICE_CLONES"))
	if len(clones) == 0 {
		t.Skip("EINVOICE_CLONES names no clones of eInvoicing-EN16931 and xrechnung-schematron")
	}
	suites, err := Collect(clones...)
	if err != nil {
		t.Fatal(err)
	}
	var fromClones []*Case
	for _, s := range suites {
		for _, c := range s.Cases {
			if len(c.Fires)+len(c.Passes) > 0 {
				fromClones = append(fromClones, c)
			}
		}
	}
	compared := 0
	for _, s := range prepared(t) {
		for _, c := range s.Cases {
			if len(c.Fires)+len(c.Passes) == 0 {
				continue
			}
			compared++
			if !slices.ContainsFunc(fromClones, func(other *Case) bool { return sameCase(t, c, other) }) {
				t.Errorf("no clone gives %s/%s", s.Name, c.Name)
			}
		}
	}
	if compared != len(fromClones) {
		t.Errorf("the suites hold %d documents with expectations, the clones %d", compared, len(fromClones))
	}
}

func sameCase(t *testing.T, a, b *Case) bool {
	t.Helper()
	if !sameRules(a.Fires, b.Fires) || !sameRules(a.Passes, b.Passes) {
		return false
	}
	x, err := a.Data()
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Data()
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(x, y)
}

func sameRules(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}
