package compare_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/model/problem"
	"einvoice/service/compare"
	"einvoice/service/embed"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
	"einvoice/service/render"
	"einvoice/service/validate"
)

// differing is a hybrid PDF whose pages were made of one invoice, with another attached.
func differing(t *testing.T, s *operation.Kit, old, changed string) []byte {
	t.Helper()
	xml := exampleInvoice("base-cii.xml")
	doc, err := s.Read(context.Background(), xml, validate.Accept{})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := s.Pages.Document(t.Context(), doc, render.Options{Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(xml, []byte(old)) {
		t.Fatalf("the sample has no %s", old)
	}
	made, err := embed.Document(context.Background(), s.Service, pages.Data, bytes.ReplaceAll(xml, []byte(old), []byte(changed)), embed.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return made.Data
}

func TestCompare(t *testing.T) {
	s := kittest.Kit(t)
	const id = "<ram:ID>"
	number := between(t, string(exampleInvoice("base-cii.xml")), "<rsm:ExchangedDocument>", "</rsm:ExchangedDocument>")
	number = between(t, number, id, "</ram:ID>")
	for _, c := range []struct {
		name, changed string
		pointers      []string
	}{
		{"the same", number, nil},
		{"another number", "X-99817", []string{"/number"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			pdf := differing(t, s, number, c.changed)
			found, err := compare.Document(context.Background(), s.Reader, pdf)
			if err != nil {
				t.Fatal(err)
			}
			var pointers []string
			for _, f := range found {
				pointers = append(pointers, f.Pointer)
				if f.Attached != c.changed || f.Value != number || f.Page != 1 || f.Box == nil {
					t.Errorf("got %+v", f)
				}
			}
			if strings.Join(pointers, " ") != strings.Join(c.pointers, " ") {
				t.Errorf("the pages contradict %v, want %v", pointers, c.pointers)
			}
			result, err := s.Validate(context.Background(), pdf, validate.Rules{ComparePages: true})
			if err != nil {
				t.Fatal(err)
			}
			if warnings := named(result.Report.Findings, "PAGES-CONTRADICT"); len(warnings) != len(c.pointers) {
				t.Errorf("the warnings are %+v", warnings)
			} else if len(warnings) == 1 && (warnings[0].Level != engine.Warning || warnings[0].Fields[0] != "number" || !strings.Contains(warnings[0].Message, number)) {
				t.Errorf("the warning is %+v", warnings[0])
			}
		})
	}
}

// Without pages there is nothing to compare: an error, or a warning beside the verdict.
func TestCompareWithoutPages(t *testing.T) {
	s := kittest.Kit(t)
	xml := exampleInvoice("base-cii.xml")
	if _, err := compare.Document(context.Background(), s.Reader, xml); !isProblem(err, "NOT-PDF") {
		t.Errorf("got %v", err)
	}
	result, err := s.Validate(context.Background(), xml, validate.Rules{ComparePages: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(named(result.Report.Findings, "PAGES-NOT-COMPARED")) != 1 || !result.Report.Valid {
		t.Errorf("the findings are %+v", result.Report.Findings)
	}
}

func isProblem(err error, code string) bool {
	e, ok := errors.AsType[*problem.Error](err)
	return ok && e.Code == code
}

func named(findings []engine.Finding, rule string) (found []engine.Finding) {
	for _, f := range findings {
		if f.Rule == rule {
			found = append(found, f)
		}
	}
	return found
}

func between(t *testing.T, s, before, after string) string {
	t.Helper()
	_, rest, ok := strings.Cut(s, before)
	inside, _, ok2 := strings.Cut(rest, after)
	if !ok || !ok2 {
		t.Fatalf("there is no %s in %s", before, s)
	}
	return inside
}
