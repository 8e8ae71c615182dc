package main

import (
	"path"
	"strings"

	"einvoice/rulesets"
	"einvoice/rulesets/archive"
)

// packRules writes all that package rulesets embeds into an archive.
func packRules(target string) error {
	text, err := archive.Write(rulesets.FS, isReadAtStart)
	if err != nil {
		return err
	}
	return writeNew(target, text)
}

// isReadAtStart reports whether a start of the program may read a file: what was compiled of
// rules, and schemas. These are not compressed.
func isReadAtStart(name string) bool {
	return path.Ext(name) == ".bin" || strings.HasPrefix(name, "schemas/")
}
