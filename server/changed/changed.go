// Package changed reads files of settings, and reports whether one is another than before without reading it.
package changed

import (
	"fmt"
	"os"
	"time"
)

// A Stamp is another one when the file was written.
type Stamp struct {
	modified time.Time
	size     int64
}

// Read reads a file; what is what errors call it. What is not a file is refused, as by StampOf.
func Read(what, path string) ([]byte, error) {
	if _, err := StampOf(what, path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// StampOf returns the stamp of a file; what is what errors call it. What is not a file is refused: a pipe would be waited for.
func StampOf(what, path string) (Stamp, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{}, err
	}
	if !info.Mode().IsRegular() {
		return Stamp{}, fmt.Errorf("%s %s is not a file (%s)", what, path, info.Mode())
	}
	return Stamp{info.ModTime(), info.Size()}, nil
}
