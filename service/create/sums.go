package create

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/compute"
	"einvoice/service/catalogue"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// The findings about what amounts cannot be computed of; rulesets/findings says what they say.
const (
	noticeSum        = "SUM-WITHOUT-PLACE"
	noticeVatMissing = "VAT-MISSING"
	noticeVatUnused  = "VAT-UNUSED"
)

// checkSums finds what would be summed up without being in the document, and what is in the
// document without a sum. Each is one mistake in the request, from which many follow in the
// document.
func checkSums(s *validate.Service, inv *model.Invoice, out *write.Output) ([]engine.Finding, error) {
	findings, err := sumsWithoutPlace(s, inv, out)
	if err != nil {
		return nil, err
	}
	for _, unused := range compute.UnusedVats(inv) {
		b := &inv.VatBreakdowns[unused.Index]
		which, rate := "none", ""
		if unused.Several {
			which = "several"
		}
		if b.Rate.Present {
			rate = " " + strings.TrimSpace(b.Rate.Raw) + " %"
		}
		f, err := s.Notice(noticeVatUnused, which, validate.Values{"category": strings.TrimSpace(b.CategoryCode.Raw), "rate": rate})
		if err != nil {
			return nil, err
		}
		f.Fields = []string{fmt.Sprintf("vatBreakdowns[%d]", unused.Index)}
		findings = append(findings, f)
	}
	for _, missing := range compute.MissingVats(inv) {
		f, err := s.Notice(noticeVatMissing, "", validate.Values{"category": missing.Category, "rate": missing.Rate})
		if err != nil {
			return nil, err
		}
		f.Fields = []string{"vatBreakdowns"}
		findings = append(findings, f)
	}
	return findings, nil
}

// offered are the names by which a profile in a syntax is asked for, each with its formats.
func offered(id string, syntax model.Syntax) (names []string) {
	formats := map[string][]string{}
	for _, f := range catalogue.Formats() {
		if f.Create == nil || !slices.Contains(f.Create.Syntaxes, syntax) {
			continue
		}
		for _, p := range f.Create.Profiles {
			if p.ID == id {
				formats[p.Name] = append(formats[p.Name], f.Name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(formats)) {
		names = append(names, fmt.Sprintf("%s (%s)", name, strings.Join(formats[name], ", ")))
	}
	return names
}

// sumsWithoutPlace finds groups whose amounts are part of what is to be paid and that the
// profile does not have.
func sumsWithoutPlace(s *validate.Service, inv *model.Invoice, out *write.Output) ([]engine.Finding, error) {
	sums := catalogue.Read().Sums
	var findings []engine.Finding
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		field, _ := model.InvoiceType().Field(name) // a test reads the names
		if !model.ObjectOf(inv).Has(field) || sums[name][out.Profile.ID] == out.Syntax {
			continue
		}
		var profiles []string
		for _, id := range slices.Sorted(maps.Keys(sums[name])) {
			profiles = append(profiles, offered(id, sums[name][id])...)
		}
		f, err := s.Notice(noticeSum, "", validate.Values{
			"profile": out.Profile.Name, "syntax": out.Syntax.Label(), "term": field.Term, "profiles": strings.Join(profiles, ", "),
		})
		if err != nil {
			return nil, err
		}
		f.BTCodes, f.Fields = []string{field.BT}, []string{name}
		findings = append(findings, f)
	}
	return findings, nil
}
