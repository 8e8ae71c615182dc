package packed

import (
	"bytes"
	"os"
	"path/filepath"
)

// WriteNew writes a file, with the folders it is in, and leaves one alone that is as it should be: nothing
// that embeds it is then built again.
func WriteNew(target string, data []byte) error {
	if have, err := os.ReadFile(target); err == nil && bytes.Equal(have, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil { //nolint:gosec // as the folders of the source are
		return err
	}
	return os.WriteFile(target, data, 0o644) //nolint:gosec // part of a program that everyone can read
}
