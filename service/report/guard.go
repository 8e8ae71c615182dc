package report

import (
	"errors"
	"io"
)

// guarded makes the writers of formats refuse what is missing, so that no format has to: an
// outcome that is none, and a part that none was made of. A document without an
// invoice is none. Without a summary they end as after a run of no documents.
func guarded(formats []*Format) []*Format {
	for _, f := range formats {
		open := f.New
		f.New = func(w io.Writer, o Options) Writer { return guard{open(w, o)} }
	}
	return formats
}

type guard struct{ Writer }

func (g guard) Encode(o *Outcome) (Part, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Document != nil && o.Document.Invoice == nil { // not one that was read
		undocumented := *o
		undocumented.Document = nil
		o = &undocumented
	}
	return g.Writer.Encode(o)
}

func (g guard) Write(p Part) error {
	if p == nil {
		return errors.New("there is no part to write; Encode makes one of an outcome")
	}
	return g.Writer.Write(p)
}

func (g guard) Close(s *Summary) error {
	if s == nil {
		s = &Summary{}
	}
	return g.Writer.Close(s)
}

// check returns an error for an outcome that says nothing.
func (o *Outcome) check() error {
	if o == nil || o.Err == nil && o.Report == nil {
		return errors.New("there is no outcome to write: it has neither a report nor an error")
	}
	return nil
}
