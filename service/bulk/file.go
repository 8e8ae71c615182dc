package bulk

import (
	"errors"
	"fmt"
	"io/fs"
)

// ReadFile reads a file, and tells when it was last written before it was read, in
// nanoseconds since 1970. One that is larger than the limit, in bytes, is not read, and
// what is no file is not waited for. Errors are for whoever named the path.
func ReadFile(path string, limit int64) (data []byte, stamp int64, err error) {
	data, stamp, err = readWhole(path, limit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("there is no file %s", path)
	case errors.Is(err, fs.ErrPermission):
		err = fmt.Errorf("no permission to read %s", path)
	}
	return data, stamp, err
}

// Regular refuses what is no file. A pipe or a device might be waited for without end.
func Regular(path string, mode fs.FileMode) error {
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s is a folder", path)
	case mode&fs.ModeNamedPipe != 0:
		return fmt.Errorf("%s is a pipe, not a file; pipe the document in as standard input, and name it -", path)
	}
	return fmt.Errorf("%s is a device or socket, not a file", path)
}
