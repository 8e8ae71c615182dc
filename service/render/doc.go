// Package render draws invoices, valid or not, as PDF, HTML or SVG.
//
//	rendered, err := pages.Document(ctx, doc, render.Options{Language: "de"})
package render
