// Package rulesets is the rules themselves, as data: one folder a ruleset
// version, beside the code lists, profiles, schemas and example invoices they
// share. Package engine gives the files their meaning.
//
//	library, err := engine.Open(rulesets.FS)
package rulesets

// FS holds every rule file. A folder on disk of the same shape can take its
// place (see docs/editing-rules.md). A program with the build tag packed has the
// files compressed, see Archive.
var FS = files()
