// Package schematron reads published rules: Schematron, or the XSLT that it was compiled to,
// as patterns of rules. Expressions stay texts.
package schematron
