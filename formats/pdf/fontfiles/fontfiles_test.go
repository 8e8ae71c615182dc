package fontfiles_test

import (
	"os"
	"path/filepath"
	"testing"

	"einvoice/formats/pdf/fontfiles"

	"github.com/go-fonts/liberation/liberationmonobold"
)

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o750); err != nil {
		t.Fatal(err)
	}
	font := filepath.Join(dir, "a", "b", "x.TTF")
	for name, data := range map[string][]byte{font: liberationmonobold.TTF, filepath.Join(dir, "text.txt"): nil, filepath.Join(dir, "broken.ttf"): []byte("ttcf\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := fontfiles.In(dir)
	if len(files) != 2 || files[0] != font {
		t.Fatalf("found are %v", files)
	}
	if name := fontfiles.PostScriptName(fontfiles.Table(font, "name")); name != "LiberationMono-Bold" {
		t.Errorf("the name is %q", name)
	}
	if fontfiles.Table(font, "none") != nil || fontfiles.Table(files[1], "name") != nil || fontfiles.Table(dir+"/nothing.ttf", "name") != nil {
		t.Error("a table that is not there is read")
	}
	if len(fontfiles.In(dir+"/nothing")) > 0 || fontfiles.PostScriptName([]byte{0, 0, 0, 9}) != "" {
		t.Error("what is not there has fonts")
	}
}
