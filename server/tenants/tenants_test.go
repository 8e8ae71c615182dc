package tenants_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/server/tenants"
)

func TestParse(t *testing.T) {
	all, err := tenants.Parse([]byte("tenants:\n  zulu: {keys: [k3], watch: {in: [in], out: out}}\n  acme: {keys: [k1, k2], overlays: [acme], sources: [a], jobs: 2, keepDays: 30}\n"))
	if err != nil || len(all) != 2 || all[0].Name != "acme" || len(all[0].Keys) != 2 || all[1].Watch.Out != "out" {
		t.Fatalf("%+v, %v", all, err)
	}
	for text, want := range map[string]string{
		"tenants: {a: {keys: [k]}, b: {keys: [k]}}":                               "belongs to one",
		"tenants: {A: {}}":                                                        "not a name",
		"tenants: {a: {watch: {in: [x]}}}":                                        "in and out",
		"tenants: {a: {watch: {in: [x], out: o}}, b: {watch: {in: [y], out: o}}}": "one target",
		"tenants: {a: {kys: []}}":                                                 "kys",
	} {
		if _, err := tenants.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A file that became faulty leaves the tenants as they are.
func TestBook(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenants.yaml")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("tenants: {acme: {keys: [k1]}}")
	b := tenants.NewBook(path)
	if _, err := b.Refresh(true); err != nil || b.Of("k1") == nil || b.Of("k2") != nil || b.Of(b.Of("k1").Owner()) != b.Of("k1") {
		t.Fatalf("%v", err)
	}
	write("tenants: {acme: {keys: [k1")
	for _, told := range []bool{true, false} {
		if isNew, err := b.Refresh(false); err == nil || isNew != told || b.Of("k1") == nil {
			t.Errorf("the tenants went, or the error is told again: %v, %v", isNew, err)
		}
	}
}

// What a tenant names and the server does not have is told with its tenant, once.
func TestUnknown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenants.yaml")
	if err := os.WriteFile(path, []byte("tenants:\n  b: {sources: [gone]}\n  a: {keys: [k1, k2], sources: [here, gone]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := tenants.NewBook(path)
	if _, err := b.Refresh(true); err != nil {
		t.Fatal(err)
	}
	if got := b.UnknownSources([]string{"here"}); !slices.Equal(got, []string{"gone of tenant a", "gone of tenant b"}) {
		t.Errorf("sources: %q", got)
	}
	if got := b.UnknownKeys([]string{"k2"}); !slices.Equal(got, []string{"k1 of tenant a"}) {
		t.Errorf("keys: %q", got)
	}
}

// An overlay that is not there is found for every tenant with keys, and for no other.
func TestMissingOverlays(t *testing.T) {
	for _, test := range []struct {
		file    string
		missing string
	}{
		{"tenants: {}", ""},
		{"tenants:\n  a: {keys: [k1], overlays: [own]}", ""},
		{"tenants:\n  a: {keys: [k1]}\n  b: {overlays: [gone]}", ""},
		{"tenants:\n  a: {keys: [k1], overlays: [own, gone]}", `tenant a: there is no overlay "gone"`},
		{"tenants:\n  a: {keys: [k1], overlays: [own]}\n  b: {keys: [k2], overlays: [gone]}", `tenant b: there is no overlay "gone"`},
	} {
		path := filepath.Join(t.TempDir(), "tenants.yaml")
		if err := os.WriteFile(path, []byte(test.file), 0o600); err != nil {
			t.Fatal(err)
		}
		b := tenants.NewBook(path)
		if _, err := b.Refresh(true); err != nil {
			t.Fatal(err)
		}
		err := b.Missing([]string{"own"})
		if test.missing == "" && err != nil || test.missing != "" && (err == nil || !strings.Contains(err.Error(), test.missing)) {
			t.Errorf("%s: %v", test.file, err)
		}
	}
}
