package validate_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/model"
	"einvoice/model/sampled"
	"einvoice/service/internal/kittest"
	"einvoice/service/validate"
)

// TestFieldsExist holds the fields of all findings in all suite documents: each is a path
// of the request's invoice, with an index in every list.
func TestFieldsExist(t *testing.T) {
	s := kittest.Kit(t)
	wrong, files, documents, fields := map[string]string{}, 0, 0, 0
	for _, dir := range []string{"../../../shared/suites", "../../../shared/more"} {
		if _, err := os.Stat(dir); err != nil {
			t.Skipf("%s is not there, so the fields of its documents' findings were not looked at", dir)
		}
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(strings.ToLower(path), ".xml") {
				return err
			}
			if files++; !sampled.Takes(files, 8) {
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			result, err := s.Validate(context.Background(), data, validate.Rules{})
			if err != nil {
				return nil //nolint:nilerr // what cannot be read has no findings
			}
			documents++
			for _, f := range result.Report.Findings {
				for _, field := range f.Fields {
					fields++
					if fault := faultOfField(field); fault != "" {
						wrong[f.Rule+" "+field] = fmt.Sprintf("%s: %s in %s", f.Rule, fault, path)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(wrong)) {
		t.Error(wrong[key])
	}
	if documents < sampled.Of(5000, 8) || fields < sampled.Of(10000, 8) {
		t.Errorf("only %d documents with %d fields were looked at", documents, fields)
	}
}

var step = regexp.MustCompile(`^([A-Za-z0-9]+)(\[[0-9]+\])?$`)

// faultOfField says what is wrong with a path into the request's invoice; "" if nothing is.
func faultOfField(path string) string {
	at := model.InvoiceType()
	for i, s := range strings.Split(path, ".") {
		parts := step.FindStringSubmatch(s)
		if parts == nil || at == nil {
			return fmt.Sprintf("%q is not a path at step %d", path, i)
		}
		f, ok := at.Field(parts[1])
		if !ok {
			return fmt.Sprintf("%q: there is no %q", path, parts[1])
		}
		if (f.Kind == model.KindList) != (parts[2] != "") && !(f.Kind == model.KindList && strings.HasSuffix(path, s)) {
			return fmt.Sprintf("%q: %q has the wrong number of indices", path, s)
		}
		at = f.Elem
	}
	return ""
}
