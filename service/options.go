package service

import (
	"errors"
	"strings"

	"einvoice/formats/pdf/page"
	"einvoice/model"
	"einvoice/model/problem"
)

// CodeOption is the code of the *problem.Error for an option with a value that it
// cannot have.
const CodeOption = "OPTION-INVALID"

// WrongOptions are all options of a request that have values which they cannot have. Each
// has the code CodeOption and, but for the format, the field of the request.
type WrongOptions struct{ Wrong []*problem.Error }

func (w *WrongOptions) Error() string {
	texts := make([]string, len(w.Wrong))
	for i, e := range w.Wrong {
		texts[i] = e.Error()
	}
	return strings.Join(texts, "\n")
}

// Unwrap are the errors.
func (w *WrongOptions) Unwrap() []error {
	out := make([]error, len(w.Wrong))
	for i, e := range w.Wrong {
		out[i] = e
	}
	return out
}

// CheckOptions finds the options that a format does not have.
func CheckOptions(format string, o *Options) []*problem.Error {
	if o == nil {
		o = &Options{}
	}
	_, _, _, wrong := choose(format, o)
	return wrong
}

// choose finds format, profile and syntax that options ask for, and what is wrong with any
// option.
func choose(format string, o *Options) (f *Format, profile string, syntax model.Syntax, wrong []*problem.Error) {
	note := func(field string, err error) {
		if err != nil {
			wrong = append(wrong, wrongOption(field, err))
		}
	}
	f, err := formatToCreate(format)
	if err != nil {
		note("", err)
	} else {
		profile, err = f.profile(o.Profile.Raw)
		note("options.profile", err)
		syntax, err = f.syntax(o.Syntax.Raw)
		note("options.syntax", err)
	}
	_, err = page.LanguageName(o.Language.Raw)
	note("options.language", err)
	return f, profile, syntax, wrong
}

// wrongOption is the error of an option; field is where a request has it.
func wrongOption(field string, err error) *problem.Error {
	if e, ok := errors.AsType[*problem.Error](err); ok {
		return &problem.Error{Code: CodeOption, Message: e.Message, Remedy: e.Remedy, Field: field, Cause: err}
	}
	return &problem.Error{Code: CodeOption, Message: err.Error(), Field: field, Cause: err}
}
