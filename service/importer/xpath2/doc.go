// Package xpath2 parses XPath 2.0 as Schematron writes it, into a tree for the importer of
// rules. Nothing is evaluated here: engine/xpath evaluates what rules have.
package xpath2
