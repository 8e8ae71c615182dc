// Package svg writes composed pages as one file of SVG, from the places of what is drawn.
package svg
