package language

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"einvoice/model"
	"einvoice/model/tongue"
)

// Every language has all entries that English has.
func TestLanguagesAreComplete(t *testing.T) {
	if !slices.Contains(tongue.Tags(), "de") || !slices.Contains(tongue.Tags(), "fr") {
		t.Fatalf("the languages are %v", tongue.Tags())
	}
	english := Load(tongue.Default)
	for _, name := range tongue.Tags() {
		l := Load(name)
		if l.Tag != name || l.Name == "" || l.Date == "" || l.Decimal == "" || l.Grouped == 0 || !strings.Contains(l.Percent, "#") {
			t.Errorf("%s lacks something of its format: %+v", name, l)
		}
		same(t, name+", words", l.Words, english.Words)
		same(t, name+", labels", l.Labels, english.Labels)
		same(t, name+", credit", l.Credit, english.Credit)
		for key := range l.Credit {
			if l.Words[key] == "" && l.Labels[key] == "" {
				t.Errorf("%s: %s, of credit notes, is neither a word nor a label", name, key)
			}
		}
		sameKeys(t, name+", codes", l.Codes, english.Codes)
		for list := range english.Codes {
			same(t, name+", "+list, l.Codes[list], english.Codes[list])
		}
		for word, text := range english.Words {
			for _, placeholder := range []string{"#", " (#)", "{pages}", "{name}", "{iban}", "{payer}", "{payee}", "{amount}", "{period}", "{from}", "{days}", "{percent}", "{base}", "[", "]"} {
				if strings.Contains(text, placeholder) != strings.Contains(l.Words[word], placeholder) {
					t.Errorf("%s: %s does not have the same placeholders as in English", name, word)
				}
			}
		}
	}
}

func same(t *testing.T, where string, got, want map[string]string) {
	t.Helper()
	sameKeys(t, where, got, want)
	for key, text := range got {
		if strings.TrimSpace(text) == "" {
			t.Errorf("%s: %s is empty", where, key)
		}
	}
}

func sameKeys[T any](t *testing.T, where string, got, want map[string]T) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if _, ok := got[key]; !ok {
			t.Errorf("%s: %s is missing", where, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[key]; !ok {
			t.Errorf("%s: %s is not in English", where, key)
		}
	}
}

// Every term and group has a label, and every label and list of codes is used by a term.
func TestEveryTermHasALabel(t *testing.T) {
	l := Load(tongue.Default)
	used := map[string]bool{}
	var walk func(*model.Type, string)
	walk = func(in *model.Type, prefix string) {
		for i := range in.Fields {
			f := &in.Fields[i]
			path := prefix + f.Name
			if l.Label(f) == "" {
				t.Errorf("%s has no label", path)
			}
			for rest, more := path, true; more; _, rest, more = strings.Cut(rest, ".") {
				if l.Labels[rest] != "" {
					used[rest] = true
					break
				}
			}
			for rest, more := path, true; more; _, rest, more = strings.Cut(rest, ".") {
				if l.Codes[rest] != nil {
					used["codes "+rest] = true
					break
				}
			}
			if f.Elem != nil && f.Elem != in {
				walk(f.Elem, path+".")
			}
		}
	}
	walk(model.InvoiceType(), "")
	for key := range l.Labels {
		if !used[key] {
			t.Errorf("the label %s is of no term", key)
		}
	}
	for key := range l.Codes {
		if !used["codes "+key] {
			t.Errorf("the codes %s are of no term", key)
		}
	}
}
