//go:build !packed

package rulesets

import (
	"embed"
	"io/fs"
)

//go:embed */*.yaml */*/*.yaml examples/*.xml schemas/*.txt compiled languages
var plain embed.FS

func files() fs.FS { return plain }
