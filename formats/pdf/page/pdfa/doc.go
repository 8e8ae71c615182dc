// Package pdfa writes composed pages as the objects of a tagged PDF.
package pdfa
