package engine_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"einvoice/engine"
	"einvoice/rulesets"
)

// A folder whose name is misspelt is an error, and not the rules below it alone.
func TestLayeredOnNothing(t *testing.T) {
	folder := t.TempDir()
	if _, err := engine.Open(engine.Layered(os.DirFS(folder), rulesets.FS)); err != nil {
		t.Error(err)
	}
	_, err := engine.Open(engine.Layered(os.DirFS(filepath.Join(folder, "misspelt")), rulesets.FS))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
