package formats_test

import (
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/model/sampled"
	"einvoice/model/source"
)

// Every element and attribute with a value is a term of the invoice, or is
// reported, or is derived. A derived value must occur again: in the document that
// is written from the invoice, at the same path, or as the value of a term, which
// it then repeats.
func TestUsageIsComplete(t *testing.T) {
	var bound, derived, reported, documents int
	eachDocument(t, func(file string, doc *model.Document) {
		if documents++; !sampled.Takes(documents, 3) {
			return
		}
		u := usageTest{T: t, file: file, tree: doc.Source}
		u.read(doc)
		bound, derived, reported = bound+u.bound, derived+u.derived, reported+u.reported
	})
	t.Logf("%d values bound, %d derived, %d reported", bound, derived, reported)
	if bound < sampled.Of(280_000, 4) || derived < sampled.Of(27_000, 4) || reported < sampled.Of(1_900, 4) {
		t.Error("these are too few to be all values of the suites")
	}
}

// moved replaces paths that are read in one place and written in another.
var moved = strings.NewReplacer("/cac:PayeeParty/cac:PartyIdentification/", "/cac:AccountingSupplierParty/cac:Party/cac:PartyIdentification/")

type usageTest struct {
	*testing.T
	file                     string
	tree                     *source.Tree
	bound, derived, reported int
	terms                    map[source.Ref]bool // where terms were read
	values                   map[string]bool     // of terms
	written                  map[string]bool     // path and value, in the document that was written
	losses                   map[source.Ref]bool
}

func (u *usageTest) read(doc *model.Document) {
	format, err := formats.For(doc.Syntax)
	if err != nil {
		u.Fatal(err)
	}
	invoice, usage, err := format.ReadWithUsage(u.Context(), u.tree)
	if err != nil {
		u.Fatal(err)
	}
	u.terms, u.values = map[source.Ref]bool{}, map[string]bool{}
	eachTerm("", model.ObjectOf(invoice), func(_ string, group model.Object, f *model.Field) {
		u.terms[group.RefOf(f)], u.values[strings.TrimSpace(group.Raw(f))] = true, true
		if f.Kind == model.KindAmount && group.Amount(f).Currency.Present {
			u.terms[group.Amount(f).Currency.Ref] = true
		}
	})
	u.losses = map[source.Ref]bool{}
	for _, l := range usage.Losses {
		u.losses[l.Ref] = true
	}
	written, err := format.Write(u.Context(), invoice, rootOf(doc), false)
	if err != nil {
		u.Fatal(err)
	}
	made, err := formats.Read(written.Data, formats.Options{})
	if err != nil {
		u.Fatal(err)
	}
	u.written = map[string]bool{}
	eachValue(made.Source, func(_ source.Ref, path, value string) { u.written[path+" "+value] = true })
	eachValue(u.tree, func(ref source.Ref, path, value string) { u.value(usage.Of(ref), ref, path, value) })
}

func (u *usageTest) value(use binding.Use, ref source.Ref, path, value string) {
	switch {
	case u.terms[ref] != (use == binding.Bound), u.losses[ref] != (use == binding.Unused):
		u.Errorf("%s: %s is term %v, reported %v, but its use is %d", u.file, u.tree.Path(ref), u.terms[ref], u.losses[ref], use)
	case use == binding.Bound:
		u.bound++
	case use == binding.Unused:
		u.reported++
	case use == binding.Derived && (u.written[moved.Replace(path)+" "+value] || u.values[value] || strings.Contains(path, "@xsi:")):
		u.derived++
	default:
		u.Errorf("%s: %s = %q went missing, its use is %d", u.file, u.tree.Path(ref), value, use)
	}
}

// eachValue calls f for every element and attribute with a value.
func eachValue(tree *source.Tree, f func(ref source.Ref, path, value string)) {
	paths := make([]string, len(tree.Elements))
	for n := tree.Root(); int(n) < len(tree.Elements); n++ {
		paths[n] = paths[tree.Parent(n)] + "/" + tree.NameOf(tree.Name(n)).String()
		if text := strings.TrimSpace(tree.Text(n)); text != "" {
			f(n.Ref(), paths[n], normal(text))
		}
		e := &tree.Elements[n]
		for at := e.FirstAttr; at < e.FirstAttr+source.Attr(e.Attrs); at++ {
			attribute := &tree.Attributes[at]
			f(at.Ref(), paths[n]+"/@"+tree.NameOf(attribute.Name).String(), normal(attribute.Value))
		}
	}
}

// normal gives one form to equal values that are written differently: booleans, and
// the code VAT in any case.
func normal(value string) string {
	switch value = strings.TrimSpace(value); {
	case value == "1":
		return "true"
	case value == "0":
		return "false"
	case strings.EqualFold(value, "VAT"):
		return "VAT"
	}
	return value
}
