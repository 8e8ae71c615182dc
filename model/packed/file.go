//go:build packed

package packed

import "io/fs"

// ReadFile returns the data of a file that was packed.
func ReadFile(from fs.FS, name string) ([]byte, error) {
	compressed, err := fs.ReadFile(from, name)
	if err != nil {
		return nil, err
	}
	return Unpack(compressed)
}
