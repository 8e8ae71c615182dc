package pipeline

import (
	"fmt"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/formats/schema"
	"einvoice/model"
)

// schemaOf is the published schema of each document element.
var schemaOf = map[string]string{
	"ubl:Invoice":              "ubl-2.1-invoice",
	"cn:CreditNote":            "ubl-2.1-creditnote",
	"rsm:CrossIndustryInvoice": "cii-d16b",
}

// mostFaults bounds the findings of the schema layer: after so many the document
// is plainly something else.
const mostFaults = 1000

// schemaTexts say what each rule of the schema layer asks.
var schemaTexts = map[string]string{
	schema.RuleRoot:       "The document element is the one of its schema.",
	schema.RuleMissing:    "Every element that the schema requires is there.",
	schema.RuleOrder:      "Elements stand in the order of the schema.",
	schema.RuleRepeated:   "No element occurs more often than the schema allows.",
	schema.RuleUnexpected: "Only elements that the schema knows occur.",
	schema.RuleContent:    "Elements hold text or elements as the schema says.",
	schema.RuleValue:      "Every value has the form of its type.",
	schema.RuleAttribute:  "Every required attribute is there, and no unknown one.",
	schema.RuleType:       "An element states only a type that the schema allows for it.",
	schema.RuleNil:        "An element is nil only where the schema allows it.",
	schema.RuleID:         "Identifiers of elements are unique.",
}

// checkSchema holds the document against its schema and adds what it finds to the
// report. A profile may have a schema of its own: it allows less than that of the
// syntax, but for elements of later releases of the syntax, and it decides. Whether
// the document is valid in its syntax is told all the same.
func (p *Pipeline) checkSchema(doc *model.Document, profile *engine.Profile, report *engine.Report) error {
	root := doc.Source.NameOf(doc.Source.Name(doc.Source.Root())).String()
	name, ok := schemaOf[root]
	if !ok {
		return fmt.Errorf("there is no schema for the document element %s", root)
	}
	own := profile.Schema != "" && p.options.Rulesets == nil && doc.Syntax == model.CII
	if own {
		name = profile.Schema
	}
	faults, err := p.faults(doc, name, mostFaults)
	if err != nil {
		return err
	}
	valid := len(faults) == 0
	report.SchemaValid = &valid
	if valid {
		return nil
	}
	if own {
		general, err := p.faults(doc, schemaOf[root], 1)
		if err != nil {
			return err
		}
		valid = len(general) == 0
	}
	findings := make([]engine.Finding, len(faults))
	index := model.NewIndex(doc)
	for i := range faults {
		findings[i] = schemaFinding(doc, index, &faults[i])
	}
	report.Add(findings...)
	return nil
}

// Schema is one of the schemas that documents are held against.
func Schema(name string) (*schema.Schema, error) { return builtInSchemas.Schema(name) }

func (p *Pipeline) faults(doc *model.Document, name string, most int) ([]schema.Fault, error) {
	s, err := Schema(name)
	if err != nil {
		return nil, err
	}
	return s.Check(doc.Source, most), nil
}

func schemaFinding(doc *model.Document, index *model.Index, fault *schema.Fault) engine.Finding {
	f := engine.Finding{
		Rule: fault.Rule, Layer: engine.LayerSchema, Level: engine.Fatal, Message: fault.Message, BTCodes: []string{},
		Raw: "[" + fault.Rule + "](schema) " + schemaTexts[fault.Rule],
	}
	f.Locate(doc, fault.Ref)
	// What is missing was not read: Ref is only the place before which it should stand.
	if term, ok := index.TermAt(fault.Ref); ok && fault.Rule != schema.RuleMissing {
		f.Fields = []string{model.Join(index.Path(term.Of), term.Field.Name)}
		if term.Field.BT != "" {
			f.BTCodes = []string{term.Field.BT}
		}
		return f
	}
	if term, ok := termNamed(doc, fault); ok {
		f.BTCodes = []string{term.Field.BT}
		if !strings.Contains(f.Location, "[") {
			f.Fields = []string{term.Path}
		}
	}
	return f
}

// termNamed finds the term that an element or attribute would be, which is
// missing or stands in the wrong place.
func termNamed(doc *model.Document, fault *schema.Fault) (binding.Term, bool) {
	at := fault.Parent
	if at == 0 {
		at = doc.Source.Owner(fault.Ref)
	}
	whole := binding.WithoutPredicates(doc.Source.Path(at.Ref())) + "/" + fault.Name
	_, below, _ := strings.Cut(strings.TrimPrefix(whole, "/"), "/")
	terms := termsByPath()[doc.Syntax]
	if term, ok := terms[below]; ok {
		return term, true
	}
	term, ok := terms[whole]
	return term, ok
}

// termsByPath are the terms of each syntax by where they are written, without
// predicates.
var termsByPath = sync.OnceValue(func() map[model.Syntax]map[string]binding.Term {
	out := map[model.Syntax]map[string]binding.Term{}
	for _, format := range formats.All {
		terms := map[string]binding.Term{}
		for _, t := range format.Terms() {
			for _, xml := range t.XML {
				if path := binding.WithoutPredicates(xml); t.Field.BT != "" && terms[path].Field == nil {
					terms[path] = t
				}
			}
		}
		out[format.Syntax] = terms
	}
	return out
})
