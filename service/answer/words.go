package answer

import (
	"fmt"
	"strings"

	"einvoice/engine/words"
	"einvoice/formats/jsoninvoice"
	"einvoice/model/numeral"
	"einvoice/model/problem"
)

// Detail tells of an error in a language: where it is, what is wrong and what to do.
func Detail(err *problem.Error, language *words.Language) string {
	text := strings.TrimSpace(problem.Sentence(language.Say(err.Message)) + " " + problem.Sentence(language.Say(err.Remedy)))
	if err.Position.Line > 0 {
		text = language.Say(fmt.Sprintf("Line %d, column %d", err.Position.Line, err.Position.Column)) + ": " + text
	}
	if err.Attachment != "" { // the place is in the file inside the file
		text = language.Say(fmt.Sprintf("In the attachment %.100q", err.Attachment)) + ": " + text
	}
	return text
}

// MistakesIn says how many mistakes the JSON of a request has, and how many of them are listed.
func MistakesIn(e *jsoninvoice.Error) string {
	if e.Omitted > 0 {
		return fmt.Sprintf("The request has %d mistakes, of which %d are listed with their places. Correct these first.", e.Count(), len(e.Mistakes))
	}
	return fmt.Sprintf("The request has %s. Each is listed with its place.", numeral.Count(e.Count(), "mistake"))
}

// Mistakes are those in the JSON of a request in a language, and as texts. A client's own
// texts come back shortened: they may be as long as its request.
func Mistakes(mistakes []jsoninvoice.Mistake, language *words.Language) (told []jsoninvoice.Mistake, texts []string) {
	texts = make([]string, len(mistakes))
	told = make([]jsoninvoice.Mistake, len(mistakes))
	for i, m := range mistakes {
		m.Pointer, m.Field, m.Message = shortened(m.Pointer, longestPlace), shortened(m.Field, longestPlace), language.Say(shortened(m.Message, longestMessage))
		told[i] = m
		at := m.Pointer
		if at == "" {
			at = language.Say("the request")
		}
		texts[i] = at + ": " + m.Message
	}
	return told, texts
}

const (
	longestPlace   = 1000
	longestMessage = 4000 // bytes: the names of all members of an invoice fit in
)

func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
