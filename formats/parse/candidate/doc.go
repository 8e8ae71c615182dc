// Package candidate reads typed values at words: numbers, days, identifiers, and groups of
// VAT. What they are values of, the stages after it decide.
package candidate
