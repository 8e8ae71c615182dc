// Package importer translates published Schematron into rules: contexts in XPath as rules have
// them, assertions in CEL. It says of every assert that it cannot translate why, and leaves
// messages to the author.
package importer
