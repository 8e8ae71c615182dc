// Package rulesets is the rules themselves, as data: one folder a ruleset
// version, beside the code lists, profiles, schemas and example invoices they
// share. It has no code; package engine gives the files their meaning.
//
//	library, err := engine.Open(rulesets.FS)
package rulesets

import "embed"

// FS holds every rule file. A folder on disk of the same shape can take its
// place (see docs/editing-rules.md).
//
//go:embed */*.yaml */*/*.yaml examples/*.xml schemas/*.txt compiled languages
var FS embed.FS
