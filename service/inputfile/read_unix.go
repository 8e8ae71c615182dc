//go:build unix

package inputfile

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

// readWhole is four calls of the system for a file: os.File asks for more, which is a third
// of the time that a small file takes.
func readWhole(path string, limit int64) (data []byte, stamp int64, err error) {
	failed := func(op string, err error) ([]byte, int64, error) {
		return nil, 0, &fs.PathError{Op: op, Path: path, Err: err}
	}
	var fd int
	for { // O_NONBLOCK: a pipe would be waited for
		if fd, err = unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0); !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if errors.Is(err, unix.ENXIO) { // which is how sockets are refused
		return nil, 0, Regular(path, fs.ModeSocket)
	}
	if err != nil {
		return failed("open", err)
	}
	defer unix.Close(fd)
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return failed("stat", err)
	}
	if err := Regular(path, modeOf(uint32(info.Mode))); err != nil { //nolint:unconvert // it has 16 bits on some systems
		return nil, 0, err
	}
	if info.Size > limit {
		return nil, 0, TooLarge(info.Size, limit)
	}
	data = make([]byte, 0, info.Size+1)
	for int64(len(data)) <= limit {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := unix.Read(fd, data[len(data):cap(data)])
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return failed("read", err)
		}
		data = data[:len(data)+n]
		if n == 0 || int64(len(data)) == info.Size { // what was written since is not waited for
			break
		}
	}
	return data, info.Mtim.Nano(), nil
}

// modeOf is the kind of a file.
func modeOf(mode uint32) fs.FileMode {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0
	case unix.S_IFDIR:
		return fs.ModeDir
	case unix.S_IFIFO:
		return fs.ModeNamedPipe
	}
	return fs.ModeIrregular
}
