// Package embed makes PDF/A-3 of any PDF and attaches an invoice to it, and says what every
// PDF that is made here has attached.
package embed
