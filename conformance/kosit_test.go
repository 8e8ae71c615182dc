package conformance_test

import (
	"bufio"
	"encoding/xml"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// kositReports is the folder that conformance/kosit.sh made.
var kositReports = flag.String("kosit", "", "folder with reports of KoSIT's validator (kosit) and of this program (einvoice), to compare")

// A varlReport is what is compared of a report.
type varlReport struct {
	Valid    bool   `xml:"valid,attr"`
	Scenario string `xml:"scenarioMatched>scenario>name"`
	Steps    []struct {
		ID       string `xml:"id,attr"`
		Valid    bool   `xml:"valid,attr"`
		Messages []struct {
			Code     string `xml:"code,attr"`
			Level    string `xml:"level,attr"`
			Location string `xml:"xpathLocation,attr"`
		} `xml:"message"`
	} `xml:"scenarioMatched>validationStepResult"`
	Accept *struct{} `xml:"assessment>accept"`
}

func readVARL(t *testing.T, path string) *varlReport {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := &varlReport{}
	if err := xml.Unmarshal(data, r); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return r
}

// outcome is what both programs have to say alike: the scenario, whether to accept, and
// each step with its codes and levels.
func (r *varlReport) outcome() []string {
	all := map[string]bool{
		"scenario " + r.Scenario:                  true,
		fmt.Sprintf("accept %v", r.Accept != nil): true,
		fmt.Sprintf("valid %v", r.Valid):          true,
	}
	for _, s := range r.Steps {
		all[fmt.Sprintf("%s valid %v", s.ID, s.Valid)] = true
		for _, m := range s.Messages {
			all[s.ID+" "+m.Code+" "+m.Level] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// TestKosit compares the reports of both programs. Documents on which a stylesheet of the
// validator stops are told and left out: its report then says nothing of the rules.
func TestKosit(t *testing.T) {
	if *kositReports == "" {
		t.Skip("no folder is given with -kosit: nothing was compared")
	}
	stops := stoppedBy(t, filepath.Join(*kositReports, "kosit.log"))
	files, err := filepath.Glob(filepath.Join(*kositReports, "kosit", "*-report.xml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no report of the validator in %s: %v", *kositReports, err)
	}
	documents, stopped, accepted, schema, rules := 0, 0, 0, 0, 0
	bySuite := map[string]int{}
	for _, file := range files {
		name := filepath.Base(file)
		theirs, ours := readVARL(t, file), readVARL(t, filepath.Join(*kositReports, "einvoice", name))
		if stops[strings.TrimSuffix(name, "-report.xml")] {
			stopped++
			continue
		}
		documents++
		suite, _, _ := strings.Cut(name, "__")
		bySuite[suite]++
		if theirs.Accept != nil {
			accepted++
		}
		for _, s := range theirs.Steps {
			if s.ID == "val-xsd" {
				schema += len(s.Messages)
			} else {
				rules += len(s.Messages)
			}
		}
		if want, got := theirs.outcome(), ours.outcome(); !slices.Equal(want, got) {
			t.Errorf("%s:\n the validator has %v\n einvoice has %v", name, without(want, got), without(got, want))
		}
	}
	t.Logf("%d documents compared (%v): %d acceptable; %d messages of schemas and %d of rules", documents, bySuite, accepted, schema, rules)
	t.Logf("%d documents left out on which a stylesheet of the validator stops", stopped)
}

// stoppedBy are the documents, without .xml, on which a stylesheet stopped: the log of the
// validator has the error behind the line that begins the document.
func stoppedBy(t *testing.T, log string) map[string]bool {
	t.Helper()
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stopped := map[string]bool{}
	document := ""
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if _, path, found := strings.Cut(lines.Text(), "Checking content of "); found {
			document = strings.TrimSuffix(filepath.Base(path), ".xml")
		}
		if strings.Contains(lines.Text(), "Error processing schematron validation") {
			stopped[document] = true
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return stopped
}

func without(all, some []string) (rest []string) {
	for _, one := range all {
		if !slices.Contains(some, one) {
			rest = append(rest, one)
		}
	}
	return rest
}
