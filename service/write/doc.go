// Package write makes the XML of an invoice in a format: it finds the profile and the syntax
// that a request asks for, sets what the profile decides, leaves out what the profile has no
// place for, writes, and validates what it wrote. Nothing is dropped silently: a term that has
// no place is a loss.
package write
