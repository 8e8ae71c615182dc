package validate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/model/problem"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

const corpus = "../../../shared/suites/zugferd-corpus"

// hybrids are the PDFs of the corpus; the test is skipped where it is not there.
func hybrids(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(corpus + "/pdf/*.pdf")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("skipped: %s/pdf is not there", corpus)
	}
	return files
}

// Validating a PDF finds what validating its XML as the same profile finds, at the same places.
func TestPDFIsItsXML(t *testing.T) {
	files := hybrids(t)
	s := kittest.Kit(t)
	findings, unread := 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".pdf")
		extracted, err := filepath.Glob(corpus + "/xml/" + name + "--*.xml")
		if err != nil || len(extracted) != 1 {
			t.Fatalf("%s: %d files are recorded, %v", name, len(extracted), err)
		}
		ofPDF, profile, n := outcome(t, s, file, validate.Rules{})
		ofXML, _, _ := outcome(t, s, extracted[0], validate.Rules{Profile: profile})
		if ofPDF != ofXML {
			t.Errorf("%s:\nPDF %s\nXML %s", name, ofPDF, ofXML)
		}
		findings += n
		if n < 0 {
			unread++
		}
	}
	if findings < 10 || unread > 5 {
		t.Errorf("%d findings, %d of %d not read: too little was compared", findings, unread, len(files))
	}
}

// outcome is what came of a file, as JSON, without where it came from.
func outcome(t *testing.T, s *operation.Kit, file string, rules validate.Rules) (text, profile string, findings int) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	result, err := s.Validate(context.Background(), data, rules)
	isPDF := filepath.Ext(file) == ".pdf"
	if err != nil {
		p, ok := errors.AsType[*problem.Error](err)
		if !ok {
			t.Fatalf("%s: %v", file, err)
		}
		if (p.Attachment != "") != isPDF {
			t.Errorf("%s: the problem is said to be in the attachment %q", file, p.Attachment)
		}
		return p.Code, "", -1
	}
	if (result.Document.Container != nil) != isPDF || (result.Document.Attachment != "") != isPDF {
		t.Errorf("%s: the attachment is %q, the container %v", file, result.Document.Attachment, result.Document.Container)
	}
	// What is said of the PDF itself its XML cannot have.
	said := slices.DeleteFunc(result.Report.Findings, func(f engine.Finding) bool { return f.Layer == engine.LayerContainer })
	report, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%v %s %s", *result.Report.SchemaValid, result.Report.Profile, report), result.Profile.ID, len(said)
}

// Requests that have the same digest have the same report, whatever else they ask for.
func TestDigestIsOfTheWholeRequest(t *testing.T) {
	files := hybrids(t)
	s := kittest.Kit(t)
	told, same := 0, 0
	for _, file := range files[:min(len(files), 12)] {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		reports := map[string]string{}
		for i := range 8 {
			rules := validate.Rules{ContainerAdvises: i&1 > 0, ComparePages: i&2 > 0}
			if i&4 > 0 {
				rules.Standard = "facturx"
			}
			result, err := s.Validate(t.Context(), data, rules)
			if err != nil {
				break // not an invoice
			}
			report := fmt.Sprint(result.Report.Valid, result.Report.Findings)
			before, known := reports[result.Report.Digest]
			if known && before != report {
				t.Errorf("%s: %+v has the digest of another report", file, rules)
			}
			if reports[result.Report.Digest] = report; known {
				same++
			} else {
				told++
			}
		}
	}
	if told < 20 {
		t.Errorf("%d and %d: too little was compared", told, same)
	}
}
