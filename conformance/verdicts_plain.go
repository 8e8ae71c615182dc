//go:build !packed

package conformance

import (
	"embed"
	"io/fs"
)

//go:embed verdicts/*.txt
var plain embed.FS

// verdictFiles are the recorded verdicts, a file for each suite.
func verdictFiles() fs.FS {
	files, err := fs.Sub(plain, "verdicts")
	if err != nil {
		panic(err) // part of the program
	}
	return files
}
