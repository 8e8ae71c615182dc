// Package inputfile reads the files that a user names: none that is too large, and none that
// might be waited for.
package inputfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"einvoice/formats/xmlparse"
	"einvoice/model/problem"
	"einvoice/model/quote"
)

// Read reads a file, and tells when it was last written before it was read, in
// nanoseconds since 1970. One that is larger than the limit, in bytes, is not read, and
// what is not a file is not waited for. Errors are for whoever named the path.
func Read(path string, limit int64) (data []byte, stamp int64, err error) {
	data, stamp, err = readWhole(path, limit)
	return data, stamp, Plainly(path, err)
}

// Plainly returns the most frequent errors of a file in words, and any other error as it is.
func Plainly(path string, err error) error {
	asked := "" // what the system was asked for
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		asked = of.Op
	}
	switch {
	case asked == "mkdir" && errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("no permission to make the folder %s", quote.Name(path))
	case asked == "mkdir" && errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the folder %s cannot be made", quote.Name(path))
	case asked == "write" && errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("no permission to write %s", quote.Name(path))
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("there is a file %s already", quote.Name(path))
	case errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%s is a folder", quote.Name(path))
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s is a file, not a folder", quote.Name(fileIn(path)))
	case errors.Is(err, syscall.ELOOP):
		return fmt.Errorf("%s is a link that leads back to itself", quote.Name(path))
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file %s", quote.Name(path))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("no permission to read %s", quote.Name(path))
	}
	return err
}

// fileIn returns the part of a path that is a file and stands where a folder should be.
func fileIn(path string) string {
	for part := filepath.Clean(path); filepath.Dir(part) != part; part = filepath.Dir(part) {
		if info, err := os.Stat(part); err == nil && !info.IsDir() {
			return part
		}
	}
	return path
}

// File returns an error that says what is wrong if a path is not that of a file, or the file is empty.
func File(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return Plainly(path, err)
	}
	if err := Regular(path, info.Mode()); err != nil {
		return err
	}
	if info.Size() == 0 {
		return fmt.Errorf("%s is empty", quote.Name(path))
	}
	return nil
}

// Folder returns an error that says what is wrong if a path is not that of a folder.
func Folder(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s", quote.Name(path))
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is a file, not a folder", quote.Name(path))
	}
	return Plainly(path, err)
}

// Regular refuses what is not a file. A pipe or a device might be waited for without end.
func Regular(path string, mode fs.FileMode) error {
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s is a folder", quote.Name(path))
	case mode&fs.ModeNamedPipe != 0:
		return fmt.Errorf("%s is a pipe, not a file; pipe it in as standard input, and name it - (a list: @-)", quote.Name(path))
	}
	return fmt.Errorf("%s is a device or socket, not a file", quote.Name(path))
}

// ReadInside is Read of a file of a folder that is open, out of which links do not lead. Its name
// is that in the folder.
func ReadInside(root *os.Root, name string, limit int64) (data []byte, stamp int64, err error) {
	info, err := root.Stat(name) // before it is opened, because a pipe would be waited for
	if err != nil {
		return nil, 0, inside(name, err)
	}
	if err := Regular(name, info.Mode()); err != nil {
		return nil, 0, err
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, 0, inside(name, err)
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, limit+1))
	err = Plainly(name, err)
	if err == nil && int64(len(data)) > limit {
		err = TooLarge(max(info.Size(), int64(len(data))), limit)
	}
	return data, info.ModTime().UnixNano(), err
}

// inside says in plain words what is wrong, also that a link leads out of the folder, for which os has no exported
// error.
func inside(name string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok && e.Err.Error() == "path escapes from parent" {
		return fmt.Errorf("%s is a link that leads out of the folder; put the document itself there", quote.Name(name))
	}
	return Plainly(name, err)
}

// Endings are those of the files that are taken from a folder or an archive.
var Endings = []string{".xml", ".pdf"}

// TooLarge is the error of a document that is not worth reading.
func TooLarge(size, limit int64) error {
	return &problem.Error{
		Code:    xmlparse.CodeLimit,
		Message: fmt.Sprintf("the file has %d bytes, more than the %d that are allowed", size, limit),
		Remedy:  "have the limit raised (flag max-bytes, setting max-body) if you trust the file",
	}
}

// MayBeInvoice tells by its name whether a file is taken.
func MayBeInvoice(name string) bool {
	return slices.Contains(Endings, strings.ToLower(filepath.Ext(name)))
}
