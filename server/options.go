package server

import (
	"strings"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/service/operation"
)

// The options that a request may bring beside its document.
const (
	optionStrict         = operation.OptionStrict
	optionBuyerReference = operation.OptionBuyerReference
	optionLanguage       = operation.OptionLanguage
	optionDate           = operation.OptionDate
	optionLook           = operation.OptionLook
	optionProfile        = operation.OptionProfile
	optionDetails        = operation.OptionDetails
	optionExplain        = "explain"
	optionCompare        = "compare"
	optionOverlay        = "overlay"
	optionAt             = "at"
	optionRelationship   = "relationship"
	optionPDFA           = "pdfa"
)

// options are those that a request gave, by name.
type options map[string]string

// defaultLanguage is that of pages whose request asks for none, as the contract has it.
const defaultLanguage = "en"

// language is that of pages.
func (o options) language() string {
	if language := o[optionLanguage]; language != "" {
		return language
	}
	return defaultLanguage
}

// strict reports whether a conversion that loses something is to be refused.
func (o options) strict() (bool, error) { return o.flag(optionStrict) }

// comparesPages reports whether the pages are to be compared with the invoice.
func (o options) comparesPages() (bool, error) {
	switch value, given := o[optionCompare]; {
	case !given:
		return false, nil
	case value == "pages":
		return true, nil
	}
	return false, newProblem(codeOption, "The option %q has one value: pages.", optionCompare)
}

// flag is the value of an option that is true or false; false where it was not given.
func (o options) flag(name string) (bool, error) {
	switch value, given := o[name]; {
	case !given, value == "false":
		return false, nil
	case value == "true":
		return true, nil
	}
	return false, newProblem(codeOption, "The option %q is true or false.", name)
}

// date is the day that a PDF says it was made on; absent where it was not given.
func (o options) date() (model.Date, error) {
	value, given := o[optionDate]
	if !given {
		return model.Date{}, nil
	}
	date := model.NewDate(value)
	if !date.Valid {
		return date, newProblem(codeOption, "The option %q is no day. Write it as 2026-11-20.", optionDate)
	}
	return date, nil
}

// mostOverlays bounds how many overlays one request may choose.
const mostOverlays = 8

// overlays are the names of the overlays that a request chooses; usual where it chooses
// none.
func (o options) overlays(usual []string) ([]string, error) {
	value, given := o[optionOverlay]
	if !given {
		return usual, nil
	}
	var names []string
	for _, name := range strings.Split(value, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	if len(names) > mostOverlays {
		return nil, newProblem(codeOption, "The option %q names more than %d overlays.", optionOverlay, mostOverlays)
	}
	return names, nil
}

// day is the day whose rules are asked for; "" for that of the document.
func (o options) day() (engine.Day, error) {
	value, given := o[optionAt]
	if !given {
		return "", nil
	}
	day, err := engine.ParseDay(value)
	if err != nil {
		return "", newProblem(codeOption, "The option %q is no day. Write it as 2026-11-20.", optionAt)
	}
	return day, nil
}
