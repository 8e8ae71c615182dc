package formats_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/model"
)

const suites = "../../shared/suites"

// older is how the names of suite documents begin that are not invoices of EN
// 16931, but of ZUGFeRD 1.0.
const older = "ZUGFeRDv1--"

// eachFile calls f for every XML file of every suite. It skips the test if the
// suites are not there.
func eachFile(t *testing.T, f func(path string, data []byte)) {
	t.Helper()
	if _, err := os.Stat(suites); err != nil {
		t.Skip("no suites to read: " + err.Error())
	}
	err := filepath.WalkDir(suites, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".xml" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f(path, data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// eachDocument calls f for every invoice of every suite.
func eachDocument(t *testing.T, f func(file string, doc *model.Document)) {
	t.Helper()
	eachFile(t, func(path string, data []byte) {
		file := filepath.Base(path)
		if strings.HasPrefix(file, older) {
			return
		}
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		f(file, doc)
	})
}

func readDocument(t *testing.T, file string) *model.Document {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := formats.Read(data, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func asJSON(t *testing.T, invoice *model.Invoice) string {
	t.Helper()
	b, err := json.Marshal(invoice)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// eachTerm calls f for every term in a group, with its path.
func eachTerm(prefix string, group model.Object, f func(path string, group model.Object, field *model.Field)) {
	for i := range group.Type.Fields {
		field := &group.Type.Fields[i]
		switch {
		case !group.Has(field):
		case field.Kind == model.KindGroup:
			eachTerm(prefix+field.Name+".", group.Group(field), f)
		case field.Kind == model.KindList:
			for i := range group.List(field).Len() {
				eachTerm(prefix+field.Name+"["+strconv.Itoa(i)+"].", group.List(field).At(i), f)
			}
		default:
			f(prefix+field.Name, group, field)
		}
	}
}

// comparableTerms are the values of an invoice's terms by path, without white space
// around them and without zeros at the end of numbers.
func comparableTerms(invoice *model.Invoice) map[string]string {
	terms := map[string]string{}
	eachTerm("", model.ObjectOf(invoice), func(path string, group model.Object, f *model.Field) {
		switch f.Kind {
		case model.KindNumber, model.KindAmount:
			number := group.Number(f).Value.String()
			if strings.Contains(number, ".") {
				number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
			}
			terms[path] = number
		case model.KindDate:
			terms[path] = group.Date(f).ISO()
		default:
			terms[path] = strings.TrimSpace(group.Raw(f))
		}
	})
	return terms
}

// exactTerms are the values of an invoice's terms by path, with all their digits and
// white space. Texts begin with "=", so that an empty one differs from an absent one.
func exactTerms(invoice *model.Invoice) map[string]string {
	terms := map[string]string{}
	eachTerm("", model.ObjectOf(invoice), func(path string, group model.Object, f *model.Field) {
		switch f.Kind {
		case model.KindNumber, model.KindAmount:
			terms[path] = group.Number(f).Value.String()
		case model.KindDate:
			terms[path] = group.Date(f).ISO()
		default:
			terms[path] = "=" + group.Raw(f)
		}
	})
	return terms
}

// differences are the paths, without the indices of list entries, whose values
// differ.
func differences(a, b map[string]string) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	found := map[string]bool{}
	for path := range all {
		x, inA := a[path]
		y, inB := b[path]
		if inA != inB || x != y {
			found[withoutIndices(path)] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func withoutIndices(path string) string {
	for {
		open := strings.IndexByte(path, '[')
		if open < 0 {
			return path
		}
		path = path[:open] + path[open+strings.IndexByte(path[open:], ']')+1:]
	}
}
