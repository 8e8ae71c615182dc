package validate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"einvoice/engine"
	"einvoice/service/internal/kittest"
	"einvoice/service/validate"
)

// Reports say the same after the memory of their documents was used by others: what several
// goroutines validate and give back, in any order, is compared in the end with what a caller
// gets who keeps every document.
func TestGiveBack(t *testing.T) {
	var documents [][]byte
	for _, pattern := range []string{"../../rulesets/examples/*.xml", "../../../shared/suites/xrechnung-schematron/*.xml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for i, file := range files {
			if i%10 != 0 && strings.Contains(pattern, "shared") {
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			documents = append(documents, data, spoil(data))
		}
	}
	if len(documents) < 2 {
		t.Fatal("there are no documents")
	}
	s := kittest.Kit(t)
	german, err := s.Library().Language("de")
	if err != nil {
		t.Fatal(err)
	}
	said := func(result *validate.Result, err error) string {
		if err != nil {
			return err.Error()
		}
		english, err := json.Marshal(result.Report)
		if err == nil {
			err = result.Report.Translate(german)
		}
		translated, failure := json.Marshal(result.Report)
		return fmt.Sprint(string(english), string(translated), err, failure)
	}
	want := make([]string, len(documents))
	for i, data := range documents {
		want[i] = said(s.Validate(t.Context(), data, validate.Rules{}))
	}
	var workers sync.WaitGroup
	for worker := range 4 {
		workers.Go(func() {
			reports := make([]*engine.Report, len(documents))
			for _, i := range rand.New(rand.NewPCG(uint64(worker), 33)).Perm(len(documents)) {
				result, err := s.Validate(t.Context(), documents[i], validate.Rules{})
				if err != nil {
					if got := said(nil, err); got != want[i] {
						t.Errorf("document %d: %s, not %s", i, got, want[i])
					}
					continue
				}
				reports[i] = result.Report
				result.GiveBack()
				result.GiveBack()
			}
			for i, report := range reports {
				if report != nil {
					if got := said(&validate.Result{Report: report}, nil); got != want[i] {
						t.Errorf("document %d: %s, not %s", i, got, want[i])
					}
				}
			}
		})
	}
	workers.Wait()
}

// spoil makes a document that violates more: it has no amount any more.
func spoil(data []byte) []byte {
	return []byte(strings.NewReplacer("Amount currencyID=\"EUR\">", "Amount currencyID=\"XYZ\">-", "<ram:GrandTotalAmount>", "<ram:GrandTotalAmount>x").Replace(string(data)))
}
