package inputfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats/xmlparse"
	"einvoice/model/problem"
	"einvoice/service/inputfile"
)

// Only files are read, none that is too large, and their stamp is when they were written.
func TestReadFile(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, []byte("1234567890"), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	data, stamp, err := inputfile.Read(file, 10)
	if err != nil || string(data) != "1234567890" || stamp != info.ModTime().UnixNano() {
		t.Errorf("got %s, %d, %v", data, stamp, err)
	}
	for path, want := range map[string]string{folder: "is a folder", filepath.Join(folder, "none"): "there is no file"} {
		if _, _, err := inputfile.Read(path, 10); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, _, err := inputfile.Read(file, 9); !isTooLarge(err) {
		t.Errorf("a file that is too large: %v", err)
	}
}

// An error says what the file was asked for: of one that could not be made it does not say that it
// could not be read.
func TestPlainly(t *testing.T) {
	for _, test := range []struct {
		op   string
		err  error
		want string
	}{
		{"open", fs.ErrPermission, "no permission to read out/x"},
		{"mkdir", fs.ErrPermission, "no permission to make the folder out/x"},
		{"write", fs.ErrPermission, "no permission to write out/x"},
		{"open", fs.ErrNotExist, "there is no file out/x"},
		{"mkdir", fs.ErrNotExist, "the folder out/x cannot be made"},
		{"mkdir", fs.ErrExist, "there is a file out/x already"},
	} {
		if got := inputfile.Plainly("out/x", &fs.PathError{Op: test.op, Path: "out/x", Err: test.err}); got.Error() != test.want {
			t.Errorf("%s, %v: %q, want %q", test.op, test.err, got, test.want)
		}
	}
}

func isTooLarge(err error) bool {
	told, ok := errors.AsType[*problem.Error](err)
	return ok && told.Code == xmlparse.CodeLimit
}
