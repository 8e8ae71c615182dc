package strictyaml_test

import (
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"einvoice/model/strictyaml"
	"einvoice/rulesets"

	"gopkg.in/yaml.v3"
)

// Every file of the project comes back with all that is read of it.
func TestStoredNodesAreTheSame(t *testing.T) {
	files := 0
	err := fs.WalkDir(rulesets.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".yaml") {
			return err
		}
		data, err := fs.ReadFile(rulesets.FS, name)
		if err != nil {
			return err
		}
		var doc yaml.Node
		if err := yaml.Unmarshal(data, &doc); err != nil {
			return err
		}
		stored, ok := strictyaml.Store(&doc)
		if !ok {
			t.Errorf("%s is not stored", name)
			return nil
		}
		got, err := strictyaml.Stored(stored)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return nil
		}
		if forget(&doc); !reflect.DeepEqual(got, &doc) {
			t.Errorf("%s comes back otherwise", name)
		}
		files++
		return nil
	})
	if err != nil || files < 50 {
		t.Errorf("%d files, %v", files, err)
	}
}

// forget drops comments, and makes no difference between nothing inside and an empty list.
func forget(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	if n.Content == nil {
		n.Content = []*yaml.Node{}
	}
	for _, inside := range n.Content {
		forget(inside)
	}
}

func TestDamagedNodesAreAnError(t *testing.T) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte("a: [b, c]\nd: {e: f}\n"), &doc); err != nil {
		t.Fatal(err)
	}
	stored, _ := strictyaml.Store(&doc)
	for cut := range stored {
		if _, err := strictyaml.Stored(stored[:cut]); err == nil {
			t.Errorf("%d of %d bytes are read", cut, len(stored))
		}
	}
	if _, err := strictyaml.Stored(append(stored, 0)); err == nil {
		t.Error("what follows is not noticed")
	}
}

func TestAnchorsAreNotStored(t *testing.T) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte("a: &x 1\nb: *x\n"), &doc); err != nil {
		t.Fatal(err)
	}
	if _, ok := strictyaml.Store(&doc); ok {
		t.Error("a document with an anchor is stored")
	}
}

// FuzzStored reads damaged nodes without a panic.
func FuzzStored(f *testing.F) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte("a: [b, c]\nd: {e: f}\n"), &doc); err != nil {
		f.Fatal(err)
	}
	stored, _ := strictyaml.Store(&doc)
	f.Add(stored)
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := strictyaml.Stored(data)
		if (n == nil) != (err != nil) {
			t.Errorf("%v, %v", n, err)
		}
	})
}
