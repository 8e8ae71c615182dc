// Package logo reads the pictures of looks: PNG, JPEG, and SVG as filled areas.
package logo
