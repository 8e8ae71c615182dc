//go:build !unix

package inputfile

import (
	"io"
	"os"
)

func readWhole(path string, limit int64) (data []byte, stamp int64, err error) {
	info, err := os.Stat(path) // before it is opened, because a pipe would be waited for
	if err != nil {
		return nil, 0, err
	}
	if err := Regular(path, info.Mode()); err != nil {
		return nil, 0, err
	}
	if info.Size() > limit {
		return nil, 0, TooLarge(info.Size(), limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, limit+1))
	return data, info.ModTime().UnixNano(), err
}
