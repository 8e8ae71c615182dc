// Package render shows invoices, valid or not, as pages: PDF, HTML or SVG.
package render
