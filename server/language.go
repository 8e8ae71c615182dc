package server

import (
	"strings"

	"einvoice/engine"
	"einvoice/server/option"
	"einvoice/server/refusal"
)

// choose finds the language of an answer: the one that the parameter language names, else
// the best that Accept-Language offers, else English.
func (x *exchange) choose(library *engine.Library, named string) error {
	if named != "" {
		language, err := library.Language(named)
		if err != nil {
			return newProblem(refusal.Option, "There is no language %.40q. There are %s.", named, strings.Join(library.Languages(), ", "))
		}
		x.words = language
		return nil
	}
	x.words = library.Accepted(x.request.Header.Get("Accept-Language"))
	return nil
}

// takeLanguage takes the language of an answer, in which other mistakes are told as well.
func (s *Server) takeLanguage(x *exchange) takenOption {
	return takenOption{name: option.Language, check: func(o option.Values) error { return x.choose(s.rules.Current().Library, o[option.Language]) }}
}

// tellLanguage says in which language the answer is, or languages.
func (x *exchange) tellLanguage() {
	h := x.Header()
	h.Set("Content-Language", x.words.Content())
	h.Add("Vary", "Accept-Language")
}

// translate says a report in the language of the answer.
func (x *exchange) translate(r *engine.Report) error {
	return r.Translate(x.words)
}
