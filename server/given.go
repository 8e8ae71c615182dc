package server

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"einvoice/model/nearest"
	"einvoice/model/problem"
	"einvoice/service/render"
	"einvoice/service/report"
	"einvoice/service/transform"
)

// A takenOption is one that an endpoint takes beside its document; check, where there is
// one, refuses values that it cannot have.
type takenOption struct {
	name  string
	check func(options) error
	terms bool // any name of a term of the invoice is taken, in place of name
}

// The options whose values are the same everywhere.
var (
	takeStrict         = takenOption{name: optionStrict, check: func(o options) error { _, err := o.strict(); return err }}
	takeDetails        = takenOption{name: optionDetails, check: func(o options) error { _, err := o.flag(optionDetails); return err }}
	takeCompare        = takenOption{name: optionCompare, check: func(o options) error { _, err := o.comparesPages(); return err }}
	takeDate           = takenOption{name: optionDate, check: func(o options) error { _, err := o.date(); return err }}
	takeAt             = takenOption{name: optionAt, check: func(o options) error { _, err := o.day(); return err }}
	takeExplain        = takenOption{name: optionExplain}
	takeBuyerReference = takenOption{name: optionBuyerReference}
	takeTerms          = takenOption{terms: true, check: func(o options) error { return wrongOptions(o.terms().Check()) }}
	takeLook           = takenOption{name: optionLook}
	takePageLanguage   = takenOption{name: optionLanguage, check: func(o options) error { return render.CheckLanguage(o[optionLanguage]) }}
)

// ofOtherEndpoints are the options that some endpoint takes; clients send one form to
// several. partMetadata is what some frameworks add to a form about its file.
var (
	ofOtherEndpoints = []string{optionStrict, optionBuyerReference, optionLanguage, optionLook, optionDate, optionProfile, optionDetails, optionOverlay, optionAt, optionExplain, optionCompare, optionRelationship, optionPDFA}
	partMetadata     = []string{"ContentType", "ContentDisposition", "Headers", "Length", "Name", "FileName"}
)

// longestOption is more than any option needs, in bytes.
const longestOption = 1000

// given are the options that a request gave, with all that is wrong with them.
type given struct {
	options
	wrong []*Problem
}

// note keeps a mistake in an option, and returns any other error.
func (g *given) note(err error) error {
	if p, ok := errors.AsType[*Problem](err); ok && p.ErrorCode == codeOption {
		g.wrong = append(g.wrong, p)
		return nil
	}
	if w, ok := errors.AsType[*problem.WrongOptions](err); ok {
		for _, e := range w.Wrong {
			g.wrong = append(g.wrong, problemFor(e))
		}
		return nil
	}
	if e, ok := errors.AsType[*problem.Error](err); ok && e.Code == codeOption {
		g.wrong = append(g.wrong, problemFor(e))
		return nil
	}
	return err
}

// read reads the form field of an option.
func (g *given) read(name string, part io.Reader) error {
	value, err := io.ReadAll(io.LimitReader(part, longestOption+1))
	if err == nil {
		g.set(name, string(value))
		_, err = io.Copy(io.Discard, part)
	}
	return err
}

func (g *given) set(name, value string) {
	switch _, twice := g.options[name]; {
	case twice:
		_ = g.note(newProblem(codeOption, "The option %q is given twice. Give it once, in the form or in the query.", name))
		return
	case len(value) > longestOption:
		_ = g.note(newProblem(codeOption, "The option %q has more than %d bytes.", name, longestOption))
		return
	case !utf8.ValidString(value):
		_ = g.note(newProblem(codeOption, "The option %q is not UTF-8.", name))
		return
	}
	if g.options == nil {
		g.options = options{}
	}
	g.options[name] = value
}

// fromQuery adds the options of the query, for documents that are the body itself.
func (g *given) fromQuery(rawQuery string, taken []takenOption) error {
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return newProblem(codeQuery, "The query cannot be taken apart. Write it as name=value&name=value, with what is special percent-encoded.")
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !takes(taken, name) {
			g.refuseUnknown(false, fmt.Sprintf("%.40s", name), optionNames(taken))
			continue
		}
		for _, value := range query[name] {
			g.set(name, value)
		}
	}
	return nil
}

// refuseUnknown notes a part of a form, or a parameter of the query, that no endpoint
// takes: most are options that are misspelt, and would be missed without a word.
func (g *given) refuseUnknown(isPart bool, name string, taken []string) {
	if slices.Contains(taken, name) || slices.Contains(ofOtherEndpoints, name) {
		return
	}
	near, these := nearest.Of(name, slices.Concat(taken, ofOtherEndpoints)), strings.Join(taken, ", ")
	var p *Problem
	switch {
	case isPart && near != "":
		p = newProblem(codeOption, "The form has a part %q, which nothing takes. Did you mean %q?", name, near)
	case isPart:
		p = newProblem(codeOption, "The form has a part %q, which nothing takes. Leave it out; this endpoint takes %s.", name, these)
	case near != "":
		p = newProblem(codeOption, "The query has a parameter %q, which nothing takes. Did you mean %q?", name, near)
	case these == "":
		p = newProblem(codeOption, "The query has a parameter %q, which nothing takes. Leave it out.", name)
	default:
		p = newProblem(codeOption, "The query has a parameter %q, which nothing takes. Leave it out; this endpoint takes %s.", name, these)
	}
	g.wrong = append(g.wrong, p)
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
		if _, has := g.options[t.name]; !(has || t.terms) || t.check == nil {
			continue
		}
		if err := g.note(t.check(g.options)); err != nil {
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
		p = newProblem(codeOption, "The options of the request have %s. Each is listed.", report.Count(len(g.wrong), "mistake"))
	}
	p.addOptions(g.wrong)
	return p
}

// addOptions adds mistakes in options to a problem.
func (p *Problem) addOptions(wrong []*Problem) {
	for _, w := range wrong {
		p.options = append(p.options, w.Detail)
	}
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

// takes reports whether an endpoint takes an option of a name.
func takes(taken []takenOption, name string) bool {
	return slices.ContainsFunc(taken, func(t takenOption) bool { return !t.terms && t.name == name || t.terms && transform.NamesTerm(name) })
}

// terms are the options that are terms of the invoice; that which has an option of its own
// is not among them.
func (o options) terms() transform.Supply {
	supply := transform.Supply{}
	for name, value := range o {
		if name != optionBuyerReference && transform.NamesTerm(name) {
			supply[name] = value
		}
	}
	return supply
}
