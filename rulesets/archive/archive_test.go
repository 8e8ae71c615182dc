package archive_test

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/rulesets/archive"
)

var files = fstest.MapFS{
	"a.yaml":         {Data: []byte("a: 1\n")},
	"a/1/one.yaml":   {Data: []byte(strings.Repeat("one\n", 100))},
	"a/1/two.yaml":   {Data: []byte("two")},
	"a/1.1/one.yaml": {Data: []byte("other")},
	"a-b/1/x.yaml":   {Data: nil},
	"compiled/n.bin": {Data: []byte(strings.Repeat("nodes", 100))},
}

func written(t *testing.T) *archive.FS {
	t.Helper()
	text, err := archive.Write(files, slices.Collect(maps.Keys(files)), func(name string) bool { return strings.HasSuffix(name, ".bin") })
	if err != nil {
		t.Fatal(err)
	}
	f, err := archive.Open(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestArchiveIsAFolder(t *testing.T) {
	f := written(t)
	names := []string{}
	for name := range files {
		names = append(names, name)
	}
	if err := fstest.TestFS(f, names...); err != nil {
		t.Error(err)
	}
	for name, file := range files {
		if data, err := f.ReadFile(name); err != nil || string(data) != string(file.Data) {
			t.Errorf("%s is %q, %v", name, data, err)
		}
	}
}

// What is not compressed is read without a copy, and digests are those of the files.
func TestTextsAndDigests(t *testing.T) {
	f := written(t)
	if text, ok := f.Text("compiled/n.bin"); !ok || text != string(files["compiled/n.bin"].Data) {
		t.Errorf("%q, %v", text, ok)
	}
	for _, name := range []string{"a/1/one.yaml", "a/1", "none"} {
		if text, ok := f.Text(name); ok {
			t.Errorf("%s is %q", name, text)
		}
	}
	sum := sha256.Sum256(files["a/1/one.yaml"].Data)
	if digest, ok := f.Digest("a/1/one.yaml"); !ok || digest != hex.EncodeToString(sum[:]) {
		t.Errorf("%q, %v", digest, ok)
	}
	if digest, ok := f.Digest("a/1"); ok {
		t.Errorf("a folder has the digest %s", digest)
	}
}

func TestDamagedArchivesAreAnError(t *testing.T) {
	for _, text := range []string{"", "einvoice files 1\n", "einvoice files 1\n\xff\xff\xff\x7f", "another text"} {
		if _, err := archive.Open(text); err == nil {
			t.Errorf("%q is opened", text)
		}
	}
}
