//go:build packed

package rulesets

import (
	_ "embed"
	"io/fs"

	"einvoice/rulesets/archive"
)

//go:embed packed/rulesets.archive
var packed string

func files() fs.FS {
	f, err := archive.Open(packed)
	if err != nil {
		panic(err)
	}
	return f
}
