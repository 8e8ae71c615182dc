package formats_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/model/source"
)

// fullSamples contain every term of EN 16931 and of the XRechnung extension once. Those
// of Factur-X EXTENDED are tested by its schema. The value of each term is derived from its
// code, so that the expected values follow from the model alone.
var fullSamples = []string{
	"ubl/testdata/full-invoice.xml",
	"ubl/testdata/full-creditnote.xml",
	"cii/testdata/full.xml",
}

func TestEveryTermIsRead(t *testing.T) {
	for _, file := range fullSamples {
		t.Run(file, func(t *testing.T) {
			doc := readDocument(t, file)
			f := fullTest{t, doc, doc.Source.Data, elementNames(doc.Syntax)}
			f.group("", model.ObjectOf(doc.Invoice))
		})
	}
}

// beside are terms that only CII has beside those of EN 16931: a name where the standard
// has an identifier, a department where it has a person, a base quantity where it has one for both prices.
var beside = map[string]bool{
	"projectName": true, "seller.contact.department": true, "buyer.contact.department": true,
	"lines.price.grossPriceBaseQuantity": true,
}

type fullTest struct {
	*testing.T
	doc      *model.Document
	data     string
	elements map[string][]string // names of the elements that a group can be, by model path
}

func (f *fullTest) group(prefix string, group model.Object) {
	for i := range group.Type.Fields {
		field := &group.Type.Fields[i]
		path := prefix + field.Name
		switch {
		case field.Extension != "", beside[path]:
		case noPlace[f.doc.Syntax][path] != "", path == "thirdPartyPayments" && strings.Contains(f.data, "<CreditNote"):
			if group.Has(field) {
				f.Errorf("%s is present", path)
			}
		case !group.Has(field):
			f.Errorf("%s (%s) is absent", path, field.BT)
		case field.Kind.IsLeaf():
			f.leaf(path, group, field)
		case path == "lines.subLines":
			f.element(path, group.List(field).At(0).Ref())
		case field.Kind == model.KindList:
			f.element(path, group.List(field).At(0).Ref())
			f.group(path+".", group.List(field).At(0))
		default:
			f.element(path, group.Group(field).Ref())
			f.group(path+".", group.Group(field))
		}
	}
}

// element checks that a group was read from an element that the table binds it to.
func (f *fullTest) element(path string, ref source.Ref) {
	if ref == 0 {
		f.Errorf("group %s has no element", path)
		return
	}
	tree := f.doc.Source
	name := tree.NameOf(tree.Name(ref.Element())).String()
	if names := f.elements[path]; names != nil && !strings.Contains(strings.Join(names, " "), name) {
		f.Errorf("group %s is at %s, want one of %s", path, name, names)
	}
}

func (f *fullTest) leaf(path string, group model.Object, field *model.Field) {
	want, written := f.expected(field)
	if got := group.Raw(field); got != want {
		f.Errorf("%s (%s) = %q, want %q", path, field.BT, got, want)
	}
	got, expected := f.doc.Source.Position(group.RefOf(field)), f.position(written)
	if got != expected {
		f.Errorf("%s (%s) is at %v, want %v", path, field.BT, got, expected)
	}
	switch field.Kind {
	case model.KindNumber, model.KindAmount:
		if n := group.Number(field); !n.Valid || n.Value.String() != want {
			f.Errorf("%s (%s) has the value %s, want %s", path, field.BT, n.Value, want)
		}
	case model.KindDate:
		if d := group.Date(field); d.ISO() != fmt.Sprintf("%04d-01-01", 2000+number(field)) {
			f.Errorf("%s (%s) is the day %s", path, field.BT, d.ISO())
		}
	}
	if field.Kind == model.KindAmount {
		f.currency(path, group.Amount(field), field)
	}
}

// expected is what a term must be read as, and how it is written.
func (f *fullTest) expected(field *model.Field) (want, written string) {
	switch field.BT {
	case "BT-8":
		return "35", map[model.Syntax]string{model.UBL: "35", model.CII: "29"}[f.doc.Syntax]
	case "BT-21":
		if f.doc.Syntax == model.UBL {
			return "021", "#021#BT-22"
		}
	case "BT-22":
		if f.doc.Syntax == model.UBL {
			return "BT-22", "#021#BT-22"
		}
	}
	switch field.Kind {
	case model.KindBinary:
		want = "QlQtMTI1"
	case model.KindNumber:
		want = strconv.Itoa(number(field))
	case model.KindAmount:
		want = strconv.Itoa(number(field)) + ".00"
	case model.KindDate:
		want = fmt.Sprintf("%d-01-01", 2000+number(field))
		if f.doc.Syntax == model.CII {
			want = strings.ReplaceAll(want, "-", "")
		}
	default:
		want = field.BT
	}
	return want, want
}

func (f *fullTest) currency(path string, a *model.Amount, field *model.Field) {
	want := "BT-5"
	if field.BT == "BT-111" {
		want = "BT-6"
	}
	if f.doc.Syntax == model.CII && field.BT != "BT-110" && field.BT != "BT-111" {
		want = ""
	}
	if a.Currency.Raw != want || a.Currency.Present != (want != "") || (a.Currency.Ref < 0) != (want != "") {
		f.Errorf("%s (%s) has the currency %+v, want %q", path, field.BT, a.Currency, want)
	}
}

// number is the number in a term's code, increased by 9000 for terms of an extension.
func number(field *model.Field) int {
	digits := strings.TrimPrefix(field.BT, "BT-")
	if extension, ok := strings.CutPrefix(digits, "DEX-"); ok {
		n, _ := strconv.Atoi(extension)
		return 9000 + n
	}
	n, _ := strconv.Atoi(digits)
	return n
}

// position is that of the element with a text, or of the attribute with a value.
func (f *fullTest) position(written string) source.Position {
	if n := strings.Count(f.data, ">"+written+"<"); n == 1 {
		i := strings.Index(f.data, ">"+written+"<")
		return source.PositionIn(f.data, strings.LastIndexByte(f.data[:i], '<'))
	}
	if n := strings.Count(f.data, `="`+written+`"`); n != 1 {
		f.Errorf("the sample holds %q %d times", written, n)
		return source.Position{}
	}
	i := strings.Index(f.data, `="`+written+`"`)
	return source.PositionIn(f.data, strings.LastIndexByte(f.data[:i], ' ')+1)
}

func elementNames(syntax model.Syntax) map[string][]string {
	names := map[string][]string{}
	for _, f := range formats.All {
		if f.Syntax != syntax {
			continue
		}
		for _, term := range f.Terms() {
			for _, xml := range term.XML {
				xml = binding.WithoutPredicates(xml)
				names[term.Path] = append(names[term.Path], xml[strings.LastIndexByte(xml, '/')+1:])
			}
		}
	}
	return names
}

// The content of a sample that is not a term must not be read as one.
func TestFixedContentIsNoTerm(t *testing.T) {
	for _, file := range fullSamples {
		doc := readDocument(t, file)
		for _, fixed := range []string{"VAT", "SEPA", "916", "NA", "Project reference"} {
			if strings.Contains(doc.Source.Data, ">"+fixed+"<") && strings.Contains(asJSON(t, doc.Invoice), `"`+fixed+`"`) {
				t.Errorf("%s: the fixed content %s is read as a term", file, fixed)
			}
		}
	}
}
