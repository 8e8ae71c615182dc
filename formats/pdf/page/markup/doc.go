// Package markup has what HTML and SVG share: the terms that texts name, and fonts in the file.
package markup
