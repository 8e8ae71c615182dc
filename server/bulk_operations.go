package server

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/model"
	"einvoice/service/bulk"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// The parameters of jobs that no other request has.
const (
	parameterOld     = "old"
	parameterNew     = "new"
	parameterBetween = "between"
)

// bulkParameters are what an operation of a job takes beside source and operation.
func bulkParameters(name string) []string {
	switch name {
	case "validate":
		return []string{optionProfile}
	case "impact":
		return []string{parameterOld, parameterNew, parameterBetween}
	}
	return operation.Named(name).Parameters()
}

// allBulkParameters are those of POST /v1/bulk.
func allBulkParameters() []string {
	all := []string{"source", "operation"}
	for _, name := range bulk.Operations() {
		for _, parameter := range bulkParameters(name) {
			if !slices.Contains(all, parameter) {
				all = append(all, parameter)
			}
		}
	}
	return all
}

// bulkOperationOf is the name of the operation of a query, and its parameters.
func bulkOperationOf(query url.Values) (name string, asked options, err error) {
	name, asked = "validate", options{}
	if query.Has("operation") {
		name = query.Get("operation")
	}
	if !slices.Contains(bulk.Operations(), name) {
		return "", nil, newProblem(codeQuery, "There is no operation %.60q. There are: %s.", name, strings.Join(bulk.Operations(), ", "))
	}
	for parameter, values := range query {
		switch {
		case parameter == "source" || parameter == "operation":
			continue
		case !slices.Contains(bulkParameters(name), parameter):
			return "", nil, newProblem(codeQuery, "The parameter %.40q is not for the operation %s, which takes: %s.", parameter, name, strings.Join(bulkParameters(name), ", "))
		case len(values[0]) > longestOption:
			return "", nil, newProblem(codeQuery, "The parameter %q has more than %d bytes.", parameter, longestOption)
		}
		asked[parameter] = values[0]
	}
	return name, asked, nil
}

// operation is the one of a query, with the rulesets that are in force now.
func (b *bulkJobs) operation(query url.Values) (bulk.Operation, error) {
	name, asked, err := bulkOperationOf(query)
	if err != nil {
		return nil, err
	}
	book := b.reloader.current.Load()
	switch name {
	case "validate":
		rules := validate.Rules{Profile: asked[optionProfile], Overlays: book.usual}
		if err := book.service.CheckRules(rules); err != nil {
			return nil, newProblem(codeQuery, "There is no profile %.60q. /v1/rulesets lists them.", rules.Profile)
		}
		return bulk.NewValidation(bulk.Validation{Service: book.service, Rules: rules})
	case "impact":
		pair, err := asked.pair(book.library)
		if err != nil {
			return nil, err
		}
		return bulk.NewImpact(book.service, []bulk.Pair{pair})
	}
	making, err := asked.making(name)
	if err != nil {
		return nil, err
	}
	making.Digest = b.reading
	return bulk.NewMaking(name, book.service, making)
}

// making is what the parameters of a job ask for that makes something.
func (o options) making(name string) (m bulk.Options, err error) {
	m.To = o[operation.OptionTo]
	if to := operation.Named(name).To(); len(to) == 1 {
		m.To = to[0]
	}
	if m.Strict, err = o.strict(); err != nil {
		return m, err
	}
	if m.Details, err = o.flag(optionDetails); err != nil {
		return m, err
	}
	m.Transform.BuyerReference = o[optionBuyerReference]
	if m.Transform.Date, err = o.date(); err != nil {
		return m, err
	}
	for name, text := range map[string]*model.Text{optionProfile: &m.Transform.Profile, optionLanguage: &m.Transform.Language, optionLook: &m.Transform.Look} {
		if value := o[name]; value != "" {
			*text = model.NewText(value)
		}
	}
	return m, nil
}

// pair is what an impact compares: two rulesets, or one on two days.
func (o options) pair(library *engine.Library) (pair bulk.Pair, err error) {
	between, onDays := o[parameterBetween]
	first, second, two := strings.Cut(between, ",")
	switch {
	case o[parameterOld] == "" || onDays == (o[parameterNew] != ""):
		return pair, newProblem(codeQuery, `An impact compares two rulesets, "old" and "new", or "old" on two days, "between". /v1/rulesets lists them.`)
	case !onDays:
		if pair.Before, err = rulesetSide(library, o[parameterOld], ""); err == nil {
			pair.After, err = rulesetSide(library, o[parameterNew], "")
		}
		return pair, err
	case !two:
		return pair, newProblem(codeQuery, `The parameter "between" has two days: between=2026-12-31,2027-01-01.`)
	}
	if pair.Before, err = o.sideOn(library, first); err == nil {
		pair.After, err = o.sideOn(library, second)
	}
	return pair, err
}

// rulesetSide is a ruleset, NAME or NAME/VERSION.
func rulesetSide(library *engine.Library, name string, at engine.Day) (ruletest.Side, error) {
	set, err := library.Ruleset(name)
	if err != nil {
		return ruletest.Side{}, newProblem(codeQuery, "There is no ruleset %.60q. /v1/rulesets lists them.", name)
	}
	return ruletest.Side{Library: library, Ref: set.Name + "/" + set.Version, At: at}, nil
}

// sideOn is the ruleset "old" on a day: of a family the version that is in force; none where
// none is.
func (o options) sideOn(library *engine.Library, text string) (ruletest.Side, error) {
	day, err := engine.ParseDay(strings.TrimSpace(text))
	if err != nil {
		return ruletest.Side{}, newProblem(codeQuery, `%.40q in the parameter "between" is no day. Write it as 2026-11-20.`, text)
	}
	name := o[parameterOld]
	if !strings.Contains(name, "/") {
		ref, err := library.VersionAt(name, day)
		if _, none := errors.AsType[*engine.NotInForceError](err); none {
			return ruletest.Side{}, nil
		}
		if err == nil {
			name = ref
		}
	}
	return rulesetSide(library, name, day)
}
