package formats_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/model/source"
)

// Nothing of any document goes missing: every element and attribute that holds a
// value is where a term of the invoice says it was read, or is reported, or is
// derived. What is derived must be found again: in the document written anew, at
// the same place, or as the value of a term, which it then repeats.
func TestEverythingIsAccountedFor(t *testing.T) {
	if _, err := os.Stat(suites); err != nil {
		t.Skip("no suites to read: " + err.Error())
	}
	var carried, derived, reported int
	err := filepath.WalkDir(suites, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".xml" || strings.HasPrefix(d.Name(), older) {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			return err
		}
		a := accountTest{T: t, file: d.Name(), tree: doc.Source}
		a.read(doc)
		carried, derived, reported = carried+a.carried, derived+a.derived, reported+a.reported
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d values carried, %d derived, %d reported", carried, derived, reported)
	if carried < 280_000 || derived < 27_000 || reported < 2_500 {
		t.Error("these are too few to be all of them")
	}
}

// moved is where a writer puts what may stand in several places.
var moved = strings.NewReplacer("/cac:PayeeParty/cac:PartyIdentification/", "/cac:AccountingSupplierParty/cac:Party/cac:PartyIdentification/")

type accountTest struct {
	*testing.T
	file                       string
	tree                       *source.Tree
	carried, derived, reported int
	terms                      map[source.Ref]bool // places of terms
	values                     map[string]bool     // of terms
	written                    map[string]bool     // path and value, in the document written anew
	losses                     map[source.Ref]bool
}

func (a *accountTest) read(doc *model.Document) {
	format, err := formats.For(doc.Syntax)
	if err != nil {
		a.Fatal(err)
	}
	invoice, account, err := format.ReadAll(a.tree)
	if err != nil {
		a.Fatal(err)
	}
	a.terms, a.values = map[source.Ref]bool{}, map[string]bool{}
	a.collect(model.ObjectOf(invoice))
	a.losses = map[source.Ref]bool{}
	for _, l := range account.Losses {
		a.losses[l.Ref] = true
	}
	written, err := format.Write(invoice, rootOf(doc))
	if err != nil {
		a.Fatal(err)
	}
	made, err := formats.Read(written.Data, formats.Options{})
	if err != nil {
		a.Fatal(err)
	}
	a.written = map[string]bool{}
	each(made.Source, func(ref source.Ref, path, value string) { a.written[path+" "+value] = true })
	each(a.tree, func(ref source.Ref, path, value string) { a.value(account, ref, path, value) })
}

func (a *accountTest) value(account *binding.Account, ref source.Ref, path, value string) {
	fate := account.Elements[max(0, int(ref))]
	if ref < 0 {
		fate = account.Attributes[-1-ref]
	}
	switch {
	case a.terms[ref] != (fate == binding.Carried), a.losses[ref] != (fate == binding.Unread):
		a.Errorf("%s: %s is term %v, reported %v, but its fate is %d", a.file, a.tree.Path(ref), a.terms[ref], a.losses[ref], fate)
	case fate == binding.Carried:
		a.carried++
	case fate == binding.Unread:
		a.reported++
	case fate == binding.Derived && (a.written[moved.Replace(path)+" "+value] || a.values[value] || strings.Contains(path, "@xsi:")):
		a.derived++
	default:
		a.Errorf("%s: %s = %q went missing, its fate is %d", a.file, a.tree.Path(ref), value, fate)
	}
}

// collect notes the places and values of all terms.
func (a *accountTest) collect(o model.Object) {
	for i := range o.Type.Fields {
		switch f := &o.Type.Fields[i]; f.Kind {
		case model.KindGroup:
			if g := o.Group(f); g.Present() {
				a.collect(g)
			}
		case model.KindList:
			for i := range o.List(f).Len() {
				a.collect(o.List(f).At(i))
			}
		default:
			if o.Has(f) {
				a.terms[o.RefOf(f)], a.values[strings.TrimSpace(o.Raw(f))] = true, true
			}
			if f.Kind == model.KindAmount && o.Amount(f).Currency.Present {
				a.terms[o.Amount(f).Currency.Ref] = true
			}
		}
	}
}

// each calls f for every element and attribute with a value.
func each(tree *source.Tree, f func(ref source.Ref, path, value string)) {
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

// normal writes the forms of one value alike: booleans, and codes in any case.
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
