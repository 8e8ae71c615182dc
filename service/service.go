package service

import (
	"io/fs"
	"sync"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/parse"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/verapdf"
	"einvoice/formats/schema"
	"einvoice/formats/xmlparse"
	"einvoice/rulesets"
)

// A Config says how a Service works. The zero Config has the defaults.
type Config struct {
	// Rulesets is the folder of rulesets; those that ship with the program if nil.
	Rulesets fs.FS
	// Read limits what reading one document may cost.
	Read formats.Options
	// Parse limits what reading the pages of one PDF may cost; the limits on the PDF
	// itself are those of Read.
	Parse parse.Limits
	// OCR recognises text in pictures; without it, Parse refuses them.
	OCR parse.Recogniser
	// Model is a large language model that Parse asks; nil for none, so that nothing of a
	// document leaves the program.
	Model parse.Asker
	// VeraPDF checks PDFs in addition to the rules about them; nil for the rules alone.
	VeraPDF *verapdf.Program
	// Looks are looks of pages, by the names that options have for them, beside those of
	// the program; nil for none.
	Looks *Looks
	// Fonts are for characters that the program's own fonts do not have; nil for none.
	Fonts *page.Fonts
}

// A Service performs the operations on invoices. It never changes, and any number
// of goroutines may use it.
type Service struct {
	library *engine.Library
	config  Config

	notices          func() (engine.Notices, error)    // read when the first is needed
	requestValidator func() (*engine.Validator, error) // prepared when first needed

	mu         sync.Mutex
	validators map[string]*engine.Validator // by the rulesets that they run
	overlaid   []overlaidValidator          // the last that overlays changed
	timeless   map[string]bool              // families by whether their versions do not say when they are in force
	scopes     map[string]scope             // by profile
	digests    map[string]string            // by rulesets and profile
}

// builtInSchemas are shared by all services: what schemas say never changes.
var builtInSchemas = schema.NewLibrary(rulesets.FS, "schemas")

// Open opens a folder of rulesets and makes a Service of it.
func Open(config Config) (*Service, error) {
	if config.Rulesets == nil {
		config.Rulesets = rulesets.FS
	}
	library, err := engine.Open(config.Rulesets)
	if err != nil {
		return nil, err
	}
	return New(library, config), nil
}

// New makes a Service over an open library; Config.Rulesets is not looked at.
func New(library *engine.Library, config Config) *Service {
	s := &Service{library: library, config: config, validators: map[string]*engine.Validator{}, timeless: map[string]bool{}, scopes: map[string]scope{}, digests: map[string]string{}}
	s.notices = sync.OnceValues(s.readNotices)
	s.requestValidator = sync.OnceValues(s.compileRequestRules)
	return s
}

// Library has the rules, profiles and code lists of the service.
func (s *Service) Library() *engine.Library { return s.library }

// Limits are those of documents, and of the PDFs around them. They decide what is refused.
func (s *Service) Limits() (xmlparse.Limits, pdf.Limits) {
	return s.config.Read.Limits, s.config.Read.PDF
}
