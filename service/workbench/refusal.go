package workbench

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/jsoninvoice"
	"einvoice/model/problem"
)

// Refusal is an error of a call as a person is told it: its code, and in the language of the
// request what is wrong and what to do.
func (d *Desk) Refusal(request []byte, err error) (code, text string) {
	var asked struct{ Language string }
	_ = json.Unmarshal(request, &asked) // English where that says nothing
	language, _ := d.language(asked.Language)
	if e, ok := errors.AsType[*problem.Error](err); ok {
		return e.Code, strings.TrimSpace(sentence(language.Say(e.Message)) + " " + sentence(language.Say(e.Remedy)))
	}
	if e, ok := errors.AsType[*jsoninvoice.Error](err); ok {
		p := problemOfJSON(e, language)
		return p.Code, sentence(p.Message) + " " + sentence(p.Remedy)
	}
	return "INTERNAL", sentence(err.Error())
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return strings.TrimSuffix(string(unicode.ToUpper(first))+text[size:], ".") + "."
}
