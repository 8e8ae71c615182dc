package strictyaml_test

import (
	"io/fs"
	"reflect"
	"strconv"
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
		stored, ok := strictyaml.Store(&doc, nil)
		if !ok {
			t.Errorf("%s is not stored", name)
			return nil
		}
		got, err := strictyaml.Stored(string(stored))
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
	stored, _ := strictyaml.Store(&doc, nil)
	for cut := range stored {
		if _, err := strictyaml.Stored(string(stored[:cut])); err == nil {
			t.Errorf("%d of %d bytes are read", cut, len(stored))
		}
	}
	if _, err := strictyaml.Stored(string(stored) + "\x00"); err == nil {
		t.Error("what follows is not noticed")
	}
}

func TestAnchorsAreNotStored(t *testing.T) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte("a: &x 1\nb: *x\n"), &doc); err != nil {
		t.Fatal(err)
	}
	if _, ok := strictyaml.Store(&doc, nil); ok {
		t.Error("a document with an anchor is stored")
	}
}

// FuzzStored reads damaged nodes without a panic.
func FuzzStored(f *testing.F) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte("a: [b, c]\nd: {e: f}\n"), &doc); err != nil {
		f.Fatal(err)
	}
	stored, _ := strictyaml.Store(&doc, nil)
	f.Add(stored)
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := strictyaml.Stored(string(data))
		if (n == nil) != (err != nil) {
			t.Errorf("%v, %v", n, err)
		}
	})
}

// Values under a key may be put off; a file cannot pretend that one of its own was.
func TestValuesThatAreReadLater(t *testing.T) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte("a: 1\nlater:\n  - {b: 2}\n  - three\n"), &doc); err != nil {
		t.Fatal(err)
	}
	stored, ok := strictyaml.Store(&doc, func(key string) bool { return key == "later" })
	if !ok {
		t.Fatal("the document is not stored")
	}
	got, err := strictyaml.Stored(string(stored))
	if err != nil {
		t.Fatal(err)
	}
	read, later := strictyaml.Later(got.Content[0].Content[3])
	if !later {
		t.Fatal("the value was read at once")
	}
	list, err := read()
	if err != nil || list.Line != 3 || len(list.Content) != 2 || list.Content[1].Value != "three" {
		t.Errorf("the value comes back as %+v, %v", list, err)
	}
	if _, later := strictyaml.Later(got.Content[0].Content[1]); later {
		t.Error("another value was put off as well")
	}
	text := got.Content[0].Content[3].Value
	if err := yaml.Unmarshal([]byte("!later "+strconv.Quote(text)), &doc); err != nil {
		t.Fatal(err)
	}
	if _, later := strictyaml.Later(doc.Content[0]); later {
		t.Error("a tag in a file makes its value one that was put off")
	}
}
