package workbench

import (
	"encoding/json"
	"errors"
	"strings"

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
		return e.Code, strings.TrimSpace(problem.Sentence(language.Say(e.Message)) + " " + problem.Sentence(language.Say(e.Remedy)))
	}
	if e, ok := errors.AsType[*jsoninvoice.Error](err); ok {
		p := problemOfJSON(e, language)
		return p.Code, problem.Sentence(p.Message) + " " + problem.Sentence(p.Remedy)
	}
	return "INTERNAL", problem.Sentence(err.Error())
}
