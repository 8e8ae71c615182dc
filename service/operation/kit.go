package operation

import (
	"io/fs"

	"einvoice/engine"
	"einvoice/engine/shipped"
	"einvoice/formats"
	"einvoice/formats/hybrid"
	pages "einvoice/formats/parse"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/formats/pdf/verapdf"
	"einvoice/service/compare"
	"einvoice/service/parse"
	"einvoice/service/render"
	"einvoice/service/validate"
	veracheck "einvoice/service/verapdf"
)

// A Config says how a Kit works. The zero Config has the defaults.
type Config struct {
	// Rulesets is the folder of rulesets; those that ship with the program if nil.
	Rulesets fs.FS
	// Read limits what reading one document may cost.
	Read formats.Options
	// PDF limits what reading the PDF around it may cost. If Bytes is zero, that of Read
	// applies.
	PDF pdf.Limits
	// Parse limits what reading the pages of one PDF may cost, beside PDF.
	Parse pages.Limits
	// OCR recognises text in pictures; without it, reading their pages is refused.
	OCR pages.Recogniser
	// Model is a large language model that reading pages asks; nil for none.
	Model pages.Asker
	// VeraPDF checks PDFs in addition to the rules about them; nil for the rules alone.
	VeraPDF *verapdf.Program
	// Looks are looks of pages beside those of the program; nil for none.
	Looks *render.Looks
	// Fonts are for characters that the program's own fonts do not have; nil for none.
	Fonts *typeset.Fonts
}

// A Kit has what operations work with. It never changes, and any number of goroutines may use
// it.
type Kit struct {
	*validate.Service
	Pages  *render.Pages
	Reader *parse.Reader
	PDF    pdf.Limits
	// VeraPDF says that veraPDF checks PDFs too.
	VeraPDF bool
}

// Open opens a folder of rulesets and returns a Kit. The error says that the folder cannot be
// read.
func Open(config Config) (*Kit, error) {
	library, err := shipped.Or(config.Rulesets)
	if err != nil {
		return nil, err
	}
	return New(library, config), nil
}

// New returns a Kit over an open library. It ignores Config.Rulesets.
func New(library *engine.Library, config Config) *Kit {
	config.Read.OpenPDF = hybrid.Opener(config.PDF)
	config.Parse.PDF = config.PDF
	rules := validate.Config{Read: config.Read, ComparePages: compare.Check(config.Parse, config.OCR)}
	if config.VeraPDF != nil {
		rules.PDFCheck = veracheck.Check(config.VeraPDF)
	}
	s := validate.New(library, rules)
	return &Kit{
		Service: s, PDF: config.PDF, VeraPDF: config.VeraPDF != nil,
		Pages:  &render.Pages{Service: s, Looks: config.Looks, Fonts: config.Fonts},
		Reader: &parse.Reader{Service: s, Limits: config.Parse, OCR: config.OCR, Model: config.Model},
	}
}
