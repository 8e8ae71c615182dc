package jobs

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/engine/words"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/server/option"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
	"einvoice/service/bulk"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// The parameters of jobs that no other request has.
const (
	parameterOld     = "old"
	parameterNew     = "new"
	parameterBetween = "between"
	parameterBatch   = "batch"
)

// ParameterMandatory is one that the service adds: of a validation the overlays that its day does not take out of
// force, and of an impact those by which documents are validated where nobody chooses.
const ParameterMandatory = "mandatory"

// Validate is the operation of jobs that name none; Impact compares rules.
const (
	Validate = "validate"
	Impact   = "impact"
)

// parametersOf are what an operation of a job takes beside source and operation.
func parametersOf(name string) []string {
	switch name {
	case Validate:
		return []string{option.Profile, option.Overlay, option.At, option.Language, parameterBatch}
	case Impact:
		return []string{parameterOld, parameterNew, parameterBetween, option.Overlay}
	}
	return operation.Named(name).Parameters()
}

// Parameters are those of POST /v1/bulk.
func Parameters() []string {
	all := []string{"source", "operation", parameterWebhook, parameterPriority, parameterDeadline}
	for _, name := range bulk.Operations() {
		for _, parameter := range parametersOf(name) {
			if !slices.Contains(all, parameter) {
				all = append(all, parameter)
			}
		}
	}
	return all
}

// operationOf is the name of the operation of a query, and its parameters.
func operationOf(query url.Values) (name string, asked option.Values, err error) {
	name, asked = Validate, option.Values{}
	if query.Has("operation") {
		name = query.Get("operation")
	}
	if !slices.Contains(bulk.Operations(), name) {
		return "", nil, refusal.New(refusal.Query, "There is no operation %.60q. There are: %s.", name, strings.Join(bulk.Operations(), ", "))
	}
	for parameter, values := range query {
		switch {
		case slices.Contains([]string{"source", "operation", parameterWebhook, parameterPriority, parameterDeadline}, parameter):
			continue
		case parameter == ParameterMandatory: // no query of a client has it
		case !slices.Contains(parametersOf(name), parameter):
			return "", nil, refusal.New(refusal.Query, "The parameter %.40q is not for the operation %s, which takes: %s.", parameter, name, strings.Join(parametersOf(name), ", "))
		case len(values[0]) > option.Longest:
			return "", nil, refusal.New(refusal.Query, "The parameter %q has more than %d bytes.", parameter, option.Longest)
		}
		asked[parameter] = values[0]
	}
	return name, asked, nil
}

// operation is the one of a query, with the rulesets of a book.
func (b *Jobs) operation(query url.Values, book *publishing.Book) (bulk.Operation, error) {
	if query.Has(parameterWebhook) {
		if err := b.checkHook(query.Get(parameterWebhook)); err != nil {
			return nil, err
		}
	}
	return Operation(query, book, b.Reading)
}

// validation is by the rules that are asked for, as a request for one document has them.
func validation(asked option.Values, book *publishing.Book) (bulk.Operation, error) {
	rules := validate.Rules{Profile: asked[option.Profile], Overlays: book.Usual}
	if names, chosen := asked[option.Overlay]; chosen {
		rules.Overlays, rules.Kept = option.Names(names), option.Names(asked[ParameterMandatory])
	}
	var err error
	if rules.At, err = asked.Day(); err != nil {
		return nil, err
	}
	var language *words.Language
	if name := asked[option.Language]; name != "" {
		if language, err = book.Library.Language(name); err != nil {
			return nil, refusal.New(refusal.Option, "There is no language %.40q. There are %s.", name, strings.Join(book.Library.Languages(), ", "))
		}
	}
	if err := book.Service.CheckRules(rules); err != nil {
		if missing, ok := errors.AsType[*engine.NotFoundError](err); ok && missing.Kind == "profile" {
			return nil, refusal.New(refusal.Query, "There is no profile %.60q. /v1/rulesets lists them.", rules.Profile)
		}
		return nil, err
	}
	batch := option.Names(asked[parameterBatch])
	if err := book.Service.CheckBatch(batch); err != nil {
		return nil, inParameter(parameterBatch, err)
	}
	return bulk.NewValidation(bulk.Validation{Service: book.Service, Rules: rules, Language: language, Batch: batch})
}

