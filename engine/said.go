package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"einvoice/engine/expr"
	"einvoice/engine/words"
	"einvoice/model"
	"einvoice/model/tongue"

	bcp47 "golang.org/x/text/language"
)

// said is how the message of a finding was made, so that it can be said in other
// languages. Findings are made in English, whatever the answer will be in: most documents
// have none, and English needs no files.
type said struct {
	rule   *Rule
	form   *Form         // nil for a row
	values []words.Value // of the expressions in the message of a rule
	code   string        // of a row of kind code: what is written

	notice *Notice // nil for a rule
	which  string  // case of the notice
	names  map[string]string
}

// kindOfValue is how a language writes the values of an expression.
func kindOfValue(p *expr.Program) words.Kind {
	switch p.Kind() {
	case model.KindNumber:
		return words.Number
	case model.KindDate:
		return words.Day
	}
	return words.Plain
}

// Languages are the tags of the languages that findings can be in, English first.
func (l *Library) Languages() []string { return append([]string{words.English}, words.Tags(l.fsys)...) }

// Language is one of the languages of the library; nil for English. Of a tag that it does not
// have, it is the language without the region: de of de-AT. The error of an unknown one names
// those that there are.
func (l *Library) Language(tag string) (*words.Language, error) {
	if tag == "" {
		return nil, nil
	}
	there := l.Languages()
	for _, wider := range tongue.Wider(tag) {
		if slices.Contains(there, wider) {
			return l.LanguageOf(wider)
		}
	}
	return nil, unknownLanguage(tag, there)
}

