package main

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
)

// moduleWith is a module with a section before its memory and one behind it.
func moduleWith(memory []byte) []byte {
	out := append([]byte("\x00asm\x01\x00\x00\x00"), 1, 1, 0)
	out = append(out, memorySection)
	out = binary.AppendUvarint(out, uint64(len(memory)))
	return append(append(out, memory...), 7, 1, 0)
}

// The memory of a module ends where it should, and what is not a module is refused.
func TestBounded(t *testing.T) {
	for _, given := range [][]byte{{1, 0, 3}, {1, 0, 0x83, 0x80, 0}} {
		got, err := bounded(moduleWith(given), 300)
		if want := moduleWith([]byte{1, 1, 3, 0xac, 2}); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%x: got %x, %v, want %x", given, got, err, want)
		}
	}
	for _, wrong := range [][]byte{{1, 1, 3, 4}, {2, 0, 3, 0, 3}, {1, 0, 0xff, 0x7f}, {}} {
		if _, err := bounded(moduleWith(wrong), 300); err == nil {
			t.Errorf("the memory %x is taken", wrong)
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	whole := moduleWith([]byte{1, 0, 3})
	for range 10000 {
		cut := bytes.Clone(whole[:random.IntN(len(whole)+1)])
		if len(cut) > 0 {
			cut[random.IntN(len(cut))] = byte(random.IntN(256))
		}
		_, _ = bounded(cut, 300) // which does not panic
	}
}

// Every type that a call takes or gives is written in every language, with all members.
func TestTypes(t *testing.T) {
	all, err := records()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]record{}
	for _, r := range all {
		names[r.name] = r
	}
	for name, members := range map[string][]string{
		"ValidationResult":     {"valid", "findings", "report"},
		"Finding":              {"rule", "level", "line", "fields"},
		"CreateInvoiceRequest": {"invoice", "options"},
		"Invoice":              {"number", "lines", "seller"},
		"Problem":              {"errorCode", "detail", "mistakes", "findings", "losses"},
	} {
		for _, m := range members {
			found := false
			for _, has := range names[name].members {
				found = found || has.name == m
			}
			if !found {
				t.Errorf("%s has no %s", name, m)
			}
		}
	}
	javaFiles := java(all)
	written := map[string]string{"TypeScript": typeScript(all, ""), "Python": python(all), "C#": csharp(all), "PHP": php(all)}
	for _, r := range all {
		for language, text := range written {
			for _, m := range r.members {
				if !strings.Contains(text, m.name) && !strings.Contains(text, strings.ToUpper(m.name[:1])+m.name[1:]) {
					t.Errorf("%s has no %s.%s", language, r.name, m.name)
				}
			}
		}
		if javaFiles[r.name+".java"] == "" {
			t.Errorf("Java has no %s", r.name)
		}
	}
	for _, m := range names["Problem"].members {
		for _, http := range ofHTTP {
			if m.name == http {
				t.Errorf("a problem has %s, which is HTTP's", http)
			}
		}
	}
}
