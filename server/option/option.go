// Package option has what a request asks for beside its document.
package option

import (
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/server/refusal"
	"einvoice/service/operation"
	"einvoice/service/transform"
)

// The options that a request may bring beside its document.
const (
	Strict         = operation.OptionStrict
	BuyerReference = operation.OptionBuyerReference
	Language       = operation.OptionLanguage
	Date           = operation.OptionDate
	Look           = operation.OptionLook
	Profile        = operation.OptionProfile
	Details        = operation.OptionDetails
	Accept         = "accept"
	Explain        = "explain"
	Compare        = "compare"
	Overlay        = "overlay"
	At             = "at"
	Relationship   = "relationship"
	PDFA           = "pdfa"
)

// Longest is more than any option needs, in bytes.
const Longest = 1000

// Values are the options that a request gave, by name.
type Values map[string]string

// DefaultLanguage is that of pages whose request asks for none, as the contract has it.
const DefaultLanguage = "en"

// PageLanguage is that of pages.
func (o Values) PageLanguage() string {
	if language := o[Language]; language != "" {
		return language
	}
	return DefaultLanguage
}

// IsStrict reports whether a conversion that loses something is to be refused.
func (o Values) IsStrict() (bool, error) { return o.Flag(Strict) }

// ComparesPages reports whether the pages are to be compared with the invoice.
func (o Values) ComparesPages() (bool, error) {
	switch value, given := o[Compare]; {
	case !given:
		return false, nil
	case value == "pages":
		return true, nil
	}
	return false, refusal.New(refusal.Option, "The option %q has one value: pages.", Compare)
}

// Flag is the value of an option that is true or false; false where it was not given.
func (o Values) Flag(name string) (bool, error) {
	switch value, given := o[name]; {
	case !given, value == "false":
		return false, nil
	case value == "true":
		return true, nil
	}
	return false, refusal.New(refusal.Option, "The option %q is true or false.", name)
}

// Least is the confidence that an invoice needs to be accepted; 0 where nobody asked.
func (o Values) Least() (float64, error) {
	value, given := o[Accept]
	if !given {
		return 0, nil
	}
	least, err := strconv.ParseFloat(value, 64)
	if err != nil || !(least >= 0.01 && least <= 1) {
		return 0, refusal.New(refusal.Option, "The option %q is not a confidence. Write one from 0.01 to 1, such as 0.95.", Accept)
	}
	return least, nil
}

// MadeOn is the day that a PDF says it was made on; absent where it was not given.
func (o Values) MadeOn() (model.Date, error) {
	value, given := o[Date]
	if !given {
		return model.Date{}, nil
	}
	date := model.NewDate(value)
	if !date.Valid {
		return date, refusal.New(refusal.Option, "The option %q is not a day. Write it as 2026-11-20.", Date)
	}
	return date, nil
}

// mostOverlays bounds how many overlays one request may choose.
const mostOverlays = 8

// Choose are the names of the overlays that a request chooses; usual where it chooses
// none.
func (o Values) Choose(usual []string) ([]string, error) {
	value, given := o[Overlay]
	if !given {
		return usual, nil
	}
	names := Names(value)
	if len(names) > mostOverlays {
		return nil, refusal.New(refusal.Option, "The option %q names more than %d overlays.", Overlay, mostOverlays)
	}
	return names, nil
}

// Names are those of a list with commas between them.
func Names(list string) (names []string) {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Day is the day whose rules are asked for; "" for that of the document.
func (o Values) Day() (engine.Day, error) {
	value, given := o[At]
	if !given {
		return "", nil
	}
	day, err := engine.ParseDay(value)
	if err != nil {
		return "", refusal.New(refusal.Option, "The option %q is not a day. Write it as 2026-11-20.", At)
	}
	return day, nil
}

// Terms are the options that are terms of the invoice; that which has an option of its own
// is not among them.
func (o Values) Terms() transform.Supply {
	supply := transform.Supply{}
	for name, value := range o {
		if name != BuyerReference && transform.NamesTerm(name) {
			supply[name] = value
		}
	}
	return supply
}
