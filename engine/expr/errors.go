package expr

import (
	"errors"
	"fmt"

	"einvoice/model"
	"einvoice/model/quote"
)

// evalError says why an evaluation has no value. It is a struct in the activation,
// so that an error that && or || absorbs costs nothing.
type evalError struct {
	kind  errKind
	field *model.Field
	text  string
}

// InDocument reports whether an evaluation has no value because what is written in the
// document is not a value of its type. Otherwise the expression is to blame.
func InDocument(err error) bool {
	e, is := errors.AsType[evalError](err)
	return is && (e.kind == errInvalid || e.kind == errUnreadable)
}

type errKind uint8

const (
	errNone       errKind = iota
	errAbsent             // a term was read that the invoice does not have
	errInvalid            // a term's text is not a value of its type
	errUnreadable         // a text that the expression read is not a number or a day
	errOther
)

func (e evalError) Error() string {
	switch e.kind {
	case errAbsent:
		return fmt.Sprintf("%s is not there", fieldLabel(e.field))
	case errInvalid:
		if (e.field.Kind == model.KindNumber || e.field.Kind == model.KindAmount) && model.IsTooLong(e.text) {
			return fmt.Sprintf("%s is %q, which has more than 200 digits", fieldLabel(e.field), quote.Shorten(e.text, most))
		}
		return fmt.Sprintf("%s is %q, which is not a value of type %s", fieldLabel(e.field), quote.Shorten(e.text, most), e.field.Class)
	}
	return e.text
}

// unreadable says why a text is not a value of a type, by a format for the text. An empty text may be that of an element
// that is not there, which the expression has to ask about; any other was written by somebody.
func (act *Activation) unreadable(text, format string) {
	kind := errUnreadable
	if text == "" {
		kind = errOther
	}
	act.fail(kind, nil, fmt.Sprintf(format, quote.Shorten(text, most)))
}

// notNumber says why a text is not a number.
func (act *Activation) notNumber(text string) {
	if model.IsTooLong(text) {
		act.unreadable(text, "%q has more than 200 digits")
		return
	}
	act.unreadable(text, "%q is not a number such as 1000.50")
}

func fieldLabel(f *model.Field) string {
	if f.BT == "" {
		return f.Name
	}
	return f.BT + " (" + f.Name + ")"
}
