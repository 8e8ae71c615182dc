package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/validate"
)

// codesOfLists are codes that the terms may have which the model calls codes, by EN 16931-1.
var codesOfLists = map[string]string{
	"BT-3": "380", "BT-5": "EUR", "BT-6": "SEK", "BT-8": "35", "BT-21": "AAI", "BT-40": "DE", "BT-55": "FR", "BT-69": "AT", "BT-80": "BE", "BT-81": "58",
	"BT-95": "S", "BT-98": "95", "BT-102": "E", "BT-105": "FC", "BT-118": "AE", "BT-121": "VATEX-EU-AE", "BT-125-1": "text/csv", "BT-130": "C62",
	"BT-140": "100", "BT-145": "AA", "BT-150": "KGM", "BT-151": "Z", "BT-159": "IT",
	"": "KGM", // of the quantity of a gross price, which has the unit of the net price
}

// A codedTerm is one that the model calls a code.
type codedTerm struct {
	context string // of its group
	field   *model.Field
	xml     map[model.Syntax][]string
}

func codedTerms() (all []codedTerm) {
	seen := map[*model.Type]bool{}
	var walk func(at, path string, t *model.Type)
	walk = func(at, path string, t *model.Type) {
		if seen[t] {
			return // lines in lines
		}
		seen[t] = true
		for i := range t.Fields {
			f := &t.Fields[i]
			switch {
			case f.Extension != "":
			case f.Elem != nil:
				walk(at+"/"+f.Name, path+f.Name+".", f.Elem)
			case f.Class == model.ClassCode:
				term := codedTerm{at, f, map[model.Syntax][]string{}}
				for _, format := range formats.All {
					for _, of := range format.Terms() {
						if of.Path == path+f.Name {
							term.xml[format.Syntax] = of.XML
						}
					}
				}
				all = append(all, term)
			}
		}
	}
	walk("/invoice", "", model.InvoiceType())
	return all
}

// asking are rules that compare a term with a code, in each way that there is.
func (c codedTerm) asking(code string) (rules []string) {
	add := func(context, assert string) {
		rules = append(rules, fmt.Sprintf("  - {id: R-%%d, level: fatal, context: %q, assert: %q, btCodes: [], message: m, text: t}\n", context, assert))
	}
	f := c.field.Name
	add(fmt.Sprintf("%s[%s='%s']", c.context, f, code), "filled(invoice.number)")
	add(fmt.Sprintf("%s[not('%s' != normalize-space(%s))]", c.context, code, f), "filled(invoice.number)")
	add(c.context, fmt.Sprintf("!has(this.%s) || this.%[1]s == '%s'", f, code))
	add(c.context, fmt.Sprintf("!has(this.%s) || !(this.%[1]s.normalizeSpace() in ['%s'])", f, code))
	add(c.context, fmt.Sprintf("is(this.%s, '%s')", f, code))
	add(c.context, fmt.Sprintf("orElse(this.%s, '') != '%s'", f, code))
	for s, paths := range c.xml {
		code := code
		if c.field.BT == "BT-8" && s == "cii" && code == codesOfLists["BT-8"] {
			code = "29" // its list of the same days
		}
		for _, path := range paths {
			path = binding.WithoutPredicates(path)
			if !strings.HasPrefix(path, "/") {
				path = map[model.Syntax]string{"ubl": "/ubl:Invoice/", "cii": "/rsm:CrossIndustryInvoice/"}[s] + path
			}
			if c.field.BT == "BT-21" && s == "ubl" {
				continue // a part of the note
			}
			around, last := path[:strings.LastIndexByte(path, '/')], path[strings.LastIndexByte(path, '/')+1:]
			add(fmt.Sprintf("%s[%s = '%s']", around, last, code), "this.has('.')")
			add(around, fmt.Sprintf("!this.has('%s') || this.text('%[1]s') == '%s'", last, code))
		}
	}
	return rules
}

// TestCodes compares each term that the model calls a code with a code that is in no list, in each
// way that a rule can, and with one of its own: the first is told, and the second is not.
func TestCodes(t *testing.T) {
	told := func(rules []string) (lines []int, warnings engine.LoadErrors) {
		text := "ruleset: own\nversion: 1\nlayer: cius\nrules:\n"
		for i, r := range rules {
			text += fmt.Sprintf(r, i)
		}
		l, err := engine.Open(engine.Layered(fstest.MapFS{"own/1/r.yaml": {Data: []byte(text)}}, rulesets.FS))
		if err != nil {
			t.Fatal(err)
		}
		all, err := validate.Warnings(l)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range all {
			if strings.Contains(w.Message, "is not a code of") {
				lines, warnings = append(lines, w.Line-5), append(warnings, w)
			}
		}
		return slices.Compact(lines), warnings
	}
	var outside, inside []string
	var of []codedTerm
	for _, c := range codedTerms() {
		code := codesOfLists[c.field.BT]
		if code == "" {
			t.Errorf("%s %s: which code does it have?", c.context, c.field.Name)
		}
		rules := c.asking("?!")
		outside, inside = append(outside, rules...), append(inside, c.asking(code)...)
		for range rules {
			of = append(of, c)
		}
	}
	lines, _ := told(outside)
	for i, rule := range outside {
		if !slices.Contains(lines, i) {
			t.Errorf("%s: nothing is told of %s", of[i].field.BT, rule)
		}
	}
	if _, warnings := told(inside); warnings != nil {
		t.Errorf("of codes of the lists is told: %v", warnings)
	}
	t.Logf("%d rules about %d terms", len(outside), len(codedTerms()))
}
