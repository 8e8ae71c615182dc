//go:build packed

package conformance

import (
	_ "embed"
	"io/fs"

	"einvoice/rulesets/archive"
)

//go:embed packed/verdicts.archive
var packed string

// verdictFiles are the recorded verdicts, a file for each suite.
func verdictFiles() fs.FS {
	files, err := archive.Open(packed)
	if err != nil {
		panic(err) // part of the program
	}
	return files
}
