package syntax_test

import (
	"strings"
	"testing"

	"einvoice/model/syntax"
)

// Every syntax is complete, and no prefix, namespace or root is in the list twice.
func TestList(t *testing.T) {
	prefixes, uris, roots := map[string]string{}, map[string]string{}, map[string]string{}
	once := func(of map[string]string, what, key, id string) {
		if other, ok := of[key]; ok {
			t.Errorf("%s %s is of both %s and %s", what, key, other, id)
		}
		of[key] = id
	}
	for _, s := range append(syntax.Current(), syntax.Legacy()...) {
		if s.ID == "" || s.Label == "" || s.Name == "" || len(s.Roots) == 0 || s.Roots[0].CreditNote {
			t.Errorf("%+v is not complete", s)
		}
		for prefix, uri := range s.Namespaces {
			once(prefixes, "prefix", prefix, s.ID)
			once(uris, "namespace", uri, s.ID)
		}
		for _, r := range s.Roots {
			once(roots, "root", r.Element, s.ID)
			if prefix, _, _ := strings.Cut(r.Element, ":"); s.Namespaces[prefix] == "" {
				t.Errorf("%s: the prefix of %s is not bound", s.ID, r.Element)
			}
			if (r.Schema == "") != s.Legacy {
				t.Errorf("%s: %s has the schema %q", s.ID, r.Element, r.Schema)
			}
		}
	}
	if len(syntax.Current()) != 2 || len(syntax.Legacy()) != 1 {
		t.Errorf("%d current, %d legacy", len(syntax.Current()), len(syntax.Legacy()))
	}
}

func TestRoot(t *testing.T) {
	for id, want := range map[string][2]string{
		"ubl": {"ubl:Invoice", "cn:CreditNote"}, "cii": {"rsm:CrossIndustryInvoice", "rsm:CrossIndustryInvoice"},
	} {
		s := syntax.Named(id)
		if got := [2]string{s.Root(false), s.Root(true)}; got != want {
			t.Errorf("%s: %q", id, got)
		}
		if of, root := syntax.OfRoot(want[1]); of != s || root.Element != want[1] {
			t.Errorf("%s is of %v", want[1], of)
		}
	}
}