// Operation is the one of a query, with the rulesets of a book. reading are the settings that
// decide what is made.
func Operation(query url.Values, book *publishing.Book, reading string) (bulk.Operation, error) {
	name, asked, err := operationOf(query)
	if err != nil {
		return nil, err
	}
	switch name {
	case Validate:
		return validation(asked, book)
	case Impact:
		pair, err := pairOf(asked, book)
		if err != nil {
			return nil, err
		}
		return bulk.NewImpact(book.Service, []bulk.Pair{pair})
	}
	making, err := makingOf(asked, name)
	if err != nil {
		return nil, err
	}
	making.Digest = reading
	return bulk.NewMaking(name, book.Service, making)
}

// makingOf is what the parameters of a job ask for that makes something.
func makingOf(o option.Values, name string) (m bulk.Options, err error) {
	m.To = o[operation.OptionTo]
	if to := operation.Named(name).To(); len(to) == 1 {
		m.To = to[0]
	}
	if m.Strict, err = o.IsStrict(); err != nil {
		return m, err
	}
	if m.Details, err = o.Flag(option.Details); err != nil {
		return m, err
	}
	m.Transform.BuyerReference = o[option.BuyerReference]
	if m.Transform.Date, err = o.MadeOn(); err != nil {
		return m, err
	}
	for name, text := range map[string]*model.Text{option.Profile: &m.Transform.Profile, option.Language: &m.Transform.Language, option.Look: &m.Transform.Look} {
		if value := o[name]; value != "" {
			*text = model.NewText(value)
		}
	}
	return m, nil
}

// pairOf is what an impact compares: two rulesets, one on two days, or documents as they are
// judged and as they are with other overlays.
func pairOf(o option.Values, book *publishing.Book) (pair bulk.Pair, err error) {
	library := book.Library
	overlays, isOverlays := o[option.Overlay]
	usual := book.Usual
	if names, is := o[ParameterMandatory]; is {
		usual = option.Names(names)
		delete(o, ParameterMandatory)
	}
	between, onDays := o[parameterBetween]
	first, second, two := strings.Cut(between, ",")
	switch {
	case isOverlays && len(o) == 1:
		if pair.Before, err = bulk.WithOverlays(book.Service.Service, usual, ""); err == nil {
			pair.After, err = bulk.WithOverlays(book.Service.Service, option.Names(overlays), "")
		}
		if err != nil {
			err = inParameter(option.Overlay, err)
		}
		return pair, err
	case isOverlays || o[parameterOld] == "" || onDays == (o[parameterNew] != ""):
		return pair, refusal.New(refusal.Query, `An impact compares two rulesets, "old" and "new", or "old" on two days, "between", or the usual overlays with others, "overlay". /v1/rulesets lists them.`)
	case !onDays:
		if pair.Before, err = rulesetSide(library, o[parameterOld], ""); err == nil {
			pair.After, err = rulesetSide(library, o[parameterNew], "")
		}
		return pair, err
	case !two:
		return pair, refusal.New(refusal.Query, `The parameter "between" has two days: between=2026-12-31,2027-01-01.`)
	}
	if pair.Before, err = sideOn(o, library, first); err == nil {
		pair.After, err = sideOn(o, library, second)
	}
	return pair, err
}

// inParameter is the error of the value of a parameter. One with a remedy is told as it is, because a sentence
// around it would have its code in the middle.
func inParameter(name string, err error) error {
	if told, ok := errors.AsType[*problem.Error](err); ok {
		return told
	}
	return refusal.New(refusal.Query, "The parameter %q: %v.", name, err)
}

// rulesetSide is a ruleset, NAME or NAME/VERSION.
func rulesetSide(library *engine.Library, name string, at engine.Day) (ruletest.Side, error) {
	set, err := library.Ruleset(name)
	if err != nil {
		return ruletest.Side{}, refusal.New(refusal.Query, "There is no ruleset %.60q. /v1/rulesets lists them.", name)
	}
	return ruletest.Side{Library: library, Ref: set.Name + "/" + set.Version, At: at}, nil
}

// sideOn is the ruleset "old" on a day: of a family the version that is in force; none where
// none is.
func sideOn(o option.Values, library *engine.Library, text string) (ruletest.Side, error) {
	day, err := engine.ParseDay(strings.TrimSpace(text))
	if err != nil {
		return ruletest.Side{}, refusal.New(refusal.Query, `%.40q in the parameter "between" is not a day. Write it as 2026-11-20.`, text)
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
