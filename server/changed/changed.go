// Package changed reports whether a file is another than before, without reading it.
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
