// Package compose sets an invoice on pages, from top to bottom: every term where the layout has
// it, as the look wants it, in the words of a language. What it makes is written by the packages
// pdfa, html and svg.
package compose
