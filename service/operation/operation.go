package operation

import (
	"context"
	"errors"
	"slices"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/pdf/page/compose"
	"einvoice/model"
	"einvoice/service/convert"
	"einvoice/service/transform"
	"einvoice/service/validate"
)

// A Kind is the input of an operation.
type Kind string

// The kinds.
const (
	Document Kind = "document" // XML, or a PDF that an invoice is attached to
	Pages    Kind = "pages"    // a PDF or a picture
	Request  Kind = "request"  // JSON
)

// The names of options. What they mean is in Values.
const (
	OptionTo             = "to"
	OptionStrict         = "strict"
	OptionDetails        = "details"
	OptionProfile        = "profile"
	OptionBuyerReference = "buyerReference"
	OptionLanguage       = "language"
	OptionLook           = "look"
	OptionDate           = "date"
)

// An Operation makes something of one document.
type Operation struct {
	Name  string
	Words string // what it does with all documents of a job
	Takes Kind
	// To are the names of what it makes. An operation of one has no option for it.
	To func() []string
	// Usual is what it makes on the command line where nothing is asked for; "" where that
	// has to be said.
	Usual   string
	Options []string // beside OptionTo
	// Raw means that it takes the input byte by byte, readable or not.
	Raw bool
	// Slow means that a document takes long, so that others are not to wait behind many.
	Slow bool
	// Cost is the memory that a server sets aside before it runs it.
	Cost Cost
	// Make does the work of Run, which calls it with a whole kit and with options.
	Make func(ctx context.Context, kit *Kit, data []byte, v *Values) (*Result, error)
}

// Run makes what the operation makes of a document; nil for v means no options. What violates rules is a Result without Data,
// with the report. The error says why nothing could be made, as where the kit lacks something: [Open] returns one that is whole.
func (o *Operation) Run(ctx context.Context, kit *Kit, data []byte, v *Values) (*Result, error) {
	if o == nil || kit == nil || kit.Service == nil || kit.Pages == nil || kit.Reader == nil {
		return nil, errors.New("there is no operation, or no whole kit for it: open one with operation.Open")
	}
	if v == nil {
		v = &Values{}
	}
	return o.Make(ctx, kit, data, v)
}

// Values are the options of one call.
type Values struct {
	To string // one of the operation's
	// Strict makes nothing where anything would be lost.
	Strict bool
	// Transform has the options of transform, and the language, the look and the date of
	// pages.
	Transform transform.Options
	// Details has parse write where each value is from.
	Details bool
	// Read is the document where the caller read it already.
	Read *model.Document `json:"-"`
}

// read is the document that an operation takes, valid or not.
func (v *Values) read(ctx context.Context, kit *Kit, data []byte) (*model.Document, error) {
	if v.Read != nil {
		return v.Read, nil
	}
	return kit.Read(ctx, data, validate.Accept{PDF: true, Legacy: true})
}

// A Result is what an operation made from a document.
type Result struct {
	Data      []byte // nil where nothing was made
	MediaType string
	FileName  string // for saving it
	Ending    string // of the file, as .xml
	Invoice   *model.Invoice
	Losses    []formats.Loss
	Converted *convert.Conversion // of convert, which can say Losses in a language
	Report    *engine.Report      // of what was made; nil where it was not validated
	Missing   []rune              // characters that pages show a mark for
	Unshown   []compose.Unshown   // terms that the look leaves out
	Unsaid    []engine.Finding    // what the law of the seller's country wants the invoice to say
	Legacy    string              // format that was read, where it is older than EN 16931
}

// All is the list of operations.
var All = []*Operation{createOperation, convertOperation, transformOperation, extractOperation, parseOperation, renderOperation}

// Named returns the operation of a name; nil if there is none.
func Named(name string) *Operation {
	if i := slices.IndexFunc(All, func(o *Operation) bool { return o.Name == name }); i >= 0 {
		return All[i]
	}
	return nil
}

// Parameters returns the names of all options.
func (o *Operation) Parameters() []string {
	if len(o.To()) < 2 {
		return o.Options
	}
	return append([]string{OptionTo}, o.Options...)
}

// OfDocuments reports whether the operation works on documents, as folders and archives have
// them.
func (o *Operation) OfDocuments() bool { return o.Takes == Document || o.Takes == Pages }
