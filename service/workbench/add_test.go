package workbench_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/model/sampled"
	"einvoice/service/workbench"
)

// Every term of the samples that can be taken out alone is put back with its value by the edit that
// add gives, or add says that it has no place, as the attributes do not: whatever the term and the
// syntax, the document then reads as it did.
func TestEachTermIsAdded(t *testing.T) {
	d := open(t)
	for _, file := range []string{"ubl-valid.xml", "cii-valid.xml"} {
		text := sampleText(t, file)
		whole := call[workbench.View](t, d, "view", map[string]any{"text": text})
		tried, added, refused := 0, 0, []string{}
		for i, f := range whole.Fields {
			if !sampled.Takes(i, 4) || f.Span == nil || f.Edit == nil {
				continue
			}
			without := apply(text, []workbench.Edit{{Span: *f.Span}})
			left := call[workbench.View](t, d, "view", map[string]any{"text": without})
			if left.Problem != nil || len(left.Fields) != len(whole.Fields)-1 || hasPath(left, f.Path) {
				continue // other terms went with it, or took its place
			}
			tried++
			asked := call[workbench.Adding](t, d, "add", map[string]any{"text": without, "path": f.Path})
			if !asked.Possible {
				refused = append(refused, f.Path)
				continue
			}
			got := call[workbench.Adding](t, d, "add", map[string]any{"text": without, "path": f.Path, "value": f.Value})
			again := call[workbench.View](t, d, "view", map[string]any{"text": apply(without, got.Edits)})
			if asked.BT != f.BT || len(asked.Edits) != 0 || !sameTerms(again, whole) {
				t.Errorf("%s: %s %s becomes %v", file, f.Path, f.Value, got.Edits)
			}
			added++
		}
		t.Logf("%s: %d of %d terms added; without a place: %s", file, added, tried, strings.Join(refused, " "))
		if added < sampled.Of(20, 4) || len(refused)*4 > tried {
			t.Errorf("%s: %d of %d terms added; without a place: %v", file, added, tried, refused)
		}
	}
	for _, path := range []string{"", "number", "lines[99].note", "lines.note", "buyer", "no.such.term", "lines[x].note", "lines[0]"} {
		if got := call[workbench.Adding](t, d, "add", map[string]any{"text": sampleText(t, "ubl-valid.xml"), "path": path, "value": "x"}); got.Possible {
			t.Errorf("%q is added: %+v", path, got)
		}
	}
}

func hasPath(v *workbench.View, path string) bool {
	for _, f := range v.Fields {
		if f.Path == path {
			return true
		}
	}
	return false
}

func sameTerms(a, b *workbench.View) bool {
	values := map[string]string{}
	for _, f := range a.Fields {
		values[f.Path] = f.Value
	}
	for _, f := range b.Fields {
		if v, ok := values[f.Path]; !ok || v != f.Value {
			return false
		}
	}
	return len(a.Fields) == len(b.Fields)
}

func sampleText(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "cmd", "einvoice", "samples", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
