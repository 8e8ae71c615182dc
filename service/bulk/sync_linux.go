package bulk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncFileSystem brings everything of the file system of a folder to the disk: for many new
// files that is one wait in place of many.
func syncFileSystem(folder string) (done bool, err error) {
	f, err := os.Open(folder)
	if err != nil {
		return true, err
	}
	return true, errors.Join(unix.Syncfs(int(f.Fd())), f.Close())
}
