package rulesets_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"einvoice/rulesets"
)

// What the program holds, packed or not, are the files of this folder, and none is missing.
func TestFilesAreThoseOfTheFolder(t *testing.T) {
	embedded := 0
	err := fs.WalkDir(rulesets.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		embedded++
		want, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if have, err := fs.ReadFile(rulesets.FS, name); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not the file of the folder (%v): pack it anew with make prepared", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	onDisk := 0
	err = fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if ending := path.Ext(name); ending == ".yaml" && !strings.HasPrefix(name, ".") || ending == ".bin" {
			onDisk++
			if _, err := fs.Stat(rulesets.FS, name); err != nil {
				t.Errorf("%s is not in the program: %v", name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if onDisk < 300 || embedded < onDisk {
		t.Errorf("%d rule files in the folder, %d files in the program", onDisk, embedded)
	}
}
