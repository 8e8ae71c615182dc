package server

import (
	"strings"

	"einvoice/engine"
	"einvoice/engine/words"

	bcp47 "golang.org/x/text/language"
)

// choose finds the language of an answer: the one that the parameter language names, else
// the best that Accept-Language offers, else English.
func (x *exchange) choose(library *engine.Library, named string) error {
	if named != "" {
		language, err := library.Language(named)
		if err != nil {
			return newProblem(codeOption, "There is no language %.40q. There are %s.", named, strings.Join(library.Languages(), ", "))
		}
		x.words = language
		return nil
	}
	x.words = accepted(library, x.request.Header.Get("Accept-Language"))
	return nil
}

// takeLanguage takes the language of an answer, in which other mistakes are told as well.
func (s *Server) takeLanguage(x *exchange) takenOption {
	return takenOption{name: optionLanguage, check: func(o options) error { return x.choose(s.reloader.current.Load().library, o[optionLanguage]) }}
}

// accepted is the best of the languages that a client accepts; nil, which is English, if
// the library has none of them.
func accepted(library *engine.Library, accept string) *words.Language {
	if accept == "" {
		return nil
	}
	wanted, _, err := bcp47.ParseAcceptLanguage(accept)
	if err != nil || len(wanted) == 0 {
		return nil
	}
	tags := library.Languages()
	offered := make([]bcp47.Tag, len(tags))
	for i, tag := range tags {
		offered[i] = bcp47.Make(tag)
	}
	_, best, confidence := bcp47.NewMatcher(offered).Match(wanted...)
	if confidence == bcp47.No {
		return nil
	}
	language, err := library.Language(tags[best])
	if err != nil { // a folder of a language that cannot be read: rules check tells why
		return nil
	}
	return language
}

// tellLanguage says in which language the answer is.
func (x *exchange) tellLanguage() {
	h := x.Header()
	h.Set("Content-Language", x.words.String())
	h.Add("Vary", "Accept-Language")
}

// translate says a report in the language of the answer.
func (x *exchange) translate(r *engine.Report) error {
	return r.Translate(x.words)
}
