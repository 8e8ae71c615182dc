package formats_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/problem"
)

const suites = "../../shared/suites"

// older are the documents of the suites that are no invoices of EN 16931.
const older = "ZUGFeRDv1--"

func TestSuitesAreRead(t *testing.T) {
	if _, err := os.Stat(suites); err != nil {
		t.Skip("no suites to read: " + err.Error())
	}
	read := map[model.Syntax]int{}
	err := filepath.WalkDir(suites, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".xml" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		doc, err := formats.Read(data, formats.Options{})
		if strings.HasPrefix(d.Name(), older) {
			if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != formats.CodeOtherDocument {
				t.Errorf("%s: got %v, want %s", path, err, formats.CodeOtherDocument)
			}
			return nil
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return nil
		}
		read[doc.Syntax]++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read[model.UBL] < 2000 || read[model.CII] < 500 {
		t.Errorf("only %v documents were read; is the folder complete?", read)
	}
}
