package bulk

import (
	"os"
	"path/filepath"
)

// IsInside reports whether a path is a folder that is there, or below it. The path itself need
// not be there. Results may not be inside the folder that is searched: what is made would be searched
// as well.
func IsInside(folder, path string) bool {
	info, err := os.Stat(folder)
	if err != nil || !info.IsDir() {
		return false
	}
	if path, err = filepath.Abs(path); err != nil {
		return false
	}
	for ; ; path = filepath.Dir(path) {
		if at, err := os.Stat(path); err == nil && os.SameFile(at, info) {
			return true
		}
		if path == filepath.Dir(path) {
			return false
		}
	}
}
