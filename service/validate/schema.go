package validate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/formats/schema"
	"einvoice/model"
	"einvoice/model/syntax"
)

// mostFaults bounds the findings of the schema layer: after so many the document
// is plainly something else.
const mostFaults = 1000

// checkSchema checks the document against its schema and adds what it finds to the
// report. A profile may have a schema of its own: it allows less than that of the
// syntax, except for elements of later releases of the syntax, and it decides. Whether
// the document is valid in its syntax is reported as well.
func (s *Service) checkSchema(doc *model.Document, profile *engine.Profile, rulesetsAlone bool, report *engine.Report) error {
	root := doc.Source.Spell(doc.Source.Name(doc.Source.Root()))
	_, declared := syntax.OfRoot(root)
	if declared == nil || declared.Schema == "" {
		return fmt.Errorf("there is no schema for the document element %s", root)
	}
	name, own, err := profileSchema(profile, root)
	if err != nil {
		return err
	}
	if own = own && !rulesetsAlone; !own {
		name = declared.Schema
	}
	faults, err := schemaFaults(doc, name, mostFaults)
	if err != nil {
		return err
	}
	valid := len(faults) == 0
	report.SchemaValid = &valid
	if valid {
		return nil
	}
	if own {
		general, err := schemaFaults(doc, declared.Schema, 1)
		if err != nil {
			return err
		}
		valid = len(general) == 0
	}
	findings := make([]engine.Finding, len(faults))
	index := model.NewIndex(doc)
	for i := range faults {
		if findings[i], err = s.schemaFinding(doc, index, &faults[i]); err != nil {
			return err
		}
	}
	report.Add(findings...)
	return nil
}

// profileSchema is the schema of a profile, where it is for this document element.
func profileSchema(profile *engine.Profile, root string) (name string, own bool, err error) {
	if profile.Schema == "" {
		return "", false, nil
	}
	s, err := Schema(profile.Schema)
	if err != nil {
		return "", false, err
	}
	return profile.Schema, s.Knows(root), nil
}

func schemaFaults(doc *model.Document, name string, most int) ([]schema.Fault, error) {
	s, err := Schema(name)
	if err != nil {
		return nil, err
	}
	return s.Check(doc.Source, most), nil
}

func (s *Service) schemaFinding(doc *model.Document, index *model.Index, fault *schema.Fault) (engine.Finding, error) {
	f, err := s.Notice(fault.Rule, "", Values{"message": fault.Message})
	if err != nil {
		return f, err
	}
	f.Locate(doc, fault.Ref)
	f.Constraints = fault.Constraints
	// What is missing was not read: Ref is only the element before which it belongs.
	if path, field := index.FieldAt(fault.Ref); field != nil && field.Kind.IsLeaf() && fault.Rule != schema.RuleMissing {
		f.Fields = []string{path}
		if field.BT != "" {
			f.BTCodes = []string{field.BT}
		}
		return f, nil
	}
	if term, field, ok := termNamed(doc, index, fault); ok {
		f.Fields = []string{field}
		if term.Field.BT != "" {
			f.BTCodes = []string{term.Field.BT}
		}
	} else if fault.Rule == schema.RuleMissing && fault.Parent != 0 {
		if group := index.Path(index.Around(doc.Source, fault.Parent.Ref())); group != "" {
			f.Fields = []string{group}
		}
	}
	return f, nil
}

// termNamed finds the term that an element or attribute would be, which is missing or in
// the wrong place, and its field. Several terms may be written at one place; it is that of
// the innermost group that was read around it.
func termNamed(doc *model.Document, index *model.Index, fault *schema.Fault) (binding.Term, string, bool) {
	at := fault.Parent
	if at == 0 {
		at = doc.Source.Owner(fault.Ref)
	}
	whole := binding.WithoutPredicates(doc.Source.Path(at.Ref())) + "/" + fault.Name
	_, below, _ := strings.Cut(strings.TrimPrefix(whole, "/"), "/")
	terms := termsByPath[doc.Syntax]()
	candidates := slices.Concat(terms.at[below], terms.at[whole])
	if candidates == nil {
		candidates = terms.inside[below] // such as the date of IssueDateTime
	}
	for group := index.Around(doc.Source, at.Ref()); group.Present(); group = index.Parent(group) {
		found := map[string]binding.Term{} // by field
		for _, term := range candidates {
			if field, inside := fieldIn(index.Path(group), term.Path); inside {
				found[field] = term
			}
		}
		if len(found) > 1 { // where one has a code, the others are what EXTENDED has more
			maps.DeleteFunc(found, func(_ string, term binding.Term) bool { return term.Field.BT == "" })
		}
		for field, term := range found {
			return term, field, len(found) == 1 // of several, none is known to be meant
		}
	}
	return binding.Term{}, "", false
}

// fieldIn is the path of a term in a group, which has indices; up to the first list inside
// the group, of which it is not known which entry is meant.
func fieldIn(group, term string) (field string, ok bool) {
	general := binding.WithoutPredicates(group)
	rest := strings.TrimPrefix(term, general)
	if rest == term && general != "" || rest == "" || general != "" && rest[0] != '.' {
		return "", false
	}
	t, steps := model.InvoiceType(), strings.Split(term, ".")
	inside := 0
	if general != "" {
		inside = strings.Count(general, ".") + 1
	}
	field = group
	for i, name := range steps {
		f, known := t.Field(name)
		if !known {
			return "", false
		}
		if i >= inside {
			field = model.Join(field, name)
			if f.Kind == model.KindList {
				break
			}
		}
		t = f.Elem
	}
	return field, true
}

// placedTerms are the terms of a syntax by where they are written, without predicates.
type placedTerms struct {
	at     map[string][]binding.Term
	inside map[string][]binding.Term // by each element around them
}

var termsByPath = func() map[model.Syntax]func() placedTerms {
	all := map[model.Syntax]func() placedTerms{}
	for _, format := range formats.All {
		all[format.Syntax] = sync.OnceValue(func() placedTerms { return placeTerms(format) })
	}
	return all
}()

func placeTerms(format *binding.Format) placedTerms {
	terms := placedTerms{map[string][]binding.Term{}, map[string][]binding.Term{}}
	for _, t := range format.Terms() {
		for _, xml := range t.XML {
			path := binding.WithoutPredicates(xml)
			terms.at[path] = append(terms.at[path], t)
			for i := range len(path) {
				if path[i] == '/' {
					terms.inside[path[:i]] = append(terms.inside[path[:i]], t)
				}
			}
		}
	}
	return terms
}
