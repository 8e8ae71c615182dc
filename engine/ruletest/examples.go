package ruletest

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"einvoice/engine"
	"einvoice/engine/xpath"
	"einvoice/model"
)

// ReadDocument reads XML into a document; package formats does it, which rules
// and their tests do not know.
type ReadDocument func(data []byte) (*model.Document, error)

// A Result says how an example of a rule came out.
type Result struct {
	Rule  string `json:"rule"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Fires bool   `json:"fires"` // what the example says
	Error string `json:"error,omitempty"`
}

// OK reports whether the rule did what the example says.
func (r Result) OK() bool { return r.Error == "" }

// Examples runs the examples of rules. Examples of rules over the invoice
// need no document; those of rules that select in the source document (and all
// that say "in") change a base document, which read turns into an invoice.
func Examples(l *engine.Library, rules []*engine.Rule, read ReadDocument) []Result {
	x := &examples{library: l, read: read}
	var results []Result
	for _, r := range rules {
		for i := range r.Examples() {
			if l.Ended() != nil {
				return results
			}
			e := &r.Examples()[i]
			result := Result{Rule: r.ID, File: r.File(), Line: e.Line(), Fires: e.Fires}
			if err := x.run(r, e); err != nil {
				result.Error = err.Error()
			}
			results = append(results, result)
		}
	}
	return results
}

type examples struct {
	library *engine.Library
	read    ReadDocument
}

func (x *examples) run(r *engine.Rule, e *engine.Example) error {
	doc, err := Document(x.library, r, e, x.read)
	if err != nil {
		return err
	}
	if _, ok := r.Form(doc.Syntax); !ok {
		return fmt.Errorf("the rule does not apply to %s, so the example shows nothing", doc.Syntax)
	}
	// A rule that is in force at times only is tried on a day on which it is.
	report, err := x.library.ValidatorOfExamples(r).ValidateAt(x.library.Context(), doc, r.Effective.Some())
	if err != nil {
		return err
	}
	findings := report.Findings
	switch {
	case len(findings) > 0 && findings[0].Failed:
		return errors.New(findings[0].Message)
	case e.Fires && len(findings) == 0:
		return errors.New("the rule should fire on this example and does not")
	case !e.Fires && len(findings) > 0:
		return fmt.Errorf("the rule should accept this example and fires: %s", findings[0].Message)
	}
	return nil
}

// Document makes the invoice that an example of a rule describes.
func Document(l *engine.Library, r *engine.Rule, e *engine.Example, read ReadDocument) (*model.Document, error) {
	return (&examples{library: l, read: read}).document(r, e)
}

// A beginning is the document that an example begins with.
type beginning struct {
	syntax     model.Syntax
	base, file string
	isSource   bool   // the document itself, rather than what is read of it
	of         string // else: invoice, container or batch
}

func beginningOf(r *engine.Rule, e *engine.Example) beginning {
	b := beginning{syntax: cmp.Or(e.Syntax, r.On), base: cmp.Or(e.Base, "base")}
	if b.isSource = b.syntax != "" && changesSource(r, e, b.syntax); b.isSource {
		b.file = folder + b.base + "-" + string(b.syntax) + ".xml"
		return b
	}
	switch b.of = beginOf(r.Context.Value); b.of {
	case "container":
		b.file = groupFile(containers + b.base)
	case "batch":
		b.file = groupFile(batches + b.base)
	default:
		b.file = groupFile(b.base)
	}
	return b
}

func (x *examples) document(r *engine.Rule, e *engine.Example) (*model.Document, error) {
	begin := beginningOf(r, e)
	switch {
	case begin.isSource:
		return x.sourceDocument(begin.file, e.Changes)
	case begin.of == "container":
		return x.containerDocument(begin.syntax, begin.base, e.Changes)
	case begin.of == "batch":
		b := new(model.BatchEntry)
		if err := readGroup(x.library.FS(), batches+begin.base, model.ObjectOf(b)); err != nil {
			return nil, err
		}
		return &model.Document{Invoice: &model.Invoice{}, Syntax: begin.syntax, Batch: b}, changeAll(model.ObjectOf(b), e.Changes)
	}
	inv, err := ReadInvoice(x.library.FS(), begin.base)
	if err != nil {
		return nil, err
	}
	return &model.Document{Invoice: inv, Syntax: begin.syntax}, changeAll(model.ObjectOf(inv), e.Changes)
}

// beginOf is what a context is over: invoice, container or batch.
func beginOf(context string) string {
	u, err := xpath.Parse(context)
	if err != nil {
		return ""
	}
	return u.Paths[0].Steps[0].Name
}

// containerDocument makes the PDF that an example of a rule over it describes, out
// of one in examples/containers, around the base invoice.
func (x *examples) containerDocument(syntax model.Syntax, base string, changes []engine.Change) (*model.Document, error) {
	inv, err := ReadInvoice(x.library.FS(), "base")
	if err != nil {
		return nil, err
	}
	c, err := ReadContainer(x.library.FS(), base)
	if err != nil {
		return nil, err
	}
	return &model.Document{Invoice: inv, Syntax: syntax, Container: c}, changeAll(model.ObjectOf(c), changes)
}

// changesSource reports whether an example is about a document: what it changes
// has prefixed names, or it changes nothing and the rule selects in the source.
func changesSource(r *engine.Rule, e *engine.Example, syntax model.Syntax) bool {
	if len(e.Changes) > 0 {
		return strings.Contains(e.Changes[0].Path, ":")
	}
	form, _ := r.Form(syntax)
	return xpath.SelectsInSource(form.Context.Value)
}

func (x *examples) sourceDocument(file string, changes []engine.Change) (*model.Document, error) {
	data, err := fs.ReadFile(x.library.FS(), file)
	if err != nil {
		return nil, fmt.Errorf("there is no base document %s", file)
	}
	doc, err := x.read(data)
	if err != nil || len(changes) == 0 {
		return doc, err
	}
	d := DraftOf(doc.Source, doc.Source.Root())
	for _, c := range changes {
		if err := d.Set(c.Path, c.Value); err != nil {
			return nil, err
		}
	}
	return x.read(d.Write())
}
