package bulk

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/pdf/page/compose"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/service/catalogue"
	"einvoice/service/create"
	"einvoice/service/extract"
	"einvoice/service/operation"
	"einvoice/service/report"
	"einvoice/service/transform"
	"einvoice/service/validate"
)

// filesFolder has what operations made, by the names of the documents.
const filesFolder = "files"

// A Making makes a file of each document.
type Making struct {
	name, digest string
	make         func(context.Context, []byte) (*made, error)
}

// made is what an operation made of a document, or why it made nothing.
type made struct {
	data    []byte
	ending  string // of the file, as .xml
	invoice *model.Invoice
	losses  []formats.Loss
	report  *engine.Report    // of what was made; nil where it was not validated
	missing []rune            // characters that pages show a mark for
	unshown []compose.Unshown // terms that the look leaves out
	legacy  string            // format that was read, where it is older than EN 16931
}

// Options are those of the operations that make something.
type Options struct {
	// To is what is made: ubl or cii of convert, a format of transform, xml, json or
	// attachments of extract, pdf, html or svg of render.
	To string
	// Strict makes nothing where anything would be lost.
	Strict bool
	// Transform has the options of transform, and the language and the look of render.
	Transform transform.Options
	// Details has parse write where each value is from.
	Details bool
	// Digest is of what decides and is in none of the others, such as the file of a look.
	Digest string
}

// makers are the operations that make something, by their names.
var makers = map[string]func(*operation.Kit, *Options) func(context.Context, []byte) (*made, error){
	"convert": makeConvert, "transform": makeTransform, "extract": makeExtract, "parse": makeParse, "render": makeRender,
}

// extractions are what extract takes out of a document.
var extractions = map[string]struct {
	take   func(context.Context, *validate.Service, []byte) (*extract.Extraction, error)
	ending string
}{
	"xml":         {extract.XML, ".xml"},
	"json":        {extract.JSON, ".json"},
	"attachments": {extract.Attachments, ".zip"},
}

// NewMaking makes an operation: convert, transform, extract, parse or render. The error is a
// *problem.Error, or a *problem.WrongOptions, for options that it does not have.
func NewMaking(name string, s *operation.Kit, o Options) (*Making, error) {
	if err := checkOptions(name, &o); err != nil {
		return nil, err
	}
	if err := s.Pages.Check(o.Transform.Language.Raw, o.Transform.Look.Raw); err != nil {
		return nil, err
	}
	digest, err := digestOf(s, name, o)
	if err != nil {
		return nil, err
	}
	return &Making{name, digest, makers[name](s, &o)}, nil
}

func checkOptions(name string, o *Options) error {
	allowed := map[string][]string{
		"convert": {string(model.UBL), string(model.CII)}, "extract": {"xml", "json", "attachments"}, "render": {"pdf", "html", "svg"}, "parse": {"json"},
		"transform": catalogue.ToCreate(),
	}[name]
	if allowed == nil {
		return &problem.Error{Code: problem.CodeOption, Message: "there is no operation " + name, Remedy: "use " + listed(Operations)}
	}
	for _, to := range allowed {
		if o.To != to {
			continue
		}
		if name == "transform" {
			if wrong := create.CheckOptions(o.To, &o.Transform.Options); len(wrong) > 0 {
				return &problem.WrongOptions{Wrong: wrong}
			}
		}
		return nil
	}
	wrong := &problem.Error{Code: problem.CodeOption, Message: name + " makes no " + o.To, Remedy: "name with \"to\" one of " + listed(allowed), Field: "options.to"}
	if o.To == "" {
		wrong.Message = name + " is not told what to make"
	}
	return wrong
}

// Operations are the names of all operations.
var Operations = []string{"validate", "impact", "convert", "transform", "extract", "parse", "render"}

// slowBatch is how many documents of a slow operation a worker takes at a time, so that
// others have work as well.
const slowBatch = 16

// UsualBatch is how many documents a batch of an operation has; 0 for the most.
func UsualBatch(operation string) int {
	if slices.Contains([]string{"transform", "parse", "render"}, operation) {
		return slowBatch
	}
	return 0
}

// Name is the operation.
func (m *Making) Name() string { return m.name }

// Digest covers all files of the rules, the options and the version of the program.
func (m *Making) Digest() string { return m.digest }

// A madeRow is the result of an operation that makes something.
type madeRow struct {
	File     string           `json:"file"`
	Made     string           `json:"made,omitempty"` // name in the target
	Size     int              `json:"size,omitempty"` // in bytes
	SHA256   string           `json:"sha256,omitempty"`
	Losses   []formats.Loss   `json:"losses,omitempty"`
	Valid    *bool            `json:"valid,omitempty"` // where what was made is validated
	Findings []engine.Finding `json:"findings,omitempty"`
	Missing  string           `json:"missing,omitempty"` // characters that the pages show a mark for
	Unshown  []string         `json:"unshown,omitempty"` // terms that the look leaves out
	Legacy   string           `json:"legacy,omitempty"`  // format that was read, where it is older than EN 16931
	Error    *report.Failure  `json:"error,omitempty"`
}

// Do makes the file of a document.
func (m *Making) Do(ctx context.Context, segment []byte, d *Document) ([]byte, Outcome, error) {
	began := time.Now()
	row := madeRow{File: d.Key}
	out := Outcome{Verdict: Unreadable}
	err := d.Err
	if err == nil {
		var result *made
		if result, err = m.make(ctx, d.Data); result != nil {
			row.fill(result, d.Name(), &out)
		}
	}
	if ctx.Err() != nil {
		return segment, out, ctx.Err()
	}
	if err != nil {
		row.Error = report.FailureOf(err, nil)
		out.Code = row.Error.Code
	}
	out.Took = time.Since(began)
	line, err := json.Marshal(row)
	return append(append(segment, line...), '\n'), out, err
}

// fill takes over what was made.
func (r *madeRow) fill(m *made, name string, out *Outcome) {
	out.Verdict = Invalid
	out.date(m.invoice)
	r.Losses, r.Missing, r.Legacy = m.losses, string(m.missing), m.legacy
	for _, u := range m.unshown {
		r.Unshown = append(r.Unshown, strings.TrimSpace(u.Term+" "+u.Label))
	}
	if m.report != nil {
		r.Valid, r.Findings = &m.report.Valid, m.report.Findings
		out.count(m.report)
	}
	if m.data == nil {
		return
	}
	out.Verdict = Valid
	r.Made, r.Size, r.SHA256 = path.Join(filesFolder, name+m.ending), len(m.data), hashOf(m.data)[len(HashPrefix):]
	out.Files = []File{{r.Made, m.data}}
}
