package bulk

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/formats"
	"einvoice/model/problem"
	"einvoice/model/quote"
	"einvoice/service/create"
	"einvoice/service/operation"
	"einvoice/service/report"
)

// filesFolder has what operations made, by the names of the documents.
const filesFolder = "files"

// A Making makes a file of each document.
type Making struct {
	name, digest string
	language     *words.Language // of messages; nil is English
	make         func(context.Context, []byte) (*operation.Result, error)
}

// Options are those of the operations that make something.
type Options struct {
	operation.Values
	// Digest is of what decides and is in none of the others, such as the file of a look.
	Digest string
}

// NewMaking makes an operation of the list. The error is a *problem.Error, or a
// *problem.WrongOptions, for options that it does not have.
func NewMaking(name string, s *operation.Kit, o Options) (*Making, error) {
	of, err := checkOptions(name, &o)
	if err != nil {
		return nil, err
	}
	if err := s.Pages.Check(o.Transform.Language.Raw, o.Transform.Look.Raw); err != nil {
		return nil, err
	}
	digest, err := digestOf(s, name, o)
	if err != nil {
		return nil, err
	}
	// Pages are in languages that messages are not in, which are English then.
	language, err := s.Library().Language(o.Transform.Language.Raw)
	if err != nil {
		language = nil
	}
	return &Making{name, digest, language, func(ctx context.Context, data []byte) (*operation.Result, error) {
		return of.Run(ctx, s, data, &o.Values)
	}}, nil
}

func checkOptions(name string, o *Options) (*operation.Operation, error) {
	of := operation.Named(name)
	if of == nil || !of.OfDocuments() {
		return nil, &problem.Error{Code: problem.CodeOption, Message: "there is no operation " + name, Remedy: "use " + listed(Operations())}
	}
	if allowed := of.To(); !slices.Contains(allowed, o.To) {
		wrong := &problem.Error{Code: problem.CodeOption, Message: name + " makes no " + o.To, Remedy: "name with \"to\" one of " + listed(allowed), Field: "options.to"}
		if o.To == "" {
			wrong.Message = name + " is not told what to make"
		}
		return nil, wrong
	}
	if name == "transform" {
		if wrong := create.CheckOptions(o.To, &o.Transform.Options); len(wrong) > 0 {
			return nil, &problem.WrongOptions{Wrong: wrong}
		}
	}
	return of, nil
}

// Operations are the names of all operations: two that report, and those of the list.
func Operations() []string {
	names := []string{"validate", "impact"}
	for _, of := range operation.All {
		if of.OfDocuments() {
			names = append(names, of.Name)
		}
	}
	return names
}

func listed(names []string) string { return strings.Join(names, ", ") }

// slowBatch is how many documents of a slow operation a worker takes at a time, so that
// others have work as well.
const slowBatch = 16

// UsualBatch is how many documents a batch of an operation has; 0 for the most.
func UsualBatch(name string) int {
	if of := operation.Named(name); of != nil && of.Slow {
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
	row := madeRow{File: quote.Spelled(d.Key)}
	out := Outcome{Verdict: Unreadable}
	err := d.Err
	if err == nil {
		var result *operation.Result
		if result, err = m.make(ctx, d.Data); result != nil {
			err = cmp.Or(err, m.translate(result))
			row.fill(result, d.Name(), &out)
		}
	}
	if ctx.Err() != nil {
		return segment, out, ctx.Err()
	}
	if err != nil {
		row.Error = report.FailureOf(err, m.language)
		out.Code = row.Error.Code
	}
	out.Took = time.Since(began)
	line, err := json.Marshal(row)
	return append(append(segment, line...), '\n'), out, err
}

// translate says what there is to say of a result in the language of the job.
func (m *Making) translate(made *operation.Result) error {
	if made.Converted != nil {
		if err := made.Converted.Translate(m.language); err != nil {
			return err
		}
	}
	if made.Report != nil {
		if err := made.Report.Translate(m.language); err != nil {
			return err
		}
	}
	for i := range made.Losses {
		made.Losses[i].Reason = m.language.Say(made.Losses[i].Reason)
	}
	return engine.TranslateFindings(made.Unsaid, m.language)
}

// fill takes over what was made.
func (r *madeRow) fill(m *operation.Result, name string, out *Outcome) {
	out.Verdict = Invalid
	out.date(m.Invoice)
	r.Losses, r.Missing, r.Legacy = m.Losses, string(m.Missing), m.Legacy
	for _, u := range m.Unshown {
		r.Unshown = append(r.Unshown, strings.TrimSpace(u.Term+" "+u.Label))
	}
	r.Findings = m.Unsaid
	if m.Report != nil {
		r.Valid, r.Findings = &m.Report.Valid, m.Report.Findings
		out.count(m.Report)
	}
	if m.Data == nil {
		return
	}
	out.Verdict = Valid
	r.Made, r.Size, r.SHA256 = path.Join(filesFolder, name+m.Ending), len(m.Data), hashOf(m.Data)[len(HashPrefix):]
	out.Files = []File{{r.Made, m.Data}}
}
