package validate

import (
	"context"
	"io"
	"io/fs"
	"sync"

	"einvoice/engine"
	"einvoice/engine/shipped"
	"einvoice/formats"
	"einvoice/formats/schema"
	"einvoice/formats/xmlparse"
	"einvoice/rulesets"
)

// A Config says how a Service works. The zero Config has the defaults.
type Config struct {
	// Rulesets is the folder of rulesets; those that ship with the program if nil. A folder on
	// top of these is engine.Layered(os.DirFS(folder), rulesets.FS).
	Rulesets fs.FS
	// Read says how documents are read, and what reading one may cost. PDFs are refused
	// unless it has what opens them, as hybrid.Options has.
	Read formats.Options
	// PDFCheck checks the PDFs of received invoices in addition to the rules about them, as
	// verapdf.Check does; nil for the rules alone.
	PDFCheck Check
	// ComparePages is what Rules.ComparePages asks for: compare.Check.
	ComparePages Check
}

// A Check adds findings about a received document to its report.
type Check func(ctx context.Context, s *Service, received *formats.Received, report *engine.Report) error

// A Service performs operations on invoices. It never changes, and any number
// of goroutines may use it.
type Service struct {
	library *engine.Library
	config  Config
	notices func() (engine.Notices, error) // read when the first is needed

	ownNotices string // what OwnNotices gives

	mu         sync.Mutex
	validators map[string]*engine.Validator // by the rulesets that they run
	overlaid   []overlaidValidator          // the last that overlays changed
	timeless   map[string]bool              // families by whether their versions do not say when they are in force
	digests    map[string]string            // by rulesets and profile
}

// builtInSchemas are shared by all services: what schemas say never changes.
var builtInSchemas = schema.NewLibrary(rulesets.FS, "schemas")

// Schema returns a schema of the program by its name, or an error if there is none.
func Schema(name string) (*schema.Schema, error) { return builtInSchemas.Schema(name) }

// Open opens a folder of rulesets and returns a Service. The error says that the folder cannot
// be read; mistakes in its files are errors of the call that first needs them.
func Open(config Config) (*Service, error) {
	library, err := shipped.Or(config.Rulesets)
	if err != nil {
		return nil, err
	}
	return New(library, config), nil
}

// New returns a Service over an open library. It ignores Config.Rulesets. A nil library means
// the rules that ship.
func New(library *engine.Library, config Config) *Service {
	if library == nil {
		library, _ = shipped.Library() // what ships is tested
	}
	s := &Service{library: library, config: config, validators: map[string]*engine.Validator{}, timeless: map[string]bool{}, digests: map[string]string{}}
	s.notices = sync.OnceValues(s.readNotices)
	s.ownNotices = s.findOwnNotices()
	return s
}

// builtIn is the Service of Document.
var builtIn = sync.OnceValues(func() (*Service, error) { return Open(Config{}) })

// Usual returns the Service, or that of Document if it is nil.
func Usual(s *Service) (*Service, error) {
	if s == nil {
		return builtIn()
	}
	return s, nil
}

// Document validates one document with the rules that ship, by the profile that it declares.
// The error, a *problem.Error unless the context ended, says why the document cannot be read;
// what is wrong with the invoice is in the report.
func Document(ctx context.Context, r io.Reader) (*Result, error) {
	s, err := builtIn()
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, noDocument()
	}
	most := xmlparse.DefaultLimits().Bytes
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return nil, err
	}
	return s.Validate(ctx, data, Rules{})
}

// Library returns the rules, profiles and code lists of the service.
func (s *Service) Library() *engine.Library { return s.library }

// Limits returns the limits of documents. They decide which documents are refused.
func (s *Service) Limits() xmlparse.Limits { return s.config.Read.Limits }
