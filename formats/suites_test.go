package formats_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/problem"
)

func TestSuitesAreRead(t *testing.T) {
	read := map[model.Syntax]int{}
	eachFile(t, func(path string, data []byte) {
		doc, err := formats.Read(data, formats.Options{})
		if strings.HasPrefix(filepath.Base(path), older) {
			if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != formats.CodeOtherDocument {
				t.Errorf("%s: got %v, want %s", path, err, formats.CodeOtherDocument)
			}
			return
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		read[doc.Syntax]++
	})
	if read[model.UBL] < 2000 || read[model.CII] < 500 {
		t.Errorf("only %v documents were read; is the folder complete?", read)
	}
}