// LanguageOf is the language of a folder, and of no other; nil for English.
func (l *Library) LanguageOf(folder string) (*words.Language, error) {
	if folder == words.English {
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if known := l.languages[folder]; known != nil {
		return known, nil
	}
	language, err := words.OpenBy(l.fsys, folder, l.reading())
	if err != nil {
		if mistake := new(words.FileError); errors.As(err, &mistake) {
			return nil, err
		}
		return nil, unknownLanguage(folder, l.Languages())
	}
	if l.languages == nil {
		l.languages = map[string]*words.Language{}
	}
	l.languages[folder] = language
	return language, nil
}

func unknownLanguage(tag string, there []string) error {
	others := slices.DeleteFunc(slices.Clone(there), func(known string) bool { return known == tag }) // its folder may be there
	return fmt.Errorf("there is no language %q; there are %s", tag, strings.Join(others, ", "))
}

// Accepted is the best of the library's languages for somebody who accepts those of a
// header Accept-Language, such as "de-AT, en;q=0.5", or of one tag; nil, which is English,
// if the library has none of them.
func (l *Library) Accepted(accept string) *words.Language {
	if accept == "" {
		return nil
	}
	wanted := acceptedTags(accept)
	if len(wanted) == 0 {
		return nil
	}
	tags := l.Languages()
	offered := make([]bcp47.Tag, len(tags))
	for i, tag := range tags {
		offered[i] = bcp47.Make(tag)
	}
	_, best, confidence := bcp47.NewMatcher(offered).Match(wanted...)
	if confidence == bcp47.No {
		return nil
	}
	language, err := l.LanguageOf(tags[best])
	if err != nil { // a folder of a language that cannot be read: rules check tells why
		return nil
	}
	return language
}

// acceptedTags are the tags of a header Accept-Language, the best first. One that nobody
// knows is left out: the others still say what the reader understands.
func acceptedTags(accept string) []bcp47.Tag {
	if tags, _, err := bcp47.ParseAcceptLanguage(accept); err == nil {
		return tags
	}
	type weighed struct {
		tag    bcp47.Tag
		weight float32
	}
	var known []weighed
	const most = 50 // a browser sends some ten
	for _, part := range strings.SplitN(accept, ",", most) {
		if tags, weights, err := bcp47.ParseAcceptLanguage(part); err == nil && len(tags) == 1 {
			known = append(known, weighed{tags[0], weights[0]})
		}
	}
	slices.SortStableFunc(known, func(a, b weighed) int { return cmp.Compare(b.weight, a.weight) })
	tags := make([]bcp47.Tag, len(known))
	for i, k := range known {
		tags[i] = k.tag
	}
	return tags
}

// Translate says the findings and overlays of a report in a language; nil is English. A finding whose
// rule has no words in it stays in English and says so.
func (r *Report) Translate(language *words.Language) error {
	r.Language = words.English
	if language == nil {
		return nil
	}
	r.Language = language.Tag
	r.Overlays = slices.Clone(r.Overlays)
	for i := range r.Overlays {
		o := &r.Overlays[i]
		o.Title, o.Reason = language.Written(o.Title), language.Say(o.Reason)
	}
	return TranslateFindings(r.Findings, language)
}

// TranslateFindings is Translate for findings that are in no report.
func TranslateFindings(findings []Finding, language *words.Language) error {
	if language == nil {
		return nil
	}
	for i := range findings {
		if err := findings[i].translate(language); err != nil {
			return err
		}
	}
	return nil
}

func (f *Finding) translate(language *words.Language) error {
	f.Source, f.LevelReason = f.Source.In(language), language.Written(f.LevelReason)
	message, text, err := f.in(language)
	if err != nil {
		return err
	}
	if text != "" {
		f.Raw = rawOf(f.Rule, f.Layer, text)
	}
	if message == "" {
		f.Language = words.English
		return nil
	}
	f.Message = message
	return nil
}

// in are message and text of a finding in a language; "" for what it does not have.
func (f *Finding) in(language *words.Language) (message, text string, err error) {
	s := f.said
	switch {
	case s == nil:
		message, _ = language.Phrase(f.Message)
		return message, "", nil
	case s.notice != nil:
		return s.ofNotice(language)
	case s.rule.Row != nil:
		message, text, err = s.rule.Row.in(language, s.code)
	default:
		message, text, err = s.rule.in(language, s.form, s.values)
	}
	if f.Failed { // the message says why, not what the rule's message says
		message, _ = language.Phrase(f.Message)
	}
	return message, text, err
}

// in are message and text of a rule in a language.
func (r *Rule) in(language *words.Language, form *Form, values []words.Value) (message, text string, err error) {
	t, found, err := language.Text(r.file, r.ID)
	if err != nil || !found {
		return "", "", err
	}
	text = r.withConstants(t.Text, language)
	template := r.withConstants(t.Message, language)
	if own, ok := t.Cases[string(form.of(r))]; ok {
		template = r.withConstants(own, language)
	}
	message, ok := fillNumbered(template, language, values)
	if !ok { // the message of the rule has other values than its translation
		message = ""
	}
	return message, text, nil
}

// Said are message and text of the rule in a language, with the expressions of the message
// in braces as they are written; in English where the language does not have them.
func (r *Rule) Said(language *words.Language) (message, text string) {
	message, text = r.Message.Value, r.Text
	if language == nil {
		return message, text
	}
	if r.Row != nil {
		if m, t, err := r.Row.in(language, ""); err == nil && m != "" {
			message, text = m, t
		}
		return message, text
	}
	t, found, err := language.Text(r.file, r.ID)
	if err != nil || !found {
		return message, text
	}
	expressions := MessageExpressions(message)
	said := words.Fill(r.withConstants(t.Message, language), func(name string) (string, bool) {
		n, err := strconv.Atoi(name)
		if err != nil || n < 1 || n > len(expressions) {
			return "", false
		}
		return "{" + expressions[n-1] + "}", true
	})
	return cmp.Or(said, message), cmp.Or(r.withConstants(t.Text, language), text)
}

// Speaks is the tag of the language that message and text of the rule are in where they are
// not in the language that was asked for: English; "" where they are.
func (r *Rule) Speaks(language *words.Language) string {
	if language == nil || r.Row != nil {
		return ""
	}
	if _, found, err := language.Text(r.file, r.ID); err != nil || !found {
		return words.English
	}
	return ""
}

// of is the syntax whose variant of the rule has the form's message; "" where it is the
// message of the rule itself.
func (f *Form) of(r *Rule) model.Syntax {
	for i := range r.Variants {
		if v := &r.Variants[i]; v.Message.Written() && v.Message.Node == f.Message.Node {
			return v.Syntax
		}
	}
	return ""
}

// withConstants fills in the constants of the rule's ruleset. A value that is words rather
// than a name is a phrase of the language.
func (r *Rule) withConstants(text string, language *words.Language) string {
	return FillConstants(text, func(name string) (string, bool) {
		value, known := r.Constants[name]
		return language.Say(value), known
	})
}

// fillNumbered puts values in the place of {1}, {2} ...; ok is false where the text names
// one that there is not.
func fillNumbered(text string, language *words.Language, values []words.Value) (filled string, ok bool) {
	ok = true
	filled = words.Fill(text, func(name string) (string, bool) {
		var n int
		if _, err := fmt.Sscanf(name, "%d", &n); err != nil {
			return "", false
		}
		if n < 1 || n > len(values) {
			ok = false
			return "", false
		}
		if values[n-1].Text == expr.Nothing {
			return language.Say(expr.Nothing), true
		}
		return language.Value(values[n-1]), true
	})
	return filled, ok
}

// ofNotice are message and text of a finding of the program in a language.
func (s *said) ofNotice(language *words.Language) (message, text string, err error) {
	t, found, err := language.Text(s.notice.File, s.notice.ID)
	if err != nil || !found {
		return "", "", err
	}
	template := t.Message
	if s.which != "" {
		template = t.Cases[s.which]
	}
	message, ok := fillNamed(template, language, s.names)
	if !ok {
		message = ""
	}
	text, _ = fillNamed(t.Text, language, s.names)
	return message, text, nil
}

// fillNamed puts values in the place of {name}, and sentences of the program in that of
// <name>; ok is false where the language does not have the sentence.
func fillNamed(text string, language *words.Language, values map[string]string) (filled string, ok bool) {
	ok = true
	filled = words.Fill(text, func(name string) (string, bool) {
		value, known := values[name]
		if known && strings.Contains(text, "<"+name+">") {
			var found bool
			if value, found = language.Phrase(value); !found {
				ok = false
			}
		}
		return value, known
	})
	return filled, ok
}

// TableWords is the file with the words of tables.
const TableWords = "tables.yaml"

// in are message and text of a row in a language; code is what is written where a code is
// expected.
func (w *Row) in(language *words.Language, code string) (message, text string, err error) {
	t, found, err := language.Text(TableWords, string(w.Kind))
	if err != nil || !found {
		return "", "", err
	}
	where := ""
	if w.where != "" {
		where = words.Fill(t.Cases["where"], func(string) (string, bool) { return w.where, true })
	}
	codes := strings.Join(w.codes, t.Cases["or"])
	if w.list != "" {
		codes = words.Fill(t.Cases["list"], func(string) (string, bool) { return w.list, true })
	}
	fill := func(template string) string {
		return words.Fill(template, func(name string) (string, bool) {
			value, known := map[string]string{"path": w.Path, "where": where, "codes": codes, "code": code}[name]
			return value, known
		})
	}
	return fill(t.Message), fill(t.Text), nil
}
