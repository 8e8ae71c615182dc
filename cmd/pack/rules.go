package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/rulesets"
	"einvoice/rulesets/archive"
)

// everyday are the rulesets that most documents are validated by. What was compiled of them is
// read where it lies; what was compiled of the others, six sevenths of all, is compressed, and
// takes a few milliseconds when a document needs it.
var everyday = []string{"en16931/1.3.16", "xrechnung/3.0"}

// packRules writes all that package rulesets embeds into an archive.
func packRules(target string) error {
	seldom, err := compiledOfOthers()
	if err != nil {
		return err
	}
	text, err := archive.Write(rulesets.FS, func(name string) bool {
		return strings.HasPrefix(name, "schemas/") || path.Dir(name) == engine.StoreFolder && !seldom[name]
	})
	if err != nil {
		return err
	}
	return writeNew(target, text)
}

// packFolder writes the files of a folder into an archive.
func packFolder(folder, target string) error {
	text, err := archive.Write(os.DirFS(folder), func(string) bool { return false })
	if err != nil {
		return err
	}
	return writeNew(target, text)
}

// compiledOfOthers names what was compiled of the rulesets that are not of every day.
func compiledOfOthers() (map[string]bool, error) {
	seldom := map[string]bool{}
	files, err := fs.Glob(rulesets.FS, "*/*/*.yaml")
	for _, file := range files {
		ruleset := path.Dir(file)
		if slices.Contains(everyday, ruleset) {
			continue
		}
		text, err := fs.ReadFile(rulesets.FS, file)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		seldom[engine.NodesFile(hex.EncodeToString(sum[:]))] = true
		seldom[engine.ExpressionsFile(path.Dir(ruleset), path.Base(ruleset))] = true
	}
	return seldom, err
}
