package formats_test

import (
	"slices"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
)

// noPlace are the reasons why a syntax cannot hold a term, by model path. They apply
// to everything inside a group that is named here.
var noPlace = map[model.Syntax]map[string]string{
	model.CII: {
		"lines.subLines":     "XRechnung has sub invoice lines in UBL only (BR-DEX-15)",
		"thirdPartyPayments": "XRechnung has third party payments in UBL only",
	},
	model.UBL: extended(),
}

// extended are the terms and groups of Factur-X EXTENDED, which is CII.
func extended() map[string]string {
	reasons := map[string]string{
		"projectName":                        "EN 16931 has none; the schema of CII requires it",
		"seller.contact.department":          "EN 16931 has a person or a department",
		"buyer.contact.department":           "EN 16931 has a person or a department",
		"lines.price.grossPriceBaseQuantity": "UBL has one base quantity",
	}
	for path, field := range modelFields() {
		if field.Extension != "" {
			reasons[path] = field.Extension + " is a profile of CII"
		}
	}
	return reasons
}

func TestFormatsCompile(t *testing.T) {
	for _, f := range formats.All {
		if err := f.Check(); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// Every syntax can hold every term of the model, or there is a reason why not.
func TestEveryTermHasAPlace(t *testing.T) {
	for _, f := range formats.All {
		t.Run(string(f.Syntax), func(t *testing.T) {
			placed := placesOf(f)
			for path, field := range modelFields() {
				reason := noPlace[f.Syntax][path]
				switch {
				case reason != "" && placed[path] != nil:
					t.Errorf("%s is bound, though it is listed as having no place: %s", path, reason)
				case reason == "" && placed[path] == nil && field.Kind.IsLeaf() && !inNoPlace(f.Syntax, path):
					t.Errorf("%s (%s) has no row and no reason", path, field.BT)
				}
			}
			for path := range noPlace[f.Syntax] {
				if _, ok := modelFields()[path]; !ok {
					t.Errorf("%s is listed as having no place, but the model has no such term", path)
				}
			}
		})
	}
}

// inNoPlace reports whether a term or a group around it is listed as having no place.
func inNoPlace(syntax model.Syntax, path string) bool {
	for path != "" && noPlace[syntax][path] == "" {
		path = path[:max(0, strings.LastIndexByte(path, '.'))]
	}
	return path != ""
}

func placesOf(f *binding.Format) map[string]*binding.Term {
	places := map[string]*binding.Term{}
	terms := f.Terms()
	for i := range terms {
		places[terms[i].Path] = &terms[i]
	}
	return places
}

// modelFields are all terms and groups of the model by path. A list inside itself is
// included once.
func modelFields() map[string]*model.Field {
	all := map[string]*model.Field{}
	var walk func(prefix string, typ *model.Type, around []*model.Type)
	walk = func(prefix string, typ *model.Type, around []*model.Type) {
		for i := range typ.Fields {
			f := &typ.Fields[i]
			all[prefix+f.Name] = f
			if f.Elem != nil && !slices.Contains(around, f.Elem) {
				walk(prefix+f.Name+".", f.Elem, append(around, f.Elem))
			}
		}
	}
	walk("", model.InvoiceType(), nil)
	return all
}
