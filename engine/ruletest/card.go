package ruletest

import (
	"strings"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model"
)

// A Card is all that is known of a rule, for people and for programs.
type Card struct {
	ID      string       `json:"id"`
	Ruleset string       `json:"ruleset"`
	Version string       `json:"version"`
	Layer   engine.Layer `json:"layer"`
	Level   engine.Level `json:"level"`
	Text    string       `json:"text"`
	Message string       `json:"message"`
	// Language is that of text and message where it is another than the one asked for.
	Language string     `json:"language,omitempty"`
	Terms    []CardTerm `json:"terms"`
	Fields   []string   `json:"fields"`
	Forms    []CardForm `json:"forms"`
	Examples []string   `json:"examples"`
	File     string     `json:"file"`
	Line     int        `json:"line"`
	// Effective is when the rule itself is in force; nil where it does not say.
	Effective *engine.Period `json:"effective,omitempty"`
	// NeverFires says why a published rule can reject nothing.
	NeverFires string `json:"neverFires,omitempty"`
	// Source is where the publisher's words can be read.
	Source *engine.Source `json:"source,omitempty"`

	// Rule is the rule itself, to be said in a language.
	Rule *engine.Rule `json:"-"`

	// What refers to the rule; of Cards alone.
	Rulesets  []string      `json:"rulesets,omitempty"`  // that have it as it is here
	LeftOutBy []string      `json:"leftOutBy,omitempty"` // rulesets that extend one of these without it
	Profiles  []string      `json:"profiles,omitempty"`  // that run it
	Overlays  []CardOverlay `json:"overlays,omitempty"`
	AddedBy   *CardAdded    `json:"addedBy,omitempty"` // the overlay that the rule is written in
}

// A CardAdded is the overlay that adds a rule.
type CardAdded struct {
	Overlay   string         `json:"overlay"`
	Owner     string         `json:"owner,omitempty"`
	Effective *engine.Period `json:"effective,omitempty"`
}

// A CardTerm is a business term with its name in the standard.
type CardTerm struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// A CardForm is how the rule is decided, for all syntaxes or for one.
type CardForm struct {
	Syntax  model.Syntax `json:"syntax,omitempty"`
	Root    string       `json:"root,omitempty"` // the one document element that the form is about
	Applies bool         `json:"applies"`
	Level   engine.Level `json:"level"`
	Context string       `json:"context,omitempty"`
	Assert  string       `json:"assert,omitempty"`
	Reason  string       `json:"reason,omitempty"`
}

// Title is where the form applies, as the end of a heading.
func (f CardForm) Title() string {
	where := strings.ToUpper(string(f.Syntax))
	if f.Root != "" {
		where = f.Root
	}
	switch {
	case where == "":
		return ""
	case !f.Applies:
		return " not at all in " + where
	}
	return " in " + where
}

// Translate says the card in a language: text, message, names of terms and reasons. What the
// language does not have stays in English, which a nil language is. Expressions and examples
// are as they are written.
func (c *Card) Translate(language *words.Language) {
	c.Message, c.Text = c.Rule.Said(language)
	for i := range c.Terms {
		c.Terms[i].Name = language.Say(c.Terms[i].Name)
	}
	for i := range c.Forms {
		c.Forms[i].Reason = language.Written(c.Forms[i].Reason)
	}
	for i := range c.Overlays {
		c.Overlays[i].Reason = language.Written(c.Overlays[i].Reason)
	}
	c.NeverFires = language.Say(c.NeverFires)
	c.Source = c.Source.In(language)
}

// CardOf gathers a rule's card.
func CardOf(r *engine.Rule, s *engine.Ruleset) Card {
	c := Card{
		Rule: r, ID: r.ID, Ruleset: s.Name, Version: s.Version, Layer: r.Layer, Level: r.Level, Text: r.Text, Message: r.Message.Value,
		Terms: []CardTerm{}, Fields: r.Fields.Value, Examples: []string{}, File: r.File(), Line: r.Line(), NeverFires: r.NeverFires, Source: s.SourceOf(r),
	}
	if r.Effective != (engine.Period{}) {
		c.Effective = &r.Effective
	}
	for _, code := range r.BTCodes.Value {
		name, _ := engine.TermName(code)
		c.Terms = append(c.Terms, CardTerm{code, name})
	}
	if r.Context.Value != "" {
		c.Forms = append(c.Forms, CardForm{Syntax: r.On, Applies: true, Level: r.Level, Context: r.Context.Value, Assert: decision(r)})
	}
	for _, v := range r.Variants {
		form, _ := r.Form(v.Syntax)
		if v.Root != "" && v.Level != "" {
			form.Level = v.Level
		}
		c.Forms = append(c.Forms, CardForm{Syntax: v.Syntax, Root: v.Root, Applies: v.Applies, Level: form.Level, Context: form.Context.Value, Assert: form.Assert.Value, Reason: v.Reason})
	}
	for i := range r.Examples() {
		c.Examples = append(c.Examples, r.Examples()[i].String())
	}
	return c
}
