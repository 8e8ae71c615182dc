package server

import (
	"errors"
	"io"
	"maps"
	"slices"
	"unicode/utf8"

	"einvoice/model/numeral"
	"einvoice/model/problem"
	"einvoice/server/option"
	"einvoice/server/refusal"
	"einvoice/service/render"
	"einvoice/service/transform"
)

// A takenOption is one that an endpoint takes beside its document; check, where there is
// one, refuses values that it cannot have.
type takenOption struct {
	name  string
	check func(option.Values) error
	terms bool // any name of a term of the invoice is taken, in place of name
}

// The options whose values are the same everywhere.
var (
	takeStrict         = takenOption{name: option.Strict, check: func(o option.Values) error { _, err := o.IsStrict(); return err }}
	takeDetails        = takenOption{name: option.Details, check: func(o option.Values) error { _, err := o.Flag(option.Details); return err }}
	takeAccept         = takenOption{name: option.Accept, check: func(o option.Values) error { _, err := o.Least(); return err }}
	takeCompare        = takenOption{name: option.Compare, check: func(o option.Values) error { _, err := o.ComparesPages(); return err }}
	takeDate           = takenOption{name: option.Date, check: func(o option.Values) error { _, err := o.MadeOn(); return err }}
	takeAt             = takenOption{name: option.At, check: func(o option.Values) error { _, err := o.Day(); return err }}
	takeExplain        = takenOption{name: option.Explain}
	takeBuyerReference = takenOption{name: option.BuyerReference}
	takeTerms          = takenOption{terms: true, check: func(o option.Values) error { return wrongOptions(o.Terms().Check()) }}
	takePageLanguage   = takenOption{name: option.Language, check: func(o option.Values) error { return render.CheckLanguage(o[option.Language]) }}
)

// takeLook takes the name of a look, one of the service's own or one of the program.
func (s *Server) takeLook() takenOption {
	return takenOption{name: option.Look, check: func(o option.Values) error {
		if o[option.Look] == "" {
			return nil
		}
		_, err := s.rules.Current().Service.Pages.Look(o[option.Look])
		return err
	}}
}

// ofOtherEndpoints are the options that some endpoint takes; clients send one form to
// several. partMetadata is what some frameworks add to a form about its file.
var (
	ofOtherEndpoints = []string{option.Strict, option.BuyerReference, option.Language, option.Look, option.Date, option.Profile, option.Details, option.Accept, option.Overlay, option.At, option.Explain, option.Compare, option.Relationship, option.PDFA}
	partMetadata     = []string{"ContentType", "ContentDisposition", "Headers", "Length", "Name", "FileName"}
)

// given are the options that a request gave, with all that is wrong with them.
type given struct {
	option.Values
	wrong []*Problem
}

// note keeps a mistake in an option, and returns any other error.
func (g *given) note(err error) error {
	if p, ok := errors.AsType[*Problem](err); ok && p.ErrorCode == refusal.Option {
		g.wrong = append(g.wrong, p)
		return nil
	}
	if r, ok := errors.AsType[*refusal.Refusal](err); ok && r.Code == refusal.Option {
		g.wrong = append(g.wrong, refused(r))
		return nil
	}
	if w, ok := errors.AsType[*problem.WrongOptions](err); ok {
		for _, e := range w.Wrong {
			g.wrong = append(g.wrong, problemFor(e))
		}
		return nil
	}
	if e, ok := errors.AsType[*problem.Error](err); ok && e.Code == refusal.Option {
		g.wrong = append(g.wrong, problemFor(e))
		return nil
	}
	return err
}

// read reads the form field of an option.
func (g *given) read(name string, part io.Reader) error {
	value, err := io.ReadAll(io.LimitReader(part, option.Longest+1))
	if err == nil {
		g.set(name, string(value))
		_, err = io.Copy(io.Discard, part)
	}
	return err
}

func (g *given) set(name, value string) {
	switch _, twice := g.Values[name]; {
	case twice:
		_ = g.note(newProblem(refusal.Option, "The option %q is given twice. Give it once, in the form or in the query.", name))
		return
	case len(value) > option.Longest:
		_ = g.note(newProblem(refusal.Option, "The option %q has more than %d bytes.", name, option.Longest))
		return
	case !utf8.ValidString(value):
		_ = g.note(newProblem(refusal.Option, "The option %q is not UTF-8.", name))
		return
	}
	if g.Values == nil {
		g.Values = option.Values{}
	}
	g.Values[name] = value
}

// fromQuery adds the options of the query, for documents that are the body itself.
func (g *given) fromQuery(rawQuery string, taken []takenOption) error {
	query, err := parseQuery(rawQuery)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !takes(taken, name) {
			g.wrong = append(g.wrong, notTaken(refusal.Option, name, optionNames(taken), takesTerms(taken)))
			continue
		}
		for _, value := range query[name] {
			g.set(name, value)
		}
	}
	return nil
}

// wrongOptions is the error of mistakes in options; nil without any.
func wrongOptions(wrong []*problem.Error) error {
	if wrong == nil {
		return nil
	}
	return &problem.WrongOptions{Wrong: wrong}
}

// check checks the value of each option, and tells all mistakes at once.
func (g *given) check(taken []takenOption) error {
	for _, t := range taken {
		if _, has := g.Values[t.name]; !(has || t.terms) || t.check == nil {
			continue
		}
		if err := g.note(t.check(g.Values)); err != nil {
			return err
		}
	}
	return g.refusal()
}

// refusal is the problem of all mistakes in options; nil without any.
func (g *given) refusal() error {
	if len(g.wrong) == 0 {
		return nil
	}
	p := g.wrong[0]
	if len(g.wrong) > 1 {
		p = newProblem(refusal.Option, "The options of the request have %s. Each is listed.", numeral.Count(len(g.wrong), "mistake"))
	}
	p.addOptions(g.wrong)
	return p
}

// addOptions adds mistakes in options to a problem.
func (p *Problem) addOptions(wrong []*Problem) {
	p.options = append(p.options, wrong...)
	p.tellOptions(nil)
}

// optionNames are the names of options, except for terms, which are too many.
func optionNames(taken []takenOption) (names []string) {
	for _, t := range taken {
		if !t.terms {
			names = append(names, t.name)
		}
	}
	return names
}

// takesTerms reports whether an endpoint takes terms of the invoice.
func takesTerms(taken []takenOption) bool {
	return slices.ContainsFunc(taken, func(t takenOption) bool { return t.terms })
}

// takes reports whether an endpoint takes an option of a name.
func takes(taken []takenOption, name string) bool {
	return slices.ContainsFunc(taken, func(t takenOption) bool { return !t.terms && t.name == name || t.terms && transform.NamesTerm(name) })
}
